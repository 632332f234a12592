import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { RealtimeEvent } from '#shared/ports/realtime-model.ts'

import { audioOf, recordOf } from '../vendor-fields.ts'
import type { VendorMessage } from '../websocket/vendor-socket.ts'

/** What a message means: an event of the port, or something that only the stream must know. */
export type OpenAiEvent =
  | RealtimeEvent
  | { readonly type: 'userDelta'; readonly text: string }
  | { readonly type: 'responseStarted' }
  | { readonly type: 'responseDone'; readonly error: AdapterError | null }
  /** A response was asked for while another one is being made. */
  | { readonly type: 'busy' }
  | { readonly type: 'complaint'; readonly code: string }

/** What was asked for was over already. */
const BENIGN = ['response_cancel_not_active', 'input_audio_buffer_commit_empty']
const BUSY = 'conversation_already_has_active_response'

/** Gives nothing for messages that need no answer or make no sense. */
export function readOpenAiRealtime(message: VendorMessage): readonly OpenAiEvent[] {
  const text = (name: string): string | null => {
    const value = message[name]
    return typeof value === 'string' ? value : null
  }
  const utterance = text('item_id')
  switch (message['type']) {
    case 'session.updated':
      return [{ type: 'ready' }]
    case 'input_audio_buffer.speech_started':
      return [{ type: 'speechStarted', atMs: numberOf(message['audio_start_ms']) }]
    case 'input_audio_buffer.speech_stopped':
      return [{ type: 'speechStopped', atMs: numberOf(message['audio_end_ms']) }]
    case 'conversation.item.input_audio_transcription.delta':
      return [{ type: 'userDelta', text: text('delta') ?? '' }]
    case 'conversation.item.input_audio_transcription.completed':
      return [{ type: 'userText', text: (text('transcript') ?? '').trim(), isFinal: true }]
    case 'response.created':
      return [{ type: 'responseStarted' }]
    case 'response.output_audio.delta': {
      const audio = audioOf(message['delta'])
      return utterance === null || audio.length === 0 ? [] : [{ type: 'audio', utterance, audio }]
    }
    case 'response.output_audio_transcript.delta': {
      const delta = text('delta')
      return utterance === null || delta === null
        ? []
        : [{ type: 'agentText', utterance, text: delta }]
    }
    case 'response.output_audio.done':
      return utterance === null ? [] : [{ type: 'utteranceDone', utterance }]
    case 'response.function_call_arguments.done':
      return toolCallOf(text('call_id'), text('name'), text('arguments'))
    case 'response.done':
      return [{ type: 'responseDone', error: errorIn(recordOf(message['response'])) }]
    case 'error':
      return complaintOf(recordOf(message['error'])['code'])
    default:
      return []
  }
}

function toolCallOf(
  id: string | null,
  name: string | null,
  json: string | null,
): readonly OpenAiEvent[] {
  if (id === null || name === null) return []
  return [{ type: 'toolCall', call: { id, name, arguments: json?.trim() || '{}' } }]
}

/** Cancelled and incomplete responses are no errors; the vendor's words stay out of the message. */
function errorIn(response: Readonly<Record<string, unknown>>): AdapterError | null {
  if (response['status'] !== 'failed') return null
  return new AdapterError('the realtime model could not answer', { retryable: true })
}

function complaintOf(code: unknown): readonly OpenAiEvent[] {
  if (code === BUSY) return [{ type: 'busy' }]
  if (typeof code === 'string' && BENIGN.includes(code)) return []
  return [{ type: 'complaint', code: typeof code === 'string' ? code : 'unknown' }]
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}
