import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'

import { encodeMulaw } from '#shared/audio/mulaw.ts'
import { parseWav, wavChannels } from '#shared/audio/wav.ts'
import { bytesOf } from '#test/support/recorded-sound.ts'
import { until } from '#test/support/until.ts'
import type { CallMedia, MediaArrival, MediaEvent } from '#voice/media-worker/call-media.ts'
import { mediaThreadEntrance } from '#voice/media-worker/media-thread-entrance.ts'
import { wavOf } from '#voice/media-worker/recorded-call.ts'

import type { CarrierOrder, CarrierStart } from './carrier-thread.ts'

const MEDIA_THREAD = new URL('../../../voice-runtime/media-thread.ts', import.meta.url)
const MORTAL_THREAD = new URL('./mortal-media-thread.ts', import.meta.url)
const CARRIER_THREAD = new URL('./carrier-thread.ts', import.meta.url)
const CALLEE_BYTE = 0x7e
const VOICE_BYTE = 0x22
/** What this thread waits for at the longest, without letting anything else happen in it. */
const BLOCKED_MS = 10_000

const cleanUps: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function openEntrance(program: URL) {
  const arrivals: MediaArrival[] = []
  const complaints: string[] = []
  const quiet = { info: () => undefined, warn: () => undefined }
  const open = mediaThreadEntrance({
    program,
    logger: { ...quiet, error: (message) => complaints.push(message) },
  })
  const entrance = await open({
    host: '127.0.0.1',
    port: 0,
    maxSockets: 2,
    verify: (token) => (token === 'known' ? { orderId: 'call_1', number: 2 } : null),
    onArrival: (arrival) => arrivals.push(arrival),
  })
  cleanUps.push(() => entrance.close())
  return { entrance, arrivals, complaints }
}

/** A media thread, and a carrier in a thread of its own that has brought one call to it. */
async function startCall(program = MEDIA_THREAD) {
  const { entrance, arrivals, complaints } = await openEntrance(program)
  const counts = new Int32Array(new SharedArrayBuffer(4))
  const url = `ws://127.0.0.1:${entrance.port}/media/known`
  const start: CarrierStart = { url, counts }
  const carrier = new Worker(CARRIER_THREAD, { workerData: start })
  cleanUps.push(() => carrier.terminate())
  const arrival = await until('the media arrives', () => arrivals[0] ?? null)
  const events: MediaEvent[] = []
  arrival.media.listen((event) => events.push(event))
  return {
    entrance,
    complaints,
    arrival,
    media: arrival.media,
    events,
    counts,
    tell: (order: CarrierOrder) => carrier.postMessage(order),
    happened: (type: MediaEvent['type']) =>
      until(type, () => events.find((event) => event.type === type) ?? null),
  }
}

function speak(media: CallMedia, speechId: string, ms: number): void {
  const audio = new Uint8Array(ms * 8).fill(VOICE_BYTE)
  media.perform({ type: 'queueSpeech', speechId, text: 'hello' })
  media.perform({ type: 'addAudio', speechId, audio, words: [] })
  media.perform({ type: 'completeSpeech', speechId })
}

describe('the media thread', () => {
  it('tells of the call that a token stands for', async () => {
    const { arrival } = await startCall()
    expect(arrival).toMatchObject({ orderId: 'call_1', number: 2, media: { callId: 'CA1' } })
  })

  it('refuses a token that stands for nothing', async () => {
    const { entrance } = await openEntrance(MEDIA_THREAD)
    const forged = new WebSocket(`ws://127.0.0.1:${entrance.port}/media/forged`)
    forged.on('error', () => undefined)
    const [, response] = (await once(forged, 'unexpected-response')) as [
      unknown,
      { statusCode: number },
    ]
    forged.terminate()
    expect(response.statusCode).toBe(401)
  })

  it('passes the callee on in pieces, rings alarms, and records both sides', async () => {
    const { media, tell, happened, events } = await startCall()
    media.perform({ type: 'setAlarm', name: 'interruption', atMs: 150 })
    tell({ sendFrames: 10, code: CALLEE_BYTE })
    await happened('alarmRang')
    speak(media, 's1', 100)
    await happened('playoutDone')
    const pieces = events.filter((event) => event.type === 'audio')
    expect(pieces.map(({ fromMs, audio }) => [fromMs, audio.length])).toEqual([
      [0, 800],
      [100, 800],
    ])
    tell({ stop: true })
    await happened('stopped')
    const recorded = await media.end(5_000)
    const [callee, agent] = wavChannels(parseWav(await bytesOf(wavOf(recorded!)))).map(encodeMulaw)
    recorded!.file.close()
    expect(callee).toHaveLength(40_000)
    expect(callee!.filter((byte) => byte === CALLEE_BYTE)).toHaveLength(1_600)
    expect(agent!.filter((byte) => byte === VOICE_BYTE)).toHaveLength(800)
  })

  it('speaks on while the main thread stands still', async () => {
    const { media, counts, happened } = await startCall()
    speak(media, 's1', 2_000)
    await happened('playoutStarted')
    while (Atomics.load(counts, 0) < 20) {
      const seen = Atomics.load(counts, 0)
      expect(Atomics.wait(counts, 0, seen, BLOCKED_MS)).not.toBe('timed-out')
    }
  })

  it('tells a busy main thread what happened when that asks for it', async () => {
    const { media, tell, events } = await startCall()
    // What was sent has left.
    await new Promise((resolve) => setImmediate(resolve))
    tell({ sendFrames: 50, code: CALLEE_BYTE })
    // From here on this thread does nothing else.
    const pause = new Int32Array(new SharedArrayBuffer(4))
    for (let waitedMs = 0; events.length === 0 && waitedMs < BLOCKED_MS; waitedMs += 5) {
      Atomics.wait(pause, 0, 0, 5)
      media.catchUp()
    }
    expect(events[0]).toMatchObject({ type: 'audio', fromMs: 0 })
  })

  it('ends a call of ours at the carrier', async () => {
    const { media, happened } = await startCall()
    media.perform({ type: 'close' })
    await happened('stopped')
  })

  it('ends the call in which something is wrong, and no other', async () => {
    const { media, happened, complaints } = await startCall()
    media.perform({ type: 'queueSpeech', speechId: 's1', text: 'hello' })
    media.perform({ type: 'addAudio', speechId: 's1', audio: null as never, words: [] })
    await happened('stopped')
    expect(complaints).toEqual(['the media of a call failed'])
    expect(await media.end(100)).not.toBeNull()
  })

  it('leaves the sound of a call readable when it has ended', async () => {
    const { entrance, media, tell, happened } = await startCall()
    tell({ sendFrames: 5, code: CALLEE_BYTE })
    await happened('audio')
    const recorded = await media.end(100)
    await entrance.close()
    const wav = parseWav(await bytesOf(wavOf(recorded!)))
    recorded!.file.close()
    expect(encodeMulaw(wavChannels(wav)[0]!)).toEqual(new Uint8Array(800).fill(CALLEE_BYTE))
  })

  it('stops every call when it dies', async () => {
    const { entrance, media, happened, complaints } = await startCall(MORTAL_THREAD)
    const death = new BroadcastChannel('death of the media thread')
    death.postMessage('now')
    await entrance.lost
    death.close()
    await happened('stopped')
    expect(complaints).toEqual(['the media thread was lost'])
    expect(await media.end(100)).toBeNull()
  })
})
