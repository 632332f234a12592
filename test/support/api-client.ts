import { documentedFetch } from './documented-fetch.ts'
import {
  createClient,
  OPERATIONS,
  type OperationId,
  type OperationPath,
  type OperationTag,
  type Ops,
} from './generated/parley-client.ts'

/** What an operation is asked with. */
export type ApiInput<Id extends OperationId> = Ops[Id]['args']
type ApiAnswer<Id extends OperationId> = Ops[Id]['result']

/**
 * The client that is generated from the OpenAPI document. Each exchange is checked against the same
 * document, and throws when it is not what it says.
 */
export function apiClient(options: {
  /** Ends with the base path. */
  readonly baseUrl: string
  readonly key: string
  readonly fetch?: typeof fetch
}) {
  return createClient<Ops, OperationId, OperationPath, OperationTag>(OPERATIONS, {
    serverUrl: options.baseUrl,
    auth: { bearer: options.key },
    errorMode: 'result',
    clientHeader: false,
    fetch: documentedFetch(options.fetch),
  })
}
export type ApiClient = ReturnType<typeof apiClient>

/** Asks for an operation that is named by a value. */
export function askFor<Id extends OperationId>(
  client: ApiClient,
  operation: Id,
  input: ApiInput<Id>,
): Promise<ApiAnswer<Id>> {
  const ask = client[operation] as (given: ApiInput<Id>) => Promise<ApiAnswer<Id>>
  return ask(input)
}

/** The body of a success; throws what the service said otherwise. */
export async function succeeded<R extends { readonly data: unknown; readonly error: unknown }>(
  result: Promise<R>,
): Promise<NonNullable<R['data']>> {
  const { data, error } = await result
  if (error !== undefined) throw new Error(JSON.stringify(error))
  return data as NonNullable<R['data']>
}
