import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  HttpMethods,
  type CfnBucket,
} from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'

/** Longer than any import takes; what was uploaded for nothing goes too. */
const KEEP = Duration.days(7)

/** Contacts of campaigns, until they have become rows. Who may use them stands here, beside them. */
export class ContactsBucket extends Construct {
  readonly name: string
  readonly mayUse: ManagedPolicy

  constructor(scope: Construct, id: string, { encryptionKey }: { readonly encryptionKey: IKey }) {
    super(scope, id)
    const bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.KMS,
      encryptionKey,
      bucketKeyEnabled: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      // A signed link is the permission; a page of any origin may use one that it was given.
      cors: [{ allowedMethods: [HttpMethods.PUT], allowedOrigins: ['*'], allowedHeaders: ['*'] }],
      lifecycleRules: [{ expiration: KEEP, abortIncompleteMultipartUploadAfter: KEEP }],
      removalPolicy: RemovalPolicy.RETAIN,
    })
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Contacts are uploaded only through links that the service signs, once each',
    })
    this.name = bucket.bucketName
    this.mayUse = new ManagedPolicy(this, 'MayUse', {
      statements: [
        new PolicyStatement({
          actions: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
          resources: [bucket.arnForObjects('*')],
        }),
        // Without it S3 answers 403 instead of 404 to a key that is not there.
        new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }),
        new PolicyStatement({
          actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
          resources: [encryptionKey.keyArn],
        }),
      ],
    })
    const bucketId = Stack.of(this).getLogicalId(bucket.node.defaultChild as CfnBucket)
    Validations.of(this.mayUse).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${bucketId}.Arn>/*]`,
      reason: 'Every object of the bucket is a list of contacts',
    })
  }
}
