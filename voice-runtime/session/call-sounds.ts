import type { SoundName } from '#shared/audio/sounds/sound-name.ts'
import type { AssistantSettings, BackgroundSound, ThinkingSound } from '#shared/domain/assistant.ts'

import type { CallMedia } from '../media-worker/call-media.ts'

/** What the names of spec 2.1 stand for. */
const SOUND_OF: Readonly<Record<BackgroundSound | ThinkingSound, SoundName>> = {
  'audio/office.ogg': 'office-ambience',
  'city-ambience.ogg': 'city-ambience',
  'forest-ambience.ogg': 'forest-ambience',
  'office-ambience.ogg': 'office-ambience',
  'crowded-room.ogg': 'crowded-room',
  'keyboard-typing.ogg': 'keyboard-typing',
  'keyboard-typing2.ogg': 'keyboard-typing2',
  'hold_music.ogg': 'hold_music',
}

export interface CallSoundsDeps {
  readonly assistant: Pick<
    AssistantSettings,
    | 'backgroundSound'
    | 'backgroundSoundVolume'
    | 'thinkingSound'
    | 'thinkingSoundProbability'
    | 'thinkingSoundVolume'
  >
  readonly media: Pick<CallMedia, 'perform'>
  /** At least 0, below 1. */
  readonly random: () => number
}

/** What the callee hears under and between the agent's words (spec 2.1). */
export class CallSounds {
  readonly #deps: CallSoundsDeps
  #thinking: { readonly turn: number; readonly isHeard: boolean } | null = null

  constructor(deps: CallSoundsDeps) {
    this.#deps = deps
  }

  /** From the first moment to the last. */
  start(): void {
    const { assistant, media } = this.#deps
    const { backgroundSound, backgroundSoundVolume: volume } = assistant
    if (backgroundSound === null) return
    const sound = SOUND_OF[backgroundSound]
    media.perform({ type: 'setSound', layer: 'background', sound, volume })
  }

  /** The agent is at work on this turn; null: no longer. Whether that is heard is decided once a turn. */
  think(turn: number | null): void {
    const { assistant, media, random } = this.#deps
    const { thinkingSound, thinkingSoundProbability, thinkingSoundVolume: volume } = assistant
    if (thinkingSound === null) return
    if (turn !== null && this.#thinking?.turn !== turn) {
      this.#thinking = { turn, isHeard: random() < thinkingSoundProbability }
    }
    if (this.#thinking?.isHeard !== true) return
    const sound = turn === null ? null : SOUND_OF[thinkingSound]
    media.perform({ type: 'setSound', layer: 'thinking', sound, volume })
  }
}
