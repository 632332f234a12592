const LOOK_EVERY_MS = 200

/**
 * Looks again and again until `look` gives something else than null, and gives that. Throws with
 * `what` when it has not come within `withinMs` of real time.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | null> | T | null,
  withinMs = 60_000,
): Promise<T> {
  const giveUpAt = performance.now() + withinMs
  for (;;) {
    const found = await look()
    if (found !== null) return found
    if (performance.now() > giveUpAt) throw new Error(`Not within ${withinMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}
