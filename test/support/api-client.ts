import type { z } from 'zod'

import { problemSchema, type Problem } from '#shared/contract/problem.ts'
import { type OperationId, type ResponseOf, type Route, routes } from '#shared/contract/routes.ts'

/** A schema that drops what only the service sets takes what the schema behind it takes. */
type InputOf<S> =
  S extends z.ZodPreprocess<infer Inner> ? z.input<Inner> : S extends z.ZodType ? z.input<S> : never
type RouteOf<Id extends OperationId> = (typeof routes)[Id]
type IsOptional<Value> = [Value] extends [Readonly<Record<string, never>>]
  ? true
  : Partial<Value> extends Value
    ? true
    : false
type Part<Name extends string, Value> = [Value] extends [never]
  ? { readonly [K in Name]?: undefined }
  : IsOptional<Value> extends true
    ? { readonly [K in Name]?: Value }
    : { readonly [K in Name]: Value }

/** What an operation is asked with, by the schemas of its route; empty parts may be left out. */
export type ApiInput<Id extends OperationId> = Part<'params', InputOf<RouteOf<Id>['params']>> &
  Part<'body', InputOf<RouteOf<Id>['body']>> &
  Part<'query', RouteOf<Id> extends { readonly query: infer Query } ? InputOf<Query> : never> & {
    readonly headers?: Readonly<Record<string, string>>
  }

export type ApiResult<Id extends OperationId> = {
  readonly headers: Readonly<Record<string, string>>
} & (
  | { readonly status: 200; readonly body: ResponseOf<Id> }
  | {
      readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500 | 503
      readonly body: Problem
    }
)

/** How requests travel; `target` is path and query below the base path. */
export type Transport = (request: {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}) => Promise<{
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}>

/**
 * A client whose operations, inputs and answers are typed by the route table, as a client generated
 * from the OpenAPI document is. Every answer is checked against the schema that it is typed with.
 */
export function apiClient(transport: Transport, key: string) {
  return async <Id extends OperationId>(id: Id, input: ApiInput<Id>): Promise<ApiResult<Id>> => {
    const route: Route = routes[id]
    const { params, query, body, headers } = input as {
      readonly params?: Readonly<Record<string, string>>
      readonly query?: QueryValues
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
    }
    const answer = await transport({
      method: route.method,
      target: targetOf(route.path, params ?? {}, query ?? {}),
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const content: unknown = JSON.parse(answer.text)
    const schema = answer.status === 200 ? route.response : problemSchema
    const checked = schema === null ? content : schema.parse(content)
    return { status: answer.status, headers: answer.headers, body: checked } as ApiResult<Id>
  }
}
export type ApiClient = ReturnType<typeof apiClient>

/** Sends over HTTP to a server that runs; `baseUrl` ends with the base path. */
export function httpTransport(baseUrl: string): Transport {
  return async ({ target, ...request }) => {
    const response = await fetch(baseUrl + target, request)
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: await response.text(),
    }
  }
}

/** The body of a success; throws what the service said otherwise. */
export function succeeded<Id extends OperationId>(result: ApiResult<Id>): ResponseOf<Id> {
  if (result.status !== 200) throw new Error(JSON.stringify(result.body))
  return result.body
}

type QueryValues = Readonly<Record<string, string | number | boolean | null | undefined>>

function targetOf(
  path: string,
  params: Readonly<Record<string, string>>,
  query: QueryValues,
): string {
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined || value === null ? [] : [[name, String(value)]],
    ),
  ).toString()
  return search === '' ? place : `${place}?${search}`
}
