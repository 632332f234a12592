import { GoogleGenAI, Modality } from '@google/genai'
import type { LiveServerMessage } from '@google/genai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readCalleeClips } from '#shared/adapters/stt/callee-clip-audio.ts'
import { decodeMulaw } from '#shared/audio/mulaw.ts'
import { Resampler } from '#shared/audio/resample.ts'
import { GEMINI_KEY, startFakeGeminiLive } from '#test/support/fakes/fake-gemini-live.ts'
import type { FakeGeminiLive } from '#test/support/fakes/fake-gemini-live.ts'
import { Happenings } from '#test/support/fakes/happenings.ts'
import { manualTimers } from '#test/support/manual-timers.ts'
import { overTheLine } from '#test/support/telephone-line.ts'

let fake: FakeGeminiLive
beforeAll(async () => {
  fake = await startFakeGeminiLive({
    timers: manualTimers(),
    brain: ({ toolOutputs, heard }) =>
      toolOutputs.length > 0
        ? { say: `The tool says ${toolOutputs.join()}` }
        : { say: `You said ${heard}`, tools: [{ name: 'book', arguments: { day: 'Tuesday' } }] },
  })
})
afterAll(() => fake[Symbol.asyncDispose]())

describe('the vendor’s own client of realtime_provider_2, with the fake', () => {
  it('sets a session up, hears, calls a tool and is told to go away', async () => {
    const messages: LiveServerMessage[] = []
    const happenings = new Happenings()
    const baseUrl = new URL(fake.url.replace('ws:', 'http:')).origin
    const client = new GoogleGenAI({ apiKey: GEMINI_KEY, httpOptions: { baseUrl } })
    const session = await client.live.connect({
      model: 'gemini-live',
      config: { responseModalities: [Modality.AUDIO], inputAudioTranscription: {} },
      callbacks: {
        onmessage: (message) => {
          messages.push(message)
          happenings.note()
        },
      },
    })
    const arrived = (isIt: (message: LiveServerMessage) => unknown) =>
      happenings.until(() => messages.some((message) => Boolean(isIt(message))))
    await arrived((message) => message.setupComplete)
    await arrived((message) => message.sessionResumptionUpdate?.newHandle)

    const line = overTheLine(readCalleeClips().get('tuesday_morning')!, { after: 16_000 })
    const pcm = new Resampler({ fromHz: 8_000, toHz: 16_000 }).push(decodeMulaw(line))
    const data = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength).toString('base64')
    session.sendRealtimeInput({ audio: { data, mimeType: 'audio/pcm;rate=16000' } })
    await arrived((message) => message.toolCall)
    const heard = messages.map((message) => message.serverContent?.inputTranscription?.text ?? '')
    expect(heard.join('')).toBe('Tuesday morning would be best.')
    const call = messages.find((message) => message.toolCall)?.toolCall?.functionCalls?.[0]
    expect(call).toMatchObject({ name: 'book', args: { day: 'Tuesday' } })
    expect(messages.some((message) => (message.data?.length ?? 0) > 0)).toBe(true)

    const { id, name } = call!
    const answer = { id: id!, name: name!, response: { output: 'ok' } }
    session.sendToolResponse({ functionResponses: [answer] })
    await arrived((message) => message.serverContent?.outputTranscription?.text?.includes('ok'))
    fake.goAway()
    await arrived((message) => message.goAway?.timeLeft)
    session.close()
  })
})
