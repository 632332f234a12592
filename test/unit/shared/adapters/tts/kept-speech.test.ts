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

it('keeps nothing that was not said to its end', async () => {
  const voice = countingVoice()
  const kept = keptSpeech(voice)
  const cancel = new AbortController()
  for await (const _chunk of kept.synthesize(request('Hello.'), cancel.signal)) break
  for await (const _chunk of kept.synthesize(request('Hello.'), cancel.signal)) cancel.abort()
  await Array.fromAsync(kept.synthesize(request('Hello.'), signal))
  expect(voice.asked).toHaveLength(3)
})

it('forgets what was unused for longest when there is no room', async () => {
  const voice = countingVoice()
  const kept = keptSpeech(voice, { maxBytes: 250 })
  for (const text of ['a', 'bb', 'a', 'ccc', 'a', 'bb']) {
    await Array.fromAsync(kept.synthesize(request(text), signal))
  }
  expect(voice.asked).toEqual(['a', 'bb', 'ccc', 'bb'])
})
