import { describe, expect, it } from 'vitest'

import type { MediaCommand } from '#voice/media-worker/call-media.ts'
import { CallSounds, type CallSoundsDeps } from '#voice/session/call-sounds.ts'

const SILENT: CallSoundsDeps['assistant'] = {
  backgroundSound: null,
  backgroundSoundVolume: 0.3,
  thinkingSound: null,
  thinkingSoundProbability: 0.5,
  thinkingSoundVolume: 0.8,
}
const TYPING = { ...SILENT, thinkingSound: 'keyboard-typing2.ogg' } as const

function soundsOf(assistant: CallSoundsDeps['assistant'], chances: readonly number[] = []) {
  const performed: MediaCommand[] = []
  const left = [...chances]
  const media = { perform: (command: MediaCommand) => void performed.push(command) }
  return {
    performed,
    left,
    sounds: new CallSounds({ assistant, media, random: () => left.shift()! }),
  }
}

describe('sounds of a call', () => {
  it('without any nothing is asked of the media', () => {
    const { sounds, performed } = soundsOf(SILENT)
    sounds.start()
    sounds.think(1)
    sounds.think(null)
    expect(performed).toEqual([])
  })

  it('the background begins with the call', () => {
    const { sounds, performed } = soundsOf({ ...SILENT, backgroundSound: 'audio/office.ogg' })
    sounds.start()
    expect(performed).toEqual([
      { type: 'setSound', layer: 'background', sound: 'office-ambience', volume: 0.3 },
    ])
  })

  it('thinking is heard while it lasts, in a turn that chance has chosen', () => {
    const { sounds, performed } = soundsOf(TYPING, [0.49])
    sounds.think(1)
    sounds.think(null)
    sounds.think(1)
    expect(performed).toEqual([
      { type: 'setSound', layer: 'thinking', sound: 'keyboard-typing2', volume: 0.8 },
      { type: 'setSound', layer: 'thinking', sound: null, volume: 0.8 },
      { type: 'setSound', layer: 'thinking', sound: 'keyboard-typing2', volume: 0.8 },
    ])
  })

  it('chance is asked once a turn', () => {
    const { sounds, performed, left } = soundsOf(TYPING, [0.5, 0.99, 0])
    for (const turn of [1, null, 1, null, 2, null]) sounds.think(turn)
    expect(performed).toEqual([])
    sounds.think(3)
    expect(performed).toHaveLength(1)
    expect(left).toEqual([])
  })
})
