/** Everything that this file handed out: it never changes, so it need not be copied again. */
const frozen = new WeakSet<object>()

/**
 * A deep copy that nobody can change: what is stored in memory is shared with nobody's hands. The
 * parts that a changed record has in common with the stored one are shared between the two.
 */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return value
  const copy = Object.freeze(copyOf(value)) as T & object
  frozen.add(copy)
  return copy
}

function copyOf(value: object): object {
  if (Array.isArray(value)) return value.map((item: unknown) => frozenCopy(item))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return structuredClone(value)
  return Object.fromEntries(
    Object.entries(value).map(([name, part]: [string, unknown]) => [name, frozenCopy(part)]),
  )
}
