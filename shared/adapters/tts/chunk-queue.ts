/** Chunks from a socket's callbacks to one reader; those before an error are still read. */
export class ChunkQueue<T> implements AsyncIterable<T> {
  readonly #chunks: T[] = []
  #end: { readonly error: unknown } | null = null
  #wake: () => void = () => undefined

  get isOver(): boolean {
    return this.#end !== null
  }

  push(chunk: T): void {
    if (this.#end !== null) return
    this.#chunks.push(chunk)
    this.#wake()
  }

  /** `error` null: everything was said. */
  end(error: unknown): void {
    this.#end ??= { error }
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const chunk = this.#chunks.shift()
      if (chunk !== undefined) yield chunk
      else if (this.#end === null) await new Promise<void>((resolve) => (this.#wake = resolve))
      else if (this.#end.error !== null) throw this.#end.error
      else return
    }
  }
}
