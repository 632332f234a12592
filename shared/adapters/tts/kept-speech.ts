import type { SpeechChunk, SpeechRequest, TextToSpeech } from '#shared/ports/text-to-speech.ts'

/** About an hour of speech. */
const DEFAULT_MAX_BYTES = 32_000_000

/**
 * Sentences that are said in many calls (`isFixed`) are synthesised once: whoever said one to its end
 * has it kept, in memory, for the others. The longest unused ones go first.
 */
export function keptSpeech(
  voice: TextToSpeech,
  { maxBytes = DEFAULT_MAX_BYTES }: { readonly maxBytes?: number } = {},
): TextToSpeech {
  /** Oldest use first. */
  const kept = new Map<string, readonly SpeechChunk[]>()
  let bytes = 0

  function keep(key: string, chunks: readonly SpeechChunk[]): void {
    forget(key)
    if (sizeOf(chunks) > maxBytes) return
    kept.set(key, chunks)
    bytes += sizeOf(chunks)
    for (const [oldest] of kept) {
      if (bytes <= maxBytes) break
      forget(oldest)
    }
  }

  function forget(key: string): void {
    bytes -= sizeOf(kept.get(key) ?? [])
    kept.delete(key)
  }

  async function* synthesize(
    request: SpeechRequest,
    signal: AbortSignal,
  ): AsyncGenerator<SpeechChunk> {
    const key = JSON.stringify([request.voice, request.pronunciationDictionaryId, request.text])
    const known = kept.get(key)
    if (known !== undefined) {
      keep(key, known)
      yield* known
      return
    }
    const chunks: SpeechChunk[] = []
    for await (const chunk of voice.synthesize(request, signal)) {
      chunks.push(chunk)
      yield chunk
    }
    if (!signal.aborted) keep(key, chunks)
  }

  return {
    synthesize: (request, signal) =>
      request.isFixed === true ? synthesize(request, signal) : voice.synthesize(request, signal),
  }
}

function sizeOf(chunks: readonly SpeechChunk[]): number {
  return chunks.reduce((sum, { audio }) => sum + audio.length, 0)
}
