import {
  CreateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import type { DynamoDBClient, KeySchemaElement } from '@aws-sdk/client-dynamodb'

import { TABLE } from './table.ts'

/** Creates the table on DynamoDB Local; on AWS the CDK stack does it from the same definition. */
export async function createTable(client: DynamoDBClient, tableName: string): Promise<void> {
  const keyAttributes = [TABLE, ...TABLE.indexes].flatMap((keys) => [
    keys.partitionKey,
    keys.sortKey,
  ])
  await client.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: keyAttributes.map((name) => ({
        AttributeName: name,
        AttributeType: 'S',
      })),
      KeySchema: keySchema(TABLE),
      GlobalSecondaryIndexes: TABLE.indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: keySchema(index),
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...index.projected] },
      })),
    }),
  )
  await waitUntilTableExists({ client, minDelay: 1, maxWaitTime: 30 }, { TableName: tableName })
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: tableName,
      TimeToLiveSpecification: { AttributeName: TABLE.ttlAttribute, Enabled: true },
    }),
  )
}

function keySchema(keys: {
  readonly partitionKey: string
  readonly sortKey: string
}): KeySchemaElement[] {
  return [
    { AttributeName: keys.partitionKey, KeyType: 'HASH' },
    { AttributeName: keys.sortKey, KeyType: 'RANGE' },
  ]
}
