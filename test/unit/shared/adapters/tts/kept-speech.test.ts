import { expect, it } from 'vitest'

import { keptSpeech } from '#shared/adapters/tts/kept-speech.ts'
import type { SpeechRequest, TextToSpeech } from '#shared/ports/text-to-speech.ts'

/** Every sentence is 100 bytes, in two pieces. */
function countingVoice(): TextToSpeech & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    async *synthesize({ text }) {
      asked.push(text)
      const audio = new Uint8Array(50).fill(text.length)
      yield { audio, words: [] }
      yield { audio, words: [{ text, endMs: 12 }] }
    },
  }
}

const request = (text: string, changes: Partial<SpeechRequest> = {}): SpeechRequest => ({
  text,
  voice: null,
  pronunciationDictionaryId: null,
  isFixed: true,
  ...changes,
})
const { signal } = new AbortController()

it('synthesises a fixed sentence once for each voice and dictionary', async () => {
  const voice = countingVoice()
  const kept = keptSpeech(voice)
  const say = (one: SpeechRequest) => Array.fromAsync(kept.synthesize(one, signal))
  const first = await say(request('Hello.'))
  expect(await say(request('Hello.', { utterance: 'other' }))).toEqual(first)
  expect(voice.asked).toEqual(['Hello.'])
  await say(request('Hello.', { pronunciationDictionaryId: 'dict' }))
  await say(request('Hello.', { voice: { id: 'vp2-maya', provider: 'voice_provider_2' } }))
  await say(request('Hello.', { isFixed: false }))
  expect(voice.asked).toHaveLength(4)
})

/** Speaks a piece whenever it is let. */
function slowVoice() {
  const asked: { readonly text: string; readonly signal: AbortSignal }[] = []
  let next = Promise.withResolvers<void>()
  const voice: TextToSpeech = {
    async *synthesize({ text }, cancelled) {
      asked.push({ text, signal: cancelled })
      for (const byte of [1, 2]) {
        await next.promise
        if (cancelled.aborted) return
        yield { audio: new Uint8Array(50).fill(byte), words: [] }
      }
    },
  }
  const speak = async () => {
    const { resolve } = next
    next = Promise.withResolvers()
    resolve()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const failWith = async (reason: Error) => {
    next.reject(reason)
    next = Promise.withResolvers()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { voice, asked, speak, failWith }
}

it('synthesises once for those who ask at the same time, from the beginning for each', async () => {
  const { voice, asked, speak } = slowVoice()
  const kept = keptSpeech(voice)
  const first = Array.fromAsync(kept.synthesize(request('Hello.'), signal))
  await speak()
  const second = Array.fromAsync(kept.synthesize(request('Hello.'), signal))
  await speak()
  expect(await first).toHaveLength(2)
  expect(await second).toEqual(await first)
  expect(asked).toHaveLength(1)
})

it('goes on for the others when one has heard enough, and stops with the last', async () => {
  const { voice, asked, speak } = slowVoice()
  const kept = keptSpeech(voice)
  const cancel = new AbortController()
  const gone = Array.fromAsync(kept.synthesize(request('Hello.'), cancel.signal)).catch(
    () => 'gone',
  )
  const other = kept.synthesize(request('Hello.'), signal)[Symbol.asyncIterator]()
  const piece = other.next()
  await speak()
  cancel.abort()
  await gone
  expect(asked[0]!.signal.aborted).toBe(false)
  await piece
  await other.return?.()
  expect(asked[0]!.signal.aborted).toBe(true)
  const afresh = Array.fromAsync(kept.synthesize(request('Hello.'), signal))
  await speak()
  await speak()
  expect(await afresh).toHaveLength(2)
  expect(asked).toHaveLength(2)
})

it('keeps nothing of what failed', async () => {
  const { voice, asked, speak, failWith } = slowVoice()
  const kept = keptSpeech(voice)
  const both = [1, 2].map(() => Array.fromAsync(kept.synthesize(request('Hello.'), signal)))
  const failures = Promise.allSettled(both)
  await speak()
  await failWith(new Error('broken'))
  expect((await failures).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const afresh = Array.fromAsync(kept.synthesize(request('Hello.'), signal))
  await speak()
  await speak()
  expect(await afresh).toHaveLength(2)
  expect(asked).toHaveLength(2)
})

it('forgets what was unused for longest when there is no room', async () => {
  const voice = countingVoice()
  const kept = keptSpeech(voice, { maxBytes: 250 })
  for (const text of ['a', 'bb', 'a', 'ccc', 'a', 'bb']) {
    await Array.fromAsync(kept.synthesize(request(text), signal))
  }
  expect(voice.asked).toEqual(['a', 'bb', 'ccc', 'bb'])
})
