import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'

/** The SDK makes a request up to four times, with the same token, and gives each 3 s. */
const TRIES_MAX = 4
const CONNECTION_TIMEOUT_MS = 1_000
const REQUEST_TIMEOUT_MS = 3_000
/** Enough that no request waits for another one's connection: waiting counts as connecting. */
const CONNECTIONS_MAX = 200
/** DynamoDB Local shares a machine with everything else. */
const LOCAL_PATIENCE = 10

/**
 * The client that all repositories of a process share. With an `endpoint` it speaks to DynamoDB
 * Local, which takes any credentials; without one the environment says region and credentials.
 */
export function documentClient(
  options: { readonly endpoint?: string | undefined } = {},
): DynamoDBDocumentClient {
  const { endpoint } = options
  const patience = endpoint === undefined ? 1 : LOCAL_PATIENCE
  const client = new DynamoDBClient({
    ...(endpoint !== undefined && {
      endpoint,
      region: 'local',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
    maxAttempts: TRIES_MAX,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS * patience,
      requestTimeout: REQUEST_TIMEOUT_MS * patience,
      httpAgent: { keepAlive: true, maxSockets: CONNECTIONS_MAX },
      httpsAgent: { keepAlive: true, maxSockets: CONNECTIONS_MAX },
      throwOnRequestTimeout: true,
    },
  })
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } })
}
