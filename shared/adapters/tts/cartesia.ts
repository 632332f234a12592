import { SAMPLE_RATE_HZ } from '#shared/audio/frame.ts'
import type { TtsModel } from '#shared/domain/assistant.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'

import { audioOf, recordOf, within, wordTimesOf } from '../vendor-fields.ts'
import type { VendorMessage } from '../websocket/vendor-socket.ts'
import type { SpeechEvent, SpeechProtocol, SpeechSettings } from './speech-protocol.ts'

export const CARTESIA_URL = 'wss://api.cartesia.ai/tts/websocket'
/** Errors have codes from this version on. */
export const CARTESIA_VERSION = '2026-03-01'
/** The spec's names of the models (2.2) as the vendor calls them. */
export const CARTESIA_MODELS: Readonly<Record<TtsModel, string>> = {
  tts_model_1: 'sonic-3',
  tts_model_2: 'sonic-3-2026-01-12',
  tts_model_3: 'sonic-3.5',
}
const DEFAULT_MODEL: TtsModel = 'tts_model_3'
const SPEED = { min: 0.6, max: 1.5 }
const VOLUME = { min: 0.5, max: 2 }
/** The vendor has no such limit; a connection that is lost should not silence more calls than this. */
const CONTEXTS_PER_CONNECTION = 20

export interface CartesiaOptions {
  readonly apiKey: string
  readonly url?: string
  readonly version?: string
  readonly models?: Partial<Readonly<Record<TtsModel, string>>>
}

/** voice_provider_1 (reference/protocols-media.md 6). */
export function cartesiaProtocol(options: CartesiaOptions): SpeechProtocol {
  const models = { ...CARTESIA_MODELS, ...options.models }
  const generation = (contextId: string, settings: SpeechSettings) => {
    const { voice, pronunciationDictionaryId, language } = settings
    return {
      context_id: contextId,
      model_id: models[voice.model ?? DEFAULT_MODEL],
      voice: { mode: 'id', id: voice.id },
      ...(language !== null && { language }),
      output_format: { container: 'raw', encoding: 'pcm_mulaw', sample_rate: SAMPLE_RATE_HZ },
      max_buffer_delay_ms: 0,
      add_timestamps: true,
      generation_config: {
        speed: within(voice.speed ?? 1, SPEED),
        volume: within(voice.volume ?? 1, VOLUME),
      },
      ...(pronunciationDictionaryId !== null && {
        pronunciation_dict_id: pronunciationDictionaryId,
      }),
    }
  }
  return {
    name: 'voice_provider_1',
    contextsPerConnection: CONTEXTS_PER_CONNECTION,
    connectionsMax: 100,
    joinsSentences: true,
    wordTimesFrom: 'context',
    answersCancel: false,
    address: () => ({
      url: options.url ?? CARTESIA_URL,
      headers: {
        'X-API-Key': options.apiKey,
        'Cartesia-Version': options.version ?? CARTESIA_VERSION,
      },
    }),
    open: () => [],
    // Pieces are joined as they are: the space is ours to send.
    say: (id, text, settings) => [
      { ...generation(id, settings), transcript: `${text} `, continue: true },
    ],
    finish: (id, settings) => [{ ...generation(id, settings), transcript: '', continue: false }],
    cancel: (id) => [{ context_id: id, cancel: true }],
    reader: () => readCartesia,
  }
}

function readCartesia(message: VendorMessage): readonly SpeechEvent[] {
  const contextId = typeof message['context_id'] === 'string' ? message['context_id'] : null
  switch (message['type']) {
    case 'chunk':
      return [{ contextId, type: 'audio', audio: audioOf(message['data']), words: [] }]
    case 'timestamps': {
      const times = recordOf(message['word_timestamps'])
      const words = wordTimesOf(times['words'], times['end'])
      return [{ contextId, type: 'audio', audio: new Uint8Array(0), words }]
    }
    case 'flush_done':
      return [{ contextId, type: 'sentenceDone' }]
    case 'done':
      return [{ contextId, type: 'done' }]
    case 'error':
      return [{ contextId, type: 'failed', error: errorOf(message['status_code']) }]
    default:
      return []
  }
}

/** The vendor's words stay out: they may repeat the text. */
function errorOf(code: unknown): AdapterError {
  const status = typeof code === 'number' ? code : null
  const isFinal = status !== null && status >= 400 && status < 500 && ![408, 429].includes(status)
  return new AdapterError('voice_provider_1 reported an error', { retryable: !isFinal, status })
}
