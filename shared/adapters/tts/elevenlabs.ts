import { SAMPLES_PER_MS } from '#shared/audio/frame.ts'
import type { SpokenWord } from '#shared/audio/word-times.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'

import { audioOf, numbersOf, recordOf, textsOf, within } from '../vendor-fields.ts'
import type { VendorMessage } from '../websocket/vendor-socket.ts'
import type { SpeechEvent, SpeechProtocol } from './speech-protocol.ts'

export const ELEVENLABS_URL = 'wss://api.elevenlabs.io'
export const ELEVENLABS_MODEL = 'eleven_flash_v2_5'
/** The others tell the language by the text, and refuse to be told. */
const TAKES_LANGUAGE = /flash|turbo/
const SPEED = { min: 0.7, max: 1.2 }
/** The vendor closes a connection without new text after this long; 180 s is the most it allows. */
const INACTIVITY_SECS = 180

export interface ElevenLabsOptions {
  readonly apiKey: string
  readonly url?: string
  readonly model?: string
}

/**
 * voice_provider_2 (reference/protocols-media.md 7). Each sentence is a context of its own, because
 * the vendor does not say which of several in one context is done.
 */
export function elevenLabsProtocol(options: ElevenLabsOptions): SpeechProtocol {
  const model = options.model ?? ELEVENLABS_MODEL
  return {
    name: 'voice_provider_2',
    contextsPerConnection: 5,
    connectionsMax: 100,
    joinsSentences: false,
    wordTimesFrom: 'context',
    answersCancel: true,
    address: ({ voice, language }) => {
      const base = `${options.url ?? ELEVENLABS_URL}/v1/text-to-speech/`
      const url = new URL(`${base}${encodeURIComponent(voice.id)}/multi-stream-input`)
      url.search = new URLSearchParams({
        model_id: model,
        output_format: 'ulaw_8000',
        auto_mode: 'true',
        inactivity_timeout: String(INACTIVITY_SECS),
        ...(language !== null && TAKES_LANGUAGE.test(model) && { language_code: language }),
      }).toString()
      return { url: url.href, headers: { 'xi-api-key': options.apiKey } }
    },
    // Settings may stand in the first message only, and nothing may come before them.
    open: (id, { voice, pronunciationDictionaryId }) => [
      {
        text: ' ',
        context_id: id,
        voice_settings: { speed: within(voice.speed ?? 1, SPEED) },
        ...(pronunciationDictionaryId !== null && {
          pronunciation_dictionary_locators: [locatorOf(pronunciationDictionaryId)],
        }),
      },
    ],
    say: (id, text) => [{ text: `${text} `, context_id: id, flush: true }],
    finish: (id) => [{ context_id: id, close_context: true }],
    // A context is closed with its only sentence; the vendor has no way to stop it.
    cancel: () => [],
    reader: elevenLabsReader,
  }
}

/** `dictionary` or `dictionary:version`. */
function locatorOf(id: string): object {
  const [dictionary, version] = id.split(':')
  return { pronunciation_dictionary_id: dictionary, ...(version && { version_id: version }) }
}

/** Letters are timed from the start of their chunk, and a word may be cut by its end. */
interface Progress {
  readonly playedMs: number
  readonly word: string
  readonly wordEndMs: number
}

const NOTHING: Progress = { playedMs: 0, word: '', wordEndMs: 0 }

function elevenLabsReader(): (message: VendorMessage) => readonly SpeechEvent[] {
  const contexts = new Map<string, Progress>()
  return (message) => {
    const id = message['contextId'] ?? message['context_id']
    const contextId = typeof id === 'string' ? id : null
    if (message['error'] !== undefined && message['error'] !== null) {
      return [{ contextId, type: 'failed', error: errorOf(message) }]
    }
    const events: SpeechEvent[] = []
    const progress = contexts.get(contextId ?? '') ?? NOTHING
    const isFinal = message['isFinal'] === true || message['is_final'] === true
    const read = wordsOf(message, progress, isFinal)
    const audio = audioOf(message['audio'])
    if (audio.length + read.words.length > 0) {
      events.push({ contextId, type: 'audio', audio, words: read.words })
    }
    if (isFinal) {
      contexts.delete(contextId ?? '')
      events.push({ contextId, type: 'done' })
    } else if (contextId !== null) {
      const playedMs = progress.playedMs + audio.length / SAMPLES_PER_MS
      contexts.set(contextId, { ...read.progress, playedMs })
    }
    return events
  }
}

function wordsOf(
  message: VendorMessage,
  progress: Progress,
  isFinal: boolean,
): { readonly words: SpokenWord[]; readonly progress: Progress } {
  const alignment = recordOf(message['alignment'])
  const starts = numbersOf(alignment['charStartTimesMs'])
  const durations = numbersOf(alignment['charDurationsMs'] ?? alignment['charsDurationsMs'])
  const words: SpokenWord[] = []
  let { word, wordEndMs } = progress
  const finish = () => {
    if (word !== '') words.push({ text: word, endMs: Math.round(wordEndMs) })
    word = ''
  }
  for (const [index, char] of textsOf(alignment['chars']).entries()) {
    const endMs = progress.playedMs + (starts[index] ?? NaN) + (durations[index] ?? NaN)
    if (char.trim() === '') finish()
    else {
      word += char
      if (endMs > wordEndMs) wordEndMs = endMs
    }
  }
  if (isFinal) finish()
  return { words, progress: { ...progress, word, wordEndMs } }
}

/** The vendor's words stay out: they may repeat the text. */
function errorOf(message: VendorMessage): AdapterError {
  const status = typeof message['code'] === 'number' ? message['code'] : null
  const isFinal = status !== null && status !== 429 && (status < 500 || status === 1008)
  return new AdapterError('voice_provider_2 reported an error', { retryable: !isFinal, status })
}
