/** A carrier with one call, in a thread of its own; see `media-thread.test.ts`. */

import { parentPort, workerData } from 'node:worker_threads'

import { WebSocket } from 'ws'

import { FRAME_BYTES, FRAME_MS } from '#shared/audio/frame.ts'

export interface CarrierStart {
  readonly url: string
  /** [0] counts the pieces of audio that came. */
  readonly counts: Int32Array
}

export type CarrierOrder =
  | { readonly sendFrames: number; readonly code: number }
  | { readonly stop: true }

const START = {
  event: 'start',
  start: {
    streamSid: 'MZ1',
    callSid: 'CA1',
    mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
  },
}

const { url, counts } = workerData as CarrierStart
const socket = new WebSocket(url)
const send = (frame: unknown) => socket.send(JSON.stringify(frame))

socket.on('open', () => send(START))
socket.on('close', (code) => parentPort?.postMessage({ closed: code }))
socket.on('message', (data) => {
  const frame = JSON.parse((data as Buffer).toString()) as { readonly event: string }
  // It plays in no time.
  if (frame.event === 'mark') send(frame)
  if (frame.event !== 'media') return
  Atomics.add(counts, 0, 1)
  Atomics.notify(counts, 0)
})
parentPort?.on('message', (order: CarrierOrder) => {
  if ('stop' in order) return send({ event: 'stop' })
  for (let frame = 0; frame < order.sendFrames; frame += 1) {
    const payload = Buffer.alloc(FRAME_BYTES, order.code).toString('base64')
    send({ event: 'media', media: { timestamp: String(frame * FRAME_MS), payload } })
  }
})
