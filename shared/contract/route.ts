/** What an operation of the service is, as data. */

import type * as z from 'zod'

import type { RateClass } from '#shared/domain/rate-limit.ts'

import type { ProblemCode } from './problem.ts'
import type { Scope } from './scope.ts'

/** `{base_url}` is the host with this path (decisions 1). */
export const BASE_PATH = '/v1'

/** One Lambda each. */
export type Group =
  | 'assistants'
  | 'calls'
  | 'campaigns'
  | 'carrier-events'
  | 'inbound-calls'
  | 'docs'
  | 'phone-numbers'
  | 'users'
  | 'voices'
  | 'api-keys'
  | 'connections'
  | 'webhook-endpoints'
  | 'suppressions'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly group: Group
  /**
   * `key`: an API key with the scope; `carrier`: the handler checks the carrier's own signature;
   * `none`: everybody may read it.
   */
  readonly auth: 'key' | 'carrier' | 'none'
  readonly scope: Scope | null
  /** The answer holds a secret that is shown once: kept for repetitions, it is sealed. */
  readonly isShownOnce?: true
  /** Which of an organization's rates it counts against; absent: the default one. */
  readonly rate?: RateClass
  /** What the variables of the path look like; another text there names nothing. */
  readonly params: z.ZodType<Readonly<Record<string, string>>>
  /** The parameters after the `?`; absent where they mean nothing. */
  readonly query?: z.ZodType
  /** Null where a body means nothing. */
  readonly body: z.ZodType | null
  /** Where a body may be larger than others: how large, and what is said beyond that. */
  readonly largeBody?: { readonly bytesMax: number; readonly beyond: ProblemCode }
  readonly response: z.ZodType | null
}

/** Whether an operation takes an `Idempotency-Key`: it is no reading and could be done twice. */
export function takesIdempotencyKey(route: Pick<Route, 'method' | 'scope'>): boolean {
  return route.method === 'POST' && route.scope?.endsWith(':write') === true
}
