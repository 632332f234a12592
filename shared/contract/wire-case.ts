/** The domain says `firstName`, the wire says `first_name`: one converter for every record. */

/**
 * Maps whose inner keys belong to the customer and are passed on untouched; named as on the wire.
 * The map's own name is converted like any other.
 */
export const OPAQUE_MAPS = [
  'input_data',
  'meeting_links',
  'metadata',
  'prompt_variables',
  'structured_output',
  'tool_arguments',
] as const
type OpaqueMap = (typeof OPAQUE_MAPS)[number]

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : S
type Snake<S extends string> = S extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Tail>}`
  : S

/** A wire type in the domain's spelling. */
export type CamelKeys<T> = T extends readonly (infer Item)[]
  ? readonly CamelKeys<Item>[]
  : T extends object
    ? {
        readonly [K in keyof T as K extends string ? Camel<K> : K]: K extends OpaqueMap
          ? T[K]
          : CamelKeys<T[K]>
      }
    : T

/** A domain type in the wire's spelling. */
export type SnakeKeys<T> = T extends readonly (infer Item)[]
  ? SnakeKeys<Item>[]
  : T extends object
    ? {
        -readonly [K in keyof T as K extends string ? Snake<K> : K]: K extends Camel<OpaqueMap>
          ? T[K]
          : SnakeKeys<T[K]>
      }
    : T

const opaque: ReadonlySet<string> = new Set(OPAQUE_MAPS)

/** Renames every key of a wire record to camelCase, except inside opaque maps. */
export function camelKeys<T>(value: T): CamelKeys<T> {
  return renameKeys(value, camelName) as CamelKeys<T>
}

/** Renames every key of a domain record to snake_case, except inside opaque maps. */
export function snakeKeys<T>(value: T): SnakeKeys<T> {
  return renameKeys(value, snakeName) as SnakeKeys<T>
}

function renameKeys(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, rename))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      rename(key),
      opaque.has(snakeName(key)) ? inner : renameKeys(inner, rename),
    ]),
  )
}

function camelName(key: string): string {
  return key.replaceAll(/_([a-z0-9])/g, (_, character: string) => character.toUpperCase())
}

/** `firstName` is `first_name`. */
export function snakeName(key: string): string {
  return key.replaceAll(/[A-Z]/g, (character) => `_${character.toLowerCase()}`)
}
