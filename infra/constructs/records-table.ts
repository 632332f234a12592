import { RemovalPolicy } from 'aws-cdk-lib'
import { AttributeType, ProjectionType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb'
import { type IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import { Construct } from 'constructs'

import { TABLE } from '#shared/data/table.ts'

import { grantUseOf } from './encryption-key.ts'

/** What the repositories do; a transaction needs the rights of its parts. */
const ACTIONS = ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem']

/** The one table of the service, from the definition that the repositories use. */
export class RecordsTable extends Construct {
  readonly name: string
  readonly #table: TableV2
  readonly #encryptionKey: IKey

  constructor(scope: Construct, id: string, encryptionKey: IKey) {
    super(scope, id)
    this.#encryptionKey = encryptionKey
    this.#table = new TableV2(this, 'Table', {
      ...keysOf(TABLE),
      globalSecondaryIndexes: TABLE.indexes.map((index) => ({
        indexName: index.name,
        ...keysOf(index),
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: [...index.projected],
      })),
      timeToLiveAttribute: TABLE.ttlAttribute,
      encryption: TableEncryptionV2.customerManagedKey(encryptionKey),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    })
    this.name = this.#table.tableName
  }

  /** Reading and writing of items; no scan, and nothing that changes the table itself. */
  grantUse(role: IRole): void {
    const { tableArn } = this.#table
    const indexes = TABLE.indexes.map(({ name }) => `${tableArn}/index/${name}`)
    role.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ACTIONS.map((action) => `dynamodb:${action}`),
        resources: [tableArn, ...indexes],
      }),
    )
    grantUseOf(this.#encryptionKey, role)
  }
}

function keysOf(keys: { readonly partitionKey: string; readonly sortKey: string }) {
  return {
    partitionKey: { name: keys.partitionKey, type: AttributeType.STRING },
    sortKey: { name: keys.sortKey, type: AttributeType.STRING },
  }
}
