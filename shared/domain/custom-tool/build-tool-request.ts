/** What is sent when a model calls a custom tool (spec 2.4); plain data, byte for byte. */

import type { CustomTool, HttpMethod, KeyValue, StructuredOutputField } from '../assistant.ts'

export interface ToolRequest {
  readonly method: HttpMethod
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** `refused`: nothing may be sent; `reason` is for the model, which can call the tool again. */
export type BuiltToolRequest =
  | { readonly kind: 'ready'; readonly request: ToolRequest }
  | { readonly kind: 'refused'; readonly reason: string }

type Values = Readonly<Record<string, unknown>>

const PLACEHOLDER = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g
const ONLY_PLACEHOLDER = /^\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}$/

/**
 * Fills the templates of a tool. `argumentsJson` is what the model wrote; its values win over the
 * call's prompt variables of the same name.
 */
export function buildToolRequest(
  tool: CustomTool,
  argumentsJson: string,
  variables: Readonly<Record<string, string>>,
): BuiltToolRequest {
  const given = parseObject(argumentsJson)
  if (given === null) return refused('The arguments are no JSON object.')
  const problem = problemOf(tool.inputSchema, given)
  if (problem !== null) return refused(problem)
  const values = { ...variables, ...given }
  const hole = Array.from(tool.url.matchAll(PLACEHOLDER), ([, name = '']) => name).find(
    (name) => !hasValue(values, name),
  )
  if (hole !== undefined) return refused(`The address needs a value for ${hole}.`)
  const body = tool.method === 'GET' ? null : bodyOf(tool.bodyTemplate, values)
  if (body === undefined) return refused('The body template of this tool is no JSON.')
  const request = {
    method: tool.method,
    url: urlOf(tool, values),
    headers: headersOf(tool.headers, values, body !== null),
    body,
  }
  return { kind: 'ready', request }
}

function parseObject(json: string): Values | null {
  try {
    const value: unknown = JSON.parse(json.trim() === '' ? '{}' : json)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Values) : null
  } catch {
    return null
  }
}

/** The first thing that is wrong with the arguments, for the model to read. */
function problemOf(fields: readonly StructuredOutputField[], given: Values): string | null {
  for (const field of fields) {
    const value = Object.hasOwn(given, field.name) ? given[field.name] : undefined
    if (value === undefined || value === null) {
      if (field.required) return `The argument ${field.name} is missing.`
      continue
    }
    const isRight =
      field.type === 'number' || field.type === 'boolean'
        ? typeof value === field.type
        : typeof value === 'string'
    if (!isRight) return `The argument ${field.name} is no ${kindOf(field)}.`
    if (field.type === 'enum' && !(field.enumOptions ?? []).includes(value as string)) {
      return `The argument ${field.name} is none of: ${(field.enumOptions ?? []).join(', ')}.`
    }
  }
  return null
}

function kindOf({ type }: StructuredOutputField): string {
  return type === 'enum' ? 'string' : type
}

function hasValue(values: Values, name: string): boolean {
  return Object.hasOwn(values, name) && values[name] !== undefined && values[name] !== null
}

/** In the middle of a text a value is its words; one that is missing leaves nothing. */
function filled(template: string, values: Values, encode = (text: string) => text): string {
  return template.replace(PLACEHOLDER, (_placeholder, name: string) =>
    hasValue(values, name) ? encode(wordsOf(values[name])) : '',
  )
}

function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(wordsOf).join(',')
  return JSON.stringify(value)
}

/** Values are encoded in the address, and parameters without a value are left out. */
function urlOf(tool: CustomTool, values: Values): string {
  const url = filled(tool.url, values, encodeURIComponent)
  const pairs = withValues(tool.queryParams, values).map(
    ({ key, value }) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`,
  )
  if (pairs.length === 0) return url
  const [address = '', fragment] = url.split('#', 2)
  const joined = `${address}${address.includes('?') ? '&' : '?'}${pairs.join('&')}`
  return fragment === undefined ? joined : `${joined}#${fragment}`
}

/** No value may begin a header of its own. */
function headersOf(
  headers: readonly KeyValue[],
  values: Values,
  hasBody: boolean,
): Readonly<Record<string, string>> {
  const given = withValues(headers, values).map(
    ({ key, value }) => [key.toLowerCase(), value.replaceAll(/\p{Cc}+/gu, ' ').trim()] as const,
  )
  return {
    ...(hasBody && { 'content-type': 'application/json' }),
    ...Object.fromEntries(given),
  }
}

/** Those whose template has nothing but values that are missing are left out. */
function withValues(pairs: readonly KeyValue[], values: Values): readonly KeyValue[] {
  return pairs
    .filter(({ value }) => {
      const only = ONLY_PLACEHOLDER.exec(value)?.[1]
      return only === undefined || hasValue(values, only)
    })
    .map(({ key, value }) => ({ key, value: filled(value, values) }))
}

/** Undefined when the template is no JSON. */
function bodyOf(template: string | null, values: Values): string | null | undefined {
  if (template === null || template.trim() === '') return null
  try {
    const tree: unknown = JSON.parse(withQuotes(template))
    return JSON.stringify(filledTree(tree, values))
  } catch {
    return undefined
  }
}

/** `{{count}}` outside of a string is meant like `"{{count}}"`. */
function withQuotes(template: string): string {
  return template.replaceAll(/"(?:[^"\\]|\\.)*"|\{\{\s*\w+\s*\}\}/g, (token) =>
    token.startsWith('"') ? token : JSON.stringify(token),
  )
}

/** A string that is one placeholder becomes the value itself, whatever its type; null when missing. */
function filledTree(node: unknown, values: Values): unknown {
  if (typeof node === 'string') {
    const only = ONLY_PLACEHOLDER.exec(node)?.[1]
    if (only !== undefined) return hasValue(values, only) ? values[only] : null
    return filled(node, values)
  }
  if (Array.isArray(node)) return node.map((each) => filledTree(each, values))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, filledTree(value, values)]),
  )
}

function refused(reason: string): BuiltToolRequest {
  return { kind: 'refused', reason }
}
