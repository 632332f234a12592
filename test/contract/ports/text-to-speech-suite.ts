import { expect, it } from 'vitest'

import { energyOf } from '#shared/audio/goertzel.ts'
import { decodeMulaw } from '#shared/audio/mulaw.ts'
import type { SpeechChunk, SpeechRequest, TextToSpeech } from '#shared/ports/text-to-speech.ts'

const REQUEST: SpeechRequest = {
  text: 'Good morning, my name is Nora.',
  voice: { id: 'voice-1', provider: 'voice_provider_1', speed: 1 },
  pronunciationDictionaryId: null,
}

/** What every implementation of the port does. */
export function textToSpeechSuite(open: () => TextToSpeech): void {
  const speak = (request: Partial<SpeechRequest> = {}): Promise<SpeechChunk[]> =>
    Array.fromAsync(open().synthesize({ ...REQUEST, ...request }, new AbortController().signal))
  const audioOf = (chunks: readonly SpeechChunk[]): Uint8Array =>
    new Uint8Array(Buffer.concat(chunks.map(({ audio }) => audio)))

  it('gives audible mu-law, as long as a sentence takes', async () => {
    const pcm = decodeMulaw(audioOf(await speak()))
    expect(pcm.length / 8_000).toBeGreaterThan(1)
    expect(pcm.length / 8_000).toBeLessThan(6)
    expect(Math.sqrt(energyOf(pcm) / pcm.length)).toBeGreaterThan(500)
  })

  it('names words in order, none later than the audio that came with it', async () => {
    const chunks = await speak()
    const words = chunks.flatMap(({ words }) => words)
    const times = words.map(({ endMs }) => endMs)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    if (words.length > 0) expect(words.map(({ text }) => text).join(' ')).toBe(REQUEST.text)
    expect(times.at(-1) ?? 0).toBeLessThanOrEqual(audioOf(chunks).length / 8)
  })

  it('needs neither voice nor words', async () => {
    expect((await speak({ voice: null })).length).toBeGreaterThan(0)
    expect(audioOf(await speak({ text: ' ' }))).toHaveLength(0)
  })

  it('speaks several sentences at once', async () => {
    const both = await Promise.all([speak({ text: 'Yes.' }), speak()])
    expect(audioOf(both[1]).length).toBeGreaterThan(audioOf(both[0]).length)
  })

  it('keeps the sentences of an utterance apart, each with its own audio and word times', async () => {
    const texts = ['Good morning, my name is Nora.', 'Yes.', 'May I help you today?']
    const said = await Promise.all(texts.map((text) => speak({ text, utterance: 'turn-1' })))
    const alone: SpeechChunk[][] = []
    for (const text of texts) alone.push(await speak({ text }))
    expect(said.map((chunks) => audioOf(chunks).length)).toEqual(
      alone.map((chunks) => audioOf(chunks).length),
    )
    for (const [index, chunks] of said.entries()) {
      const ends = chunks.flatMap(({ words }) => words.map(({ endMs }) => endMs))
      expect(ends.every((endMs) => endMs > 0)).toBe(true)
      expect(ends.at(-1) ?? 0).toBeLessThanOrEqual(Math.ceil(audioOf(said[index]!).length / 8))
    }
  })

  it('goes on with the other sentences of an utterance when one is not wanted any more', async () => {
    const utterance = 'turn-2'
    const voice = open()
    const controller = new AbortController()
    const request = { ...REQUEST, utterance }
    const left = Array.fromAsync(voice.synthesize(request, controller.signal))
    const kept = Array.fromAsync(
      voice.synthesize({ ...request, text: 'And this.' }, new AbortController().signal),
    )
    controller.abort()
    await left.catch((error: unknown) => expect(error).toMatchObject({ name: 'AbortError' }))
    const alone = await speak({ text: 'And this.' })
    expect(audioOf(await kept).length).toBe(audioOf(alone).length)
  })

  it('may be left in the middle of a sentence', async () => {
    const request = { ...REQUEST, utterance: 'turn-3' }
    for await (const chunk of open().synthesize(request, new AbortController().signal)) {
      expect(chunk.audio.length).toBeGreaterThan(0)
      break
    }
    expect(audioOf(await speak({ text: 'Again.', utterance: 'turn-3' })).length).toBeGreaterThan(0)
  })

  it('gives nothing more once it is aborted', async () => {
    const controller = new AbortController()
    const chunks: SpeechChunk[] = []
    controller.abort()
    const reading = (async () => {
      for await (const chunk of open().synthesize(REQUEST, controller.signal)) chunks.push(chunk)
    })()
    await reading.catch((error: unknown) => expect(error).toMatchObject({ name: 'AbortError' }))
    expect(chunks).toEqual([])
  })
}
