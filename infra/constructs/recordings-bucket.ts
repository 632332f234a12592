import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'

export interface RecordingsBucketProps {
  readonly encryptionKey: IKey
  readonly keepDays: number
}

/** Recordings of calls. Who may do what with them stands here, beside them, for roles to take. */
export class RecordingsBucket extends Construct {
  readonly name: string
  readonly mayRead: ManagedPolicy
  readonly mayStore: ManagedPolicy
  readonly #bucket: Bucket
  readonly #encryptionKey: IKey

  constructor(scope: Construct, id: string, { encryptionKey, keepDays }: RecordingsBucketProps) {
    super(scope, id)
    this.#encryptionKey = encryptionKey
    this.#bucket = new Bucket(this, 'Bucket', {
      encryption: BucketEncryption.KMS,
      encryptionKey,
      bucketKeyEnabled: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      lifecycleRules: [{ expiration: Duration.days(keepDays) }],
      removalPolicy: RemovalPolicy.RETAIN,
    })
    Validations.of(this.#bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Recordings are reached only through links that the service signs, for an hour each',
    })
    this.name = this.#bucket.bucketName
    this.mayRead = this.#policy('MayRead', 's3:GetObject', 'kms:Decrypt')
    this.mayStore = this.#policy('MayStore', 's3:PutObject', 'kms:GenerateDataKey')
  }

  #policy(id: string, onObjects: string, onKey: string): ManagedPolicy {
    const policy = new ManagedPolicy(this, id, {
      statements: [
        new PolicyStatement({ actions: [onObjects], resources: [this.#bucket.arnForObjects('*')] }),
        new PolicyStatement({ actions: [onKey], resources: [this.#encryptionKey.keyArn] }),
      ],
    })
    const bucketId = Stack.of(this).getLogicalId(this.#bucket.node.defaultChild as CfnBucket)
    Validations.of(policy).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${bucketId}.Arn>/*]`,
      reason: 'Every object of the bucket is a recording',
    })
    return policy
  }
}
