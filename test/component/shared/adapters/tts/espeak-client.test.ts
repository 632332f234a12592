import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { afterEach, describe, expect, it } from 'vitest'

import { EspeakClient } from '#shared/adapters/tts/espeak-client.ts'
import { simulatedVoice } from '#shared/adapters/tts/simulated-voice.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'

const HELLO = { text: 'Hello', voice: 'en-us', wordsPerMinute: 170 }
const espeak = { client: new EspeakClient() }

afterEach(async () => {
  await espeak.client.close()
  espeak.client = new EspeakClient()
})

describe('EspeakClient', () => {
  it('speaks with one program, whatever the text', async () => {
    const [a, b] = await Promise.all([
      espeak.client.speak(HELLO),
      espeak.client.speak({ ...HELLO, text: '--help "quoted"\nand\u2028more' }),
    ])
    const pid = espeak.client.pid
    expect(a).toMatchObject({ encoding: 'pcm16', sampleRateHz: 22_050, channels: 1 })
    expect(b.data.length).toBeGreaterThan(a.data.length)
    await espeak.client.speak(HELLO)
    expect(espeak.client.pid).toBe(pid)
  })

  it('refuses a voice that does not exist, and goes on', async () => {
    const refused = espeak.client.speak({ ...HELLO, voice: 'nobody' })
    await expect(refused).rejects.toMatchObject({ name: 'AdapterError', retryable: false })
    expect((await espeak.client.speak(HELLO)).data.length).toBeGreaterThan(10_000)
  })

  it('fails what it was saying when the program dies, and starts it again', async () => {
    await espeak.client.speak(HELLO)
    const pid = espeak.client.pid!
    const cutOff = espeak.client.speak(HELLO)
    process.kill(pid, 'SIGKILL')
    await expect(cutOff).rejects.toMatchObject({ name: 'AdapterError', retryable: true })
    await espeak.client.speak(HELLO)
    expect(espeak.client.pid).not.toBe(pid)
  })

  it('does not give the program what nobody waits for any more', async () => {
    espeak.client = new EspeakClient(fileURLToPath(new URL('counting-voice.ts', import.meta.url)))
    const controller = new AbortController()
    const first = espeak.client.speak(HELLO)
    const dropped = espeak.client.speak(HELLO, controller.signal)
    const last = espeak.client.speak(HELLO)
    controller.abort()
    await expect(dropped).rejects.toMatchObject({ name: 'AbortError' })
    await expect(first).rejects.toThrow('order 1')
    await expect(last).rejects.toThrow('order 2')
  })

  it('ends the program when it is closed, and says nothing more', async () => {
    const cutOff = espeak.client.speak(HELLO).catch((error: unknown) => error)
    const pid = espeak.client.pid!
    await espeak.client.close()
    expect(await cutOff).toBeInstanceOf(AdapterError)
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    await expect(espeak.client.speak(HELLO)).rejects.toMatchObject({ retryable: false })
    await espeak.client.close()
  })
})

describe('the espeak program', () => {
  it('ends with its standard input, as when its parent dies', async () => {
    const file = fileURLToPath(import.meta.resolve('#shared/adapters/tts/espeak-program.ts'))
    const program = spawn(process.execPath, [file], { stdio: ['pipe', 'ignore', 'ignore'] })
    const ended = once(program, 'exit')
    program.stdin.end()
    expect(await ended).toEqual([0, null])
  })
})

describe('the simulated voice', () => {
  const request = { text: 'Good morning', voice: null, pronunciationDictionaryId: null }
  const never = new AbortController().signal
  const lengthOf = async (voice: { id: string; speed?: number }): Promise<number> => {
    const spoken = { ...request, voice: { ...voice, provider: 'voice_provider_1' as const } }
    const chunks = await Array.fromAsync(simulatedVoice(espeak.client).synthesize(spoken, never))
    return chunks.reduce((sum, { audio }) => sum + audio.length, 0)
  }

  it('speaks faster when asked to', async () => {
    const normal = await lengthOf({ id: 'nora' })
    expect(await lengthOf({ id: 'nora', speed: 1.2 })).toBeLessThan(normal * 0.9)
    expect(await lengthOf({ id: 'nora', speed: 1 })).toBe(normal)
  })

  it('stops waiting when it is aborted', async () => {
    const controller = new AbortController()
    const chunks = Array.fromAsync(
      simulatedVoice(espeak.client).synthesize(request, controller.signal),
    )
    controller.abort()
    await expect(chunks).rejects.toMatchObject({ name: 'AbortError' })
  })
})
