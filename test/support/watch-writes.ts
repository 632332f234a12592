/** What only looks. Everything else that ports offer leaves something behind. */
const LOOKING =
  /^(is|find|list|next|count|search|get|open|url|now|random|from|info|warn|error|read)/

/** Part of every request, whatever becomes of it: counting it, and noting that it is worked on. */
const AROUND_REQUESTS: ReadonlySet<string> = new Set(['rateLimits', 'idempotency'])

/**
 * Ports that remember what was left behind through them, as `port.method`. A save that lost a
 * conflict left nothing. `afterWrite` may throw, as if the process had died then.
 */
export function watchWrites<Ports extends object>(
  ports: Ports,
  afterWrite: (count: number) => void = () => {},
): { ports: Ports; writes: string[] } {
  const writes: string[] = []
  const watched = Object.fromEntries(
    Object.entries(ports).map(([name, port]) => [
      name,
      AROUND_REQUESTS.has(name) || typeof port !== 'object' || port === null
        ? port
        : watchedPort(name, port as object, (what) => {
            writes.push(what)
            afterWrite(writes.length)
          }),
    ]),
  )
  return { ports: watched as Ports, writes }
}

function watchedPort(name: string, port: object, onWrite: (what: string) => void): object {
  return new Proxy(port, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function' || LOOKING.test(String(property))) return value
      return async (...given: unknown[]) => {
        const result: unknown = await Reflect.apply(value, target, given)
        if (!isConflict(result)) onWrite(`${name}.${String(property)}`)
        return result
      }
    },
  })
}

function isConflict(result: unknown): boolean {
  return result === false || (result as { kind?: unknown } | undefined)?.kind === 'conflict'
}
