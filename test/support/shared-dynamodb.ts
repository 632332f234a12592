import type { TestProject } from 'vitest/node'

import { startDynamoDb } from './dynamodb.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Null: the run was started with `STORES=memory`. */
    readonly dynamoDbEndpoint: string | null
  }
}

/** One DynamoDB Local for all files of a test run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (process.env['STORES'] === 'memory') {
    project.provide('dynamoDbEndpoint', null)
    return () => Promise.resolve()
  }
  const database = await startDynamoDb()
  project.provide('dynamoDbEndpoint', database.endpoint)
  return database.stop
}
