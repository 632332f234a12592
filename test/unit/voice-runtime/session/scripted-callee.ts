import {
  FRAME_BYTES,
  FRAME_MS,
  framesOf,
  SAMPLES_PER_MS,
  SILENT_FRAME,
} from '#shared/audio/frame.ts'
import type { SpeechToText, SttEvent, SttOptions } from '#shared/ports/speech-to-text.ts'
import type { VoiceActivityDetector } from '#shared/ports/voice-activity.ts'
import type { MediaChannel, MediaListener } from '#voice/media-worker/media-channel.ts'

import type { ManualTime } from './manual-time.ts'

/** What a callee's voice looks like to the scripted detectors. */
export const SPEECH_BYTE = 0x33
const SPEECH_FRAME = new Uint8Array(FRAME_BYTES).fill(SPEECH_BYTE)
/** Words of a scripted callee last so long. */
export const WORD_MS = 300

/**
 * A callee at the end of a carrier that buffers: hears at the pace of time, echoes marks, and sends
 * a frame every 20 ms. What it says is recognised by `stt`, because both know the script.
 */
export class ScriptedCallee implements MediaChannel {
  readonly callId = 'CA1'
  readonly startedAt: number
  /** Of the agent's audio, with when it was heard; cleared audio is not in it. */
  heard: { readonly atMs: number; readonly audio: Uint8Array }[] = []
  readonly sent: string[] = []
  isClosed = false
  /** Whether marks come back. */
  echoesMarks = true
  readonly #time: ManualTime
  #listener: MediaListener | null = null
  #playsUntilMs = 0
  #marks: { readonly name: string; readonly cancel: () => void }[] = []
  #speechFrames = 0
  #sound: Uint8Array[] = []
  #stalledUntilMs = 0
  #onTheWay: { readonly frame: Uint8Array; readonly atMs: number }[] = []
  /** Said, and not recognised yet. */
  readonly lines: string[] = []

