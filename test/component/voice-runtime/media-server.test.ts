import { once } from 'node:events'

import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'

import { systemTimers } from '#shared/adapters/local/timers.ts'
import { FRAME_BYTES } from '#shared/audio/frame.ts'
import type { MediaChannel } from '#voice/media-worker/media-channel.ts'
import { startMediaServer } from '#voice/media-worker/media-server.ts'
import type { MediaServer } from '#voice/media-worker/media-server.ts'

/** A token is the order that it stands for. */
const KNOWN_TOKENS = ['call_1', 'call_2', 'call_3']
const START = {
  event: 'start',
  streamSid: 'MZ1',
  start: {
    streamSid: 'MZ1',
    callSid: 'CA1',
    mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
  },
}

/** A server with two places, and everything that happened at it, in order. */
async function startServer() {
  const arrivals: MediaChannel[] = []
  const log: string[] = []
  const waiters = new Set<() => void>()
  const note = (line: string) => {
    log.push(line)
    for (const check of waiters) check()
  }
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const server = await startMediaServer(
    {
      clock: { now: () => 77 },
      timers: systemTimers,
      logger: quiet,
      verify: async (token) =>
        KNOWN_TOKENS.includes(token) ? { orderId: token, number: 1 } : null,
    },
    { host: '127.0.0.1', port: 0, maxSockets: 2 },
    (call, channel) => {
      arrivals.push(channel)
      note(`arrived ${call.orderId} ${call.number}`)
    },
  )
  const listen = (index: number) =>
    arrivals[index]?.listen({
      onFrame: (frame, atMs) => note(`frame ${frame.length} ${frame[0]} at ${atMs}`),
      onDtmf: (digit) => note(`dtmf ${digit}`),
      onMark: (name) => note(`mark ${name}`),
      onStop: () => note('stop'),
    })
  const until = (line: string) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!log.includes(line)) return
        waiters.delete(check)
        resolve()
      }
      waiters.add(check)
      check()
    })
  return { server, arrivals, log, listen, until }
}

function connect(server: MediaServer, path: string): WebSocket {
  return new WebSocket(`ws://127.0.0.1:${server.port}${path}`)
}

/** The status with which the upgrade was refused. */
async function refusal(socket: WebSocket): Promise<number> {
  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    { statusCode: number },
  ]
  socket.on('error', () => undefined)
  socket.terminate()
  return response.statusCode
}

function media(audio: Uint8Array, timestampMs = 0): string {
  const payload = Buffer.from(audio).toString('base64')
  const timestamp = String(timestampMs)
  return JSON.stringify({ event: 'media', media: { track: 'inbound', timestamp, payload } })
}

let server: MediaServer
afterEach(() => server.close())

