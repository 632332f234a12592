import { BASE_PATH, type Route } from './route.ts'
import { type OperationId, routes } from './routes.ts'

export type RouteMatch =
  | {
      readonly kind: 'found'
      readonly id: OperationId
      readonly params: Readonly<Record<string, string>>
    }
  /** The path is known, with these other methods. */
  | { readonly kind: 'wrongMethod'; readonly allow: readonly string[] }
  | { readonly kind: 'unknown' }

/** Finds the operation that a request names; `path` with the base path, without a query. */
export function matchRoute(request: {
  readonly method: string
  readonly path: string
}): RouteMatch {
  const onPath = operations.flatMap(([id, route]) => {
    const params = matchTemplate(BASE_PATH + route.path, request.path)
    return params === null ? [] : [{ id, route, params }]
  })
  const match = onPath.find(({ route }) => route.method === request.method)
  if (match !== undefined) return { kind: 'found', id: match.id, params: match.params }
  return onPath.length === 0
    ? { kind: 'unknown' }
    : { kind: 'wrongMethod', allow: onPath.map(({ route }) => route.method).toSorted() }
}

const operations = Object.entries(routes) as [OperationId, Route][]

/** `/call/{id}` and `/call/x` give `{id: 'x'}`. */
function matchTemplate(template: string, path: string): Record<string, string> | null {
  const wanted = template.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const text = given[index] ?? ''
    const isVariable = part.startsWith('{') && text !== ''
    if (!isVariable && part !== text) return null
    if (isVariable) params[part.slice(1, -1)] = decoded(text)
  }
  return params
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
