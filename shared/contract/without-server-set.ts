import * as z from 'zod'

/**
 * Drops the fields that only the service sets before a strict object sees them, so that a record can
 * be read, changed and sent back as it is (decisions 1). Every other unknown field stays an error.
 */
export function withoutServerSet<Schema extends z.ZodType>(
  serverSet: readonly string[],
  schema: Schema,
) {
  return z.preprocess((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).filter(([key]) => !serverSet.includes(key)))
  }, schema)
}