  constructor(time: ManualTime) {
    this.#time = time
    this.startedAt = time.now()
    this.#playsUntilMs = time.now()
    time.after(FRAME_MS, () => this.#sendFrame())
  }

  /** Begins to speak now. */
  say(line: string): void {
    this.lines.push(line)
    this.#speechFrames += (line.split(' ').length * WORD_MS) / FRAME_MS
  }

  /** A sound that is speech to the detector and nothing to the recogniser. */
  cough(ms: number): void {
    this.#speechFrames += ms / FRAME_MS
  }

  /** Sounds like this from now on: real speech, for detectors and recognisers that are not scripted. */
  play(sound: Uint8Array): void {
    this.#sound.push(...framesOf(sound))
  }

  get isSpeaking(): boolean {
    return this.#speechFrames > 0 || this.#sound.length > 0
  }

  /** The line, or the process, stands still: what is said meanwhile arrives afterwards, all at once. */
  stall(ms: number): void {
    this.#stalledUntilMs = this.#time.now() + ms
  }

  press(digit: string): void {
    this.#listener?.onDtmf(digit)
  }

  hangUp(): void {
    this.isClosed = true
    this.#listener?.onStop()
  }

  listen(listener: MediaListener): void {
    this.#listener = listener
  }

  sendAudio(audio: Uint8Array): void {
    this.sent.push('audio')
    const atMs = Math.max(this.#time.now(), this.#playsUntilMs)
    this.heard.push({ atMs: atMs - this.startedAt, audio })
    this.#playsUntilMs = atMs + audio.length / SAMPLES_PER_MS
  }

  sendMark(name: string): void {
    if (!this.echoesMarks) return
    const cancel = this.#time.after(this.#playsUntilMs - this.#time.now(), () => this.#echo(name))
    this.#marks.push({ name, cancel })
  }

  sendClear(): void {
    this.sent.push('clear')
    const nowMs = this.#time.now() - this.startedAt
    this.heard = this.heard.flatMap(({ atMs, audio }) => {
      const samples = Math.max(0, (nowMs - atMs) * SAMPLES_PER_MS)
      return samples === 0 ? [] : [{ atMs, audio: audio.subarray(0, samples) }]
    })
    this.#playsUntilMs = this.#time.now()
    for (const { name, cancel } of this.#marks.splice(0)) {
      cancel()
      this.#time.after(1, () => this.#listener?.onMark(name))
    }
  }

  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    for (const { cancel } of this.#marks.splice(0)) cancel()
    this.#listener?.onStop()
  }

  #echo(name: string): void {
    this.#marks = this.#marks.filter((mark) => mark.name !== name)
    this.#listener?.onMark(name)
  }

  #sendFrame(): void {
    if (this.isClosed) return
    this.#time.after(FRAME_MS, () => this.#sendFrame())
    const frame = this.#speechFrames > 0 ? SPEECH_FRAME : (this.#sound.shift() ?? SILENT_FRAME)
    this.#onTheWay.push({ frame, atMs: this.#time.now() - this.startedAt - FRAME_MS })
    this.#speechFrames = Math.max(0, this.#speechFrames - 1)
    if (this.#time.now() < this.#stalledUntilMs) return
    for (const { frame, atMs } of this.#onTheWay.splice(0)) this.#listener?.onFrame(frame, atMs)
  }
}

/** Says 1 for windows that are mostly speech. */
export const scriptedVoiceActivity: VoiceActivityDetector = {
  open(listener) {
    const windowBytes = 32 * SAMPLES_PER_MS
    let bytes: number[] = []
    return {
      write(frame) {
        bytes.push(...frame)
        while (bytes.length >= windowBytes) {
          const window = bytes.slice(0, windowBytes)
          bytes = bytes.slice(windowBytes)
          const speech = window.filter((byte) => byte === SPEECH_BYTE).length
          listener(speech > windowBytes / 2 ? 1 : 0)
        }
      },
      close: () => undefined,
    }
  },
}

/** Recognises the callee's lines one after the other, each when 100 ms of silence follow it. */
export class ScriptedRecogniser implements SpeechToText {
  readonly opened: SttOptions[] = []
  openStreams = 0
  /** So many of the next streams fail as soon as they hear something. */
  failing = 0
  readonly #callee: ScriptedCallee

  constructor(callee: ScriptedCallee) {
    this.#callee = callee
  }

  open(options: SttOptions, listener: (event: SttEvent) => void) {
    this.opened.push(options)
    this.openStreams += 1
    let [heardMs, speechMs, silenceMs] = [0, 0, 0]
    let isOpen = true
    const close = () => {
      if (isOpen) this.openStreams -= 1
      isOpen = false
    }
    const hear = (frame: Uint8Array) => {
      if (!isOpen) return
      const isSpeech = frame[0] === SPEECH_BYTE
      heardMs += FRAME_MS
      speechMs += isSpeech ? FRAME_MS : 0
      silenceMs = isSpeech ? 0 : silenceMs + FRAME_MS
      const line = this.#callee.lines[0]
      if (speechMs > 0 && this.failing > 0) {
        this.failing -= 1
        return listener({ type: 'failed', error: new Error('scripted') })
      }
      if (line === undefined || speechMs === 0) return
      const words = line.split(' ')
      if (isSpeech && speechMs % WORD_MS === 0 && speechMs / WORD_MS <= words.length) {
        listener({ type: 'interim', text: words.slice(0, speechMs / WORD_MS).join(' ') })
      }
      if (silenceMs === 100) {
        this.#callee.lines.shift()
        const endMs = heardMs - silenceMs
        listener({ type: 'final', text: line, startMs: endMs - speechMs, endMs })
        listener({ type: 'endOfTurn' })
        speechMs = 0
      }
    }
    const write = (audio: Uint8Array) => {
      for (const frame of framesOf(audio)) hear(frame)
    }
    return { write, finalize: () => undefined, close }
  }
}
