/**
 * The media-stream frames of telephony provider 1: JSON text over one WebSocket per call, audio as
 * base64 mu-law 8 kHz (reference/protocols-media.md 3.3). The carrier is the client.
 */

/** What the carrier sends. Whatever is not understood is `malformed`, and harmless. */
export type CarrierFrame =
  | { readonly kind: 'connected' }
  | {
      readonly kind: 'start'
      readonly streamId: string
      readonly callId: string
      readonly parameters: Readonly<Record<string, string>>
    }
  /** `timestampMs` counts from the start of the stream. */
  | { readonly kind: 'media'; readonly timestampMs: number; readonly audio: Uint8Array }
  | { readonly kind: 'dtmf'; readonly digit: string }
  /** All audio queued before the mark of this name was played, or cleared. */
  | { readonly kind: 'mark'; readonly name: string }
  | { readonly kind: 'stop' }
  | { readonly kind: 'malformed' }

type Fields = Readonly<Record<string, unknown>>

const MALFORMED: CarrierFrame = { kind: 'malformed' }
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const DIGIT = /^[0-9A-D*#]$/

/** Never throws, whatever the text is. */
export function decodeCarrierFrame(text: string): CarrierFrame {
  const frame = parseObject(text)
  if (frame === null) return MALFORMED
  switch (frame['event']) {
    case 'connected':
      return { kind: 'connected' }
    case 'start':
      return decodeStart(frame)
    case 'media':
      return decodeMedia(frame)
    case 'dtmf':
      return decodeDtmf(frame)
    case 'mark':
      return decodeMark(frame)
    case 'stop':
      return { kind: 'stop' }
    default:
      return MALFORMED
  }
}

/** Raw mu-law 8 kHz of any length; the carrier buffers it and plays it in order. */
export function encodeMedia(streamId: string, audio: Uint8Array): string {
  const payload = Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength).toString('base64')
  return JSON.stringify({ event: 'media', streamSid: streamId, media: { payload } })
}

/** Echoed by the carrier once everything sent before it was played. */
export function encodeMark(streamId: string, name: string): string {
  return JSON.stringify({ event: 'mark', streamSid: streamId, mark: { name } })
}

/** Empties the carrier's buffer; pending marks are echoed at once. */
export function encodeClear(streamId: string): string {
  return JSON.stringify({ event: 'clear', streamSid: streamId })
}

function decodeStart(frame: Fields): CarrierFrame {
  const start = fieldsOf(frame['start'])
  const format = fieldsOf(start['mediaFormat'])
  const streamId = start['streamSid'] ?? frame['streamSid']
  const callId = start['callSid']
  if (!isText(streamId) || !isText(callId)) return MALFORMED
  if (format['encoding'] !== 'audio/x-mulaw' || Number(format['sampleRate']) !== 8000) {
    return MALFORMED
  }
  const parameters = Object.entries(fieldsOf(start['customParameters'])).flatMap(([key, value]) =>
    typeof value === 'string' ? [[key, value] as const] : [],
  )
  return { kind: 'start', streamId, callId, parameters: Object.fromEntries(parameters) }
}

function decodeMedia(frame: Fields): CarrierFrame {
  const media = fieldsOf(frame['media'])
  const payload = media['payload']
  const timestampMs = Number(media['timestamp'])
  if (media['track'] !== undefined && media['track'] !== 'inbound') return MALFORMED
  if (!isText(payload) || !BASE64.test(payload)) return MALFORMED
  if (!Number.isFinite(timestampMs) || timestampMs < 0) return MALFORMED
  return { kind: 'media', timestampMs, audio: new Uint8Array(Buffer.from(payload, 'base64')) }
}

function decodeDtmf(frame: Fields): CarrierFrame {
  const digit = fieldsOf(frame['dtmf'])['digit']
  return isText(digit) && DIGIT.test(digit) ? { kind: 'dtmf', digit } : MALFORMED
}

function decodeMark(frame: Fields): CarrierFrame {
  const name = fieldsOf(frame['mark'])['name']
  return isText(name) ? { kind: 'mark', name } : MALFORMED
}

function parseObject(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Fields) : null
  } catch {
    return null
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
