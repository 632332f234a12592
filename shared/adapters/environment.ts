/** Environment variables as adapters are configured with them. An empty one counts as missing. */
export type Environment = Readonly<Record<string, string | undefined>>

export function textOf(environment: Environment, name: string): string | undefined {
  return environment[name] || undefined
}

/** Throws a RangeError that names the variable and the rule. */
export function numberOf(
  environment: Environment,
  name: string,
  range: { readonly min: number; readonly max: number },
): number | undefined {
  const text = textOf(environment, name)
  if (text === undefined) return undefined
  const number = Number(text)
  if (number >= range.min && number <= range.max) return number
  throw new RangeError(`${name} must be a number from ${range.min} to ${range.max}`)
}

/** An address of one of these schemes, for example `['ws:', 'wss:']`. Throws RangeError. */
export function urlOf(
  environment: Environment,
  name: string,
  schemes: readonly string[],
): string | undefined {
  const text = textOf(environment, name)
  if (text === undefined) return undefined
  if (URL.canParse(text) && schemes.includes(new URL(text).protocol)) return text
  throw new RangeError(`${name} must be a URL that begins with ${schemes.join('// or ')}//`)
}

/** A JSON object whose values are texts. Throws RangeError. */
export function textMapOf(
  environment: Environment,
  name: string,
): Readonly<Record<string, string>> | undefined {
  const text = textOf(environment, name)
  if (text === undefined) return undefined
  try {
    const map: unknown = JSON.parse(text)
    const isMap = typeof map === 'object' && map !== null && !Array.isArray(map)
    if (isMap && Object.values(map).every((value) => typeof value === 'string')) {
      return map as Record<string, string>
    }
  } catch {
    // Told below.
  }
  throw new RangeError(`${name} must be a JSON object of strings`)
}
