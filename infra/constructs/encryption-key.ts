import { RemovalPolicy } from 'aws-cdk-lib'
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { type IKey, Key } from 'aws-cdk-lib/aws-kms'
import type { Construct } from 'constructs'

/** A key of the service's own; `what` says what is encrypted with it. */
export function encryptionKey(scope: Construct, id: string, what: string): Key {
  return new Key(scope, id, {
    description: `Parley: ${what}`,
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.RETAIN,
  })
}

/** What reading and writing of data under a key takes. */
export function grantUseOf(key: IKey, role: IRole): void {
  const actions = ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey']
  role.addToPrincipalPolicy(new PolicyStatement({ actions, resources: [key.keyArn] }))
}

/** Making and opening of the data keys that customers' secrets are sealed with, and of no others. */
export function grantSealing(key: IKey, role: IRole): void {
  role.addToPrincipalPolicy(
    new PolicyStatement({
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: [key.keyArn],
      // As `kms-secret-box.ts` names it.
      conditions: { StringEquals: { 'kms:EncryptionContext:purpose': 'customer-secrets' } },
    }),
  )
}
