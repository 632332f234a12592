import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readCalleeClips } from '#shared/adapters/stt/callee-clip-audio.ts'
import { newCertificate } from '#test/support/fakes/certificate.ts'
import { OPENAI_KEY, startFakeOpenAiRealtime } from '#test/support/fakes/fake-openai-realtime.ts'
import type { FakeRealtime } from '#test/support/fakes/fake-openai-realtime.ts'
import { manualTimers } from '#test/support/manual-timers.ts'
import { carrierFrames, overTheLine } from '#test/support/telephone-line.ts'

let fake: FakeRealtime
let certificate: ReturnType<typeof newCertificate>
beforeAll(async () => {
  certificate = newCertificate()
  fake = await startFakeOpenAiRealtime({
    tls: certificate,
    timers: manualTimers(),
    brain: ({ toolOutputs, heard }) =>
      toolOutputs.length > 0
        ? { say: `The tool says ${toolOutputs.join()}` }
        : { say: `You said ${heard}`, tools: [{ name: 'book', arguments: { day: 'Tuesday' } }] },
  })
})
afterAll(() => fake[Symbol.asyncDispose]())

describe('the vendor’s own client of realtime_provider_1, with the fake', () => {
  it('configures a session, hears, calls a tool, answers and cuts', async () => {
    const baseURL = fake.url.replace('wss:', 'https:').replace('/realtime', '')
    const client = new OpenAI({ apiKey: OPENAI_KEY, baseURL })
    const options = { ca: certificate.cert }
    const socket = new OpenAIRealtimeWS({ model: 'gpt-realtime', options }, client)
    const next = (type: Parameters<typeof socket.on>[0]) =>
      new Promise<unknown>((resolve, reject) => {
        socket.once(type as 'event', resolve)
        socket.once('error', reject)
      })

    await next('session.created')
    const format = { type: 'audio/pcmu' } as const
    socket.send({
      type: 'session.update',
      session: {
        type: 'realtime',
        instructions: 'You are Nora.',
        audio: { input: { format }, output: { format, voice: 'marin' } },
      },
    })
    await next('session.updated')

    const audio = overTheLine(readCalleeClips().get('tuesday_morning')!, { after: 16_000 })
    const heard = next('conversation.item.input_audio_transcription.completed')
    const called = next('response.function_call_arguments.done')
    const done = next('response.done')
    let spoken = ''
    socket.on('response.output_audio_transcript.delta', ({ delta }) => (spoken += delta))
    for (const frame of carrierFrames(audio)) {
      const base64 = Buffer.from(frame).toString('base64')
      socket.send({ type: 'input_audio_buffer.append', audio: base64 })
    }
    expect(await heard).toMatchObject({ transcript: 'Tuesday morning would be best.' })
    const { call_id } = (await called) as { call_id: string }
    await done

    const item = { type: 'function_call_output', call_id, output: 'ok' } as const
    socket.send({ type: 'conversation.item.create', item })
    socket.send({ type: 'response.create' })
    const { item_id } = (await next('response.output_audio.done')) as { item_id: string }
    expect(spoken).toBe('You said Tuesday morning would be best.The tool says ok')
    socket.send({
      type: 'conversation.item.truncate',
      item_id,
      content_index: 0,
      audio_end_ms: 100,
    })
    await next('conversation.item.truncated')
    socket.close()
  })
})
