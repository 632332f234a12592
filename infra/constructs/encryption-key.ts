import { RemovalPolicy } from 'aws-cdk-lib'
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { type IKey, Key } from 'aws-cdk-lib/aws-kms'
import type { Construct } from 'constructs'

/** The service's own key for what it remembers. */
export function encryptionKey(scope: Construct, id: string): Key {
  return new Key(scope, id, {
    description: 'Parley: records and recordings',
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.RETAIN,
  })
}

/** What reading and writing of data under a key takes. */
export function grantUseOf(key: IKey, role: IRole): void {
  const actions = ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey']
  role.addToPrincipalPolicy(new PolicyStatement({ actions, resources: [key.keyArn] }))
}
