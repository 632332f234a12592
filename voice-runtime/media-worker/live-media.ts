import type { SoundName } from '#shared/audio/sounds/sound-name.ts'
import type { Clock } from '#shared/ports/clock.ts'
import type { Logger } from '#shared/ports/logger.ts'
import type { VoiceActivityDetector } from '#shared/ports/voice-activity.ts'

import type { CallMedia, MediaCommand, MediaEvent, UntimedMediaEvent } from './call-media.ts'
import { Ears } from './ears.ts'
import type { MediaChannel } from './media-channel.ts'
import { Playout } from './playout.ts'
import type { RecordedCall } from './recorded-call.ts'
import { Recorder } from './recorder.ts'
import type { SoundFile } from './sound-file.ts'
import type { Ticker } from './ticker.ts'

/** The longest call is an hour; its farewell is recorded, too. */
const RECORDING_MAX_MS = 3_660_000

export interface LiveMediaDeps {
  readonly voiceActivity: VoiceActivityDetector
  /** Of all calls of the thread. */
  readonly ticker: Ticker
  /** The media clock. */
  readonly clock: Clock
  readonly logger: Logger
  readonly openSoundFile: () => SoundFile
  /** PCM at 8 kHz, of whole loops. */
  readonly soundOf: (name: SoundName) => Int16Array
}

/** The media of one call where its socket is. */
export class LiveMedia implements CallMedia {
  readonly callId: string
  readonly startedAt: number
  readonly #deps: LiveMediaDeps
  readonly #channel: MediaChannel
  readonly #ears: Ears
  readonly #playout: Playout
  readonly #recorder: Recorder
  #listener: ((event: MediaEvent) => void) | null = null
  #isOver = false

  constructor(deps: LiveMediaDeps, channel: MediaChannel) {
    this.#deps = deps
    this.#channel = channel
    this.callId = channel.callId
    this.startedAt = channel.startedAt
    const recorder = new Recorder({ maxMs: RECORDING_MAX_MS, file: deps.openSoundFile() })
    this.#recorder = recorder
    this.#ears = new Ears({
      voiceActivity: deps.voiceActivity,
      emit: (event, notBeforeMs) => this.#emit(event, notBeforeMs),
    })
    this.#playout = new Playout({
      channel,
      ticker: deps.ticker,
      now: () => this.#now(),
      onEvent: (event) => this.#emit(event),
      onAudio: (audio, atMs) => recorder.addAgent(audio, atMs),
      onCut: (atMs) => recorder.cutAgent(atMs),
    })
  }

  listen(listener: (event: MediaEvent) => void): void {
    this.#listener = listener
    this.#channel.listen({
      onFrame: (frame, atMs) => {
        if (this.#isOver) return
        this.#recorder.addCallee(frame, atMs)
        this.#ears.push(frame, atMs)
      },
      onDtmf: (digit) => this.#emit({ type: 'dtmfReceived', digit }),
      onMark: (name) => this.#playout.echo(name),
      onStop: () => {
        // It is told first how much of the last words was heard.
        this.#playout.flush()
        this.#emit({ type: 'stopped' })
      },
    })
  }

  perform(command: MediaCommand): void {
    if (this.#isOver) return
    switch (command.type) {
      case 'queueSpeech':
        return this.#playout.queue(command.speechId, command.text)
      case 'addAudio':
        return this.#playout.receive(command.speechId, command)
      case 'completeSpeech':
        return this.#playout.complete(command.speechId)
      case 'hold':
        return this.#playout.hold(command.isHeld)
      case 'setSound': {
        const { layer, sound, volume } = command
        const samples = sound === null ? null : this.#deps.soundOf(sound)
        return this.#playout.setSound(layer, samples, volume)
      }
      case 'flush':
        return this.#playout.flush()
      case 'setAlarm':
        return this.#ears.setAlarm(command.name, command.atMs)
      case 'clearAlarm':
        return this.#ears.clearAlarm(command.name)
      case 'listenForTones':
        return this.#ears.listenForTones(command.isWanted)
      case 'close':
        return this.#channel.close()
    }
  }

  /** Everything is told as it happens. */
  catchUp(): void {}

  async end(durationMs: number): Promise<RecordedCall | null> {
    this.#playout.flush()
    this.#isOver = true
    this.#ears.close()
    try {
      return await this.#recorder.end(durationMs)
    } catch (error) {
      this.#deps.logger.error('a recording could not be kept', { error })
      return null
    }
  }

  #now(): number {
    return Math.max(0, Math.round(this.#deps.clock.now() - this.startedAt))
  }

  #emit(event: UntimedMediaEvent, notBeforeMs = 0): void {
    if (this.#isOver) return
    this.#listener?.({ ...event, atMs: Math.max(this.#now(), notBeforeMs) })
  }
}
