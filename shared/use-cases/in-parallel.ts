/**
 * Works on items, at most `limit` at once. Every item is worked on, whatever becomes of the others;
 * the first failure is thrown when all of them are done.
 */
export async function inParallel<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = Iterator.from(items)
  const failures: unknown[] = []
  const worker = async () => {
    for (const item of queue) await work(item).catch((error: unknown) => failures.push(error))
  }
  await Promise.all(Array.from({ length: limit }, worker))
  if (failures.length > 0) throw failures[0]
}
