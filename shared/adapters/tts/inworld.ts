import { SAMPLE_RATE_HZ } from '#shared/audio/frame.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'

import { audioOf, recordOf, within, wordTimesOf } from '../vendor-fields.ts'
import type { VendorMessage } from '../websocket/vendor-socket.ts'
import type { SpeechEvent, SpeechProtocol } from './speech-protocol.ts'

export const INWORLD_URL = 'wss://api.inworld.ai/tts/v1/voice:streamBidirectional'
export const INWORLD_MODEL = 'inworld-tts-2'
/** What the specification allows (2.2); the vendor itself goes down to 0.5. */
const SPEED = { min: 0.6, max: 1.5 }
const WAV_HEADER_BYTES = 44
/** gRPC codes: what is unknown is over already; these may go better another time. */
const UNKNOWN_CONTEXT = 5
const RETRYABLE = [4, 8, 14]

export interface InworldOptions {
  /** As the vendor's portal shows it: base64. */
  readonly apiKey: string
  readonly url?: string
  readonly model?: string
}

/** voice_provider_3 (reference/protocols-media.md 8.1). It has neither volumes nor dictionaries. */
export function inworldProtocol(options: InworldOptions): SpeechProtocol {
  return {
    name: 'voice_provider_3',
    contextsPerConnection: 5,
    connectionsMax: 20,
    joinsSentences: true,
    wordTimesFrom: 'sentence',
    answersCancel: true,
    address: () => ({
      url: options.url ?? INWORLD_URL,
      headers: { authorization: `Basic ${options.apiKey}` },
    }),
    open: (id, { voice, language }) => [
      {
        create: {
          voiceId: voice.id,
          modelId: options.model ?? INWORLD_MODEL,
          audioConfig: {
            audioEncoding: 'MULAW',
            sampleRateHertz: SAMPLE_RATE_HZ,
            speakingRate: within(voice.speed ?? 1, SPEED),
          },
          ...(language !== null && { language }),
          timestampType: 'WORD',
        },
        contextId: id,
      },
    ],
    say: (id, text) => [
      { send_text: { text: `${text} ` }, contextId: id },
      { flush_context: {}, contextId: id },
    ],
    finish: (id) => [{ close_context: {}, contextId: id }],
    cancel: (id, isFinished) => (isFinished ? [] : [{ close_context: {}, contextId: id }]),
    reader: () => readInworld,
  }
}

function readInworld(message: VendorMessage): readonly SpeechEvent[] {
  if (message['error'] !== undefined) {
    const { code } = recordOf(message['error'])
    return [{ contextId: null, type: 'failed', error: errorOf(code) }]
  }
  const result = recordOf(message['result'])
  const contextId = typeof result['contextId'] === 'string' ? result['contextId'] : null
  if (contextId === null) return []
  const { code } = recordOf(result['status'])
  if (code === UNKNOWN_CONTEXT) return [{ contextId, type: 'done' }]
  if (typeof code === 'number' && code !== 0) {
    return [{ contextId, type: 'failed', error: errorOf(code) }]
  }
  if (result['audioChunk'] !== undefined) {
    const chunk = recordOf(result['audioChunk'])
    const audio = bareAudio(audioOf(chunk['audioContent']))
    const times = recordOf(recordOf(chunk['timestampInfo'])['wordAlignment'])
    const words = wordTimesOf(times['words'], times['wordEndTimeSeconds'])
    return [{ contextId, type: 'audio', audio, words }]
  }
  if (result['flushCompleted'] !== undefined) return [{ contextId, type: 'sentenceDone' }]
  if (result['contextClosed'] !== undefined) return [{ contextId, type: 'done' }]
  return []
}

/** Some encodings bring a WAV header in every chunk; that mu-law does not is not certain. */
function bareAudio(audio: Uint8Array): Uint8Array {
  const isWav = Buffer.from(audio.subarray(0, 4)).toString('latin1') === 'RIFF'
  return isWav ? audio.subarray(WAV_HEADER_BYTES) : audio
}

/** The vendor's words stay out: they may repeat the text. */
function errorOf(code: unknown): AdapterError {
  const status = typeof code === 'number' ? code : null
  return new AdapterError('voice_provider_3 reported an error', {
    retryable: status === null || RETRYABLE.includes(status),
    status,
  })
}