describe('the media server', () => {
  it('hands over the media of the attempt that the token names', async () => {
    const stage = await startServer()
    server = stage.server
    const socket = connect(server, '/media/call_1')
    await once(socket, 'open')
    socket.send(JSON.stringify({ event: 'connected' }))
    socket.send(JSON.stringify(START))
    await stage.until('arrived call_1 1')
    expect(stage.arrivals[0]).toMatchObject({ callId: 'CA1', startedAt: 77 })

    stage.listen(0)
    socket.send(media(new Uint8Array(100).fill(7)))
    socket.send(media(new Uint8Array(100).fill(8)))
    socket.send('no frame at all')
    socket.send(Buffer.from([1, 2, 3]))
    socket.send(JSON.stringify({ event: 'dtmf', dtmf: { digit: '5' } }))
    socket.send(JSON.stringify({ event: 'mark', mark: { name: 's1@800' } }))
    socket.send(JSON.stringify({ event: 'stop' }))
    await stage.until('stop')
    expect(stage.log.slice(1)).toEqual(['frame 160 7 at 0', 'dtmf 5', 'mark s1@800', 'stop'])
  })

  it('sends audio, marks and clear in the frames of the carrier', async () => {
    const stage = await startServer()
    server = stage.server
    const socket = connect(server, '/media/call_1')
    await once(socket, 'open')
    socket.send(JSON.stringify(START))
    await stage.until('arrived call_1 1')
    const received: unknown[] = []
    socket.on('message', (data) => received.push(JSON.parse((data as Buffer).toString())))
    const channel = stage.arrivals[0]
    channel?.sendAudio(new Uint8Array([1, 2, 3]))
    channel?.sendMark('s1@3')
    channel?.sendClear()
    channel?.close()
    const [code] = (await once(socket, 'close')) as [number]
    expect(code).toBe(1000)
    expect(received).toEqual([
      { event: 'media', streamSid: 'MZ1', media: { payload: 'AQID' } },
      { event: 'mark', streamSid: 'MZ1', mark: { name: 's1@3' } },
      { event: 'clear', streamSid: 'MZ1' },
    ])
  })

  it('puts silence in the place of audio that never came, and none where it came late', async () => {
    const stage = await startServer()
    server = stage.server
    const socket = connect(server, '/media/call_1')
    await once(socket, 'open')
    socket.send(JSON.stringify(START))
    await stage.until('arrived call_1 1')
    stage.listen(0)
    for (const atMs of [40, 60, 81, 160]) {
      socket.send(media(new Uint8Array(FRAME_BYTES).fill(7), atMs))
    }
    socket.send(JSON.stringify({ event: 'stop' }))
    await stage.until('stop')
    expect(stage.log.slice(1)).toEqual([
      'frame 160 7 at 40',
      'frame 160 7 at 60',
      'frame 160 7 at 80',
      'frame 160 255 at 100',
      'frame 160 255 at 120',
      'frame 160 255 at 140',
      'frame 160 7 at 160',
      'stop',
    ])
  })

  it('keeps what came before anybody listened, and tells of a socket that was lost', async () => {
    const stage = await startServer()
    server = stage.server
    const socket = connect(server, '/media/call_1')
    await once(socket, 'open')
    socket.send(JSON.stringify(START))
    socket.send(media(new Uint8Array(FRAME_BYTES).fill(9)))
    await stage.until('arrived call_1 1')
    // Its answer says that the frames before it were read.
    socket.ping()
    await once(socket, 'pong')
    stage.listen(0)
    expect(stage.log.slice(1)).toEqual(['frame 160 9 at 0'])
    socket.terminate()
    await stage.until('stop')
  })

  it.each([
    ['a token that stands for nothing', '/media/forged', 401],
    ['no token', '/media/', 404],
    ['another path', '/somewhere', 404],
  ])('refuses %s', async (_name, path, status) => {
    server = (await startServer()).server
    expect(await refusal(connect(server, path))).toBe(status)
  })

  it('takes one socket per attempt at a time, and no more than it has places for', async () => {
    const stage = await startServer()
    server = stage.server
    const path = '/media/call_1'
    const first = connect(server, path)
    await once(first, 'open')
    expect(await refusal(connect(server, path))).toBe(409)
    await once(connect(server, '/media/call_2'), 'open')
    expect(await refusal(connect(server, '/media/call_3'))).toBe(503)
    first.send(JSON.stringify(START))
    await stage.until('arrived call_1 1')
    stage.listen(0)
    first.terminate()
    await stage.until('stop')
    await once(connect(server, path), 'open')
  })

  it('closes a socket that sends too much at once', async () => {
    const stage = await startServer()
    server = stage.server
    const socket = connect(server, '/media/call_1')
    await once(socket, 'open')
    socket.send('x'.repeat(70_000))
    const [code] = (await once(socket, 'close')) as [number]
    expect(code).toBe(1009)
  })

  it('answers health checks', async () => {
    server = (await startServer()).server
    const answer = await fetch(`http://127.0.0.1:${server.port}/health`)
    expect(answer.status).toBe(200)
  })
})
