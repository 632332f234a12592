import type { RealtimeEvent } from '#shared/ports/realtime-model.ts'

import { audioOf, recordOf } from '../vendor-fields.ts'
import type { VendorMessage } from '../websocket/vendor-socket.ts'

/** What a message means: an event of the port, or something that the stream makes one of. */
export type GeminiEvent =
  | RealtimeEvent
  | { readonly type: 'userDelta'; readonly text: string; readonly isFinal: boolean }
  | { readonly type: 'agentDelta'; readonly text: string }
  /** PCM16 at 24 kHz. */
  | { readonly type: 'speech'; readonly pcm: Int16Array }
  | { readonly type: 'turnDone' }
  | { readonly type: 'goAway' }
  /** With this another connection takes up the session; null while none can. */
  | { readonly type: 'resumption'; readonly handle: string | null }

/** One message may hold several things. What makes no sense gives nothing. */
export function readGeminiLive(message: VendorMessage): readonly GeminiEvent[] {
  const events: GeminiEvent[] = []
  if (message['setupComplete'] !== undefined) events.push({ type: 'ready' })
  const update = recordOf(message['sessionResumptionUpdate'])
  if (typeof update['newHandle'] === 'string' && update['newHandle'] !== '') {
    events.push({
      type: 'resumption',
      handle: update['resumable'] === false ? null : update['newHandle'],
    })
  }
  if (message['serverContent'] !== undefined) {
    events.push(...contentOf(recordOf(message['serverContent'])))
  }
  for (const call of listOf(recordOf(message['toolCall'])['functionCalls'])) {
    const { id, name, args } = recordOf(call)
    if (typeof id !== 'string' || typeof name !== 'string') continue
    events.push({ type: 'toolCall', call: { id, name, arguments: JSON.stringify(args ?? {}) } })
  }
  for (const callId of listOf(recordOf(message['toolCallCancellation'])['ids'])) {
    if (typeof callId === 'string') events.push({ type: 'toolCancelled', callId })
  }
  if (message['goAway'] !== undefined) events.push({ type: 'goAway' })
  return events
}

function contentOf(content: Readonly<Record<string, unknown>>): GeminiEvent[] {
  const events: GeminiEvent[] = []
  const heard = recordOf(content['inputTranscription'])
  if (typeof heard['text'] === 'string' || heard['finished'] === true) {
    const text = typeof heard['text'] === 'string' ? heard['text'] : ''
    events.push({ type: 'userDelta', text, isFinal: heard['finished'] === true })
  }
  const said = recordOf(content['outputTranscription'])['text']
  if (typeof said === 'string') events.push({ type: 'agentDelta', text: said })
  for (const part of listOf(recordOf(content['modelTurn'])['parts'])) {
    const { data, mimeType } = recordOf(recordOf(part)['inlineData'])
    if (typeof mimeType !== 'string' || !mimeType.startsWith('audio/pcm')) continue
    events.push({ type: 'speech', pcm: pcmOf(audioOf(data)) })
  }
  // An interruption may end the turn in the same message; it is the more important of the two.
  if (content['interrupted'] === true) events.push({ type: 'interrupted' })
  if (content['generationComplete'] === true || content['turnComplete'] === true) {
    events.push({ type: 'turnDone' })
  }
  return events
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : []
}

/** Little-endian samples; bytes from base64 may begin at an odd address. */
function pcmOf(bytes: Uint8Array): Int16Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Int16Array.from({ length: bytes.length >> 1 }, (_, index) =>
    view.getInt16(index * 2, true),
  )
}
