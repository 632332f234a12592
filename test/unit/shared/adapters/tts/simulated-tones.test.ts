import { expect, it } from 'vitest'

import { simulatedTones } from '#shared/adapters/tts/simulated-tones.ts'
import { ToneWordDecoder } from '#shared/audio/tone-words.ts'

it('tells each word in a chunk of its own, and exactly when it ends', async () => {
  const request = { text: 'Hello, this is Nora.', voice: null, pronunciationDictionaryId: null }
  const chunks = await Array.fromAsync(
    simulatedTones().synthesize(request, new AbortController().signal),
  )
  const decoder = new ToneWordDecoder()
  const heard = chunks.flatMap(({ audio }) => decoder.push(audio))
  expect(chunks.flatMap(({ words }) => words)).toEqual(
    heard.map(({ text, endMs }) => ({ text, endMs })),
  )
  expect(heard.map(({ text }) => text).join(' ')).toBe(request.text)
  expect(chunks).toHaveLength(4)
})
