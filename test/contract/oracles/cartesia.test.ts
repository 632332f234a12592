import { createRequire } from 'node:module'

import type CartesiaClient from '@cartesia/cartesia-js'
import type * as wsClient from '@cartesia/cartesia-js/resources/tts/ws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { ToneWordDecoder } from '#shared/audio/tone-words.ts'
import { newCertificate } from '#test/support/fakes/certificate.ts'
import { CARTESIA_KEY, startFakeCartesia } from '#test/support/fakes/fake-cartesia.ts'
import type { FakeVoice } from '#test/support/fakes/fake-cartesia.ts'

// As an ES module the client cannot be told which certificates to trust.
const require = createRequire(import.meta.url)
const Cartesia: typeof CartesiaClient = require('@cartesia/cartesia-js').default
const { TTSWS }: typeof wsClient = require('@cartesia/cartesia-js/resources/tts/ws')

let fake: FakeVoice
let certificate: ReturnType<typeof newCertificate>
beforeAll(async () => {
  certificate = newCertificate()
  fake = await startFakeCartesia({ tls: certificate })
})
afterAll(() => fake[Symbol.asyncDispose]())

/** The client forces `wss:`, so the fake speaks TLS. */
async function connect(): Promise<wsClient.TTSWS> {
  const baseURL = fake.url.replace('wss:', 'https:').replace('/tts/websocket', '')
  const client = new Cartesia({ apiKey: CARTESIA_KEY, baseURL })
  const socket = new TTSWS(client, { ca: certificate.cert })
  await socket.connect()
  return socket
}

const SETTINGS = {
  model_id: 'sonic-3.5',
  voice: { mode: 'id', id: 'voice-1' },
  output_format: { container: 'raw', encoding: 'pcm_mulaw', sample_rate: 8_000 },
  add_timestamps: true,
} as const

describe('the vendor’s own client of voice_provider_1, with the fake', () => {
  it('speaks continuations in one context, with word times', async () => {
    const socket = await connect()
    const context = socket.context({ ...SETTINGS, contextId: 'turn', max_buffer_delay_ms: 0 })
    await context.push({ transcript: 'One two. ' })
    await context.push({ transcript: 'Three. ' })
    await context.no_more_inputs()
    const audio: Uint8Array[] = []
    const words: string[] = []
    const types = new Set<string>()
    for await (const event of context.receive()) {
      types.add(event.type)
      if (event.type === 'chunk') audio.push(event.audio!)
      if (event.type === 'timestamps') words.push(...(event.word_timestamps?.words ?? []))
    }
    expect(words.join(' ')).toBe('One two. Three.')
    const heard = new ToneWordDecoder().push(
      Buffer.concat([...audio, new Uint8Array(800).fill(255)]),
    )
    expect(heard.map(({ text }) => text).join(' ')).toBe('One two. Three.')
    expect([...types].toSorted()).toEqual(['chunk', 'done', 'flush_done', 'timestamps'])
    socket.close()
  })

  it('cancels, and is told of errors', async () => {
    const socket = await connect()
    socket.on('error', () => undefined)
    const cancelled = socket.context({ ...SETTINGS, contextId: 'cancelled' })
    await cancelled.push({ transcript: 'One two three four. ' })
    await cancelled.cancel()
    await fake.until(() => fake.openContexts() === 0)
    const wrong = socket.context({ ...SETTINGS, contextId: 'wrong', model_id: 'unknown' })
    await wrong.push({ transcript: 'One. ' })
    await expect(Array.fromAsync(wrong.receive())).rejects.toThrow('unknown model')
    socket.close()
  })
})
