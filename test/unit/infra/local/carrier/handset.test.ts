import { describe, expect, it } from 'vitest'

import type { Callee, CalleeAction, CalleeEvent } from '#infra/local/carrier/callee.ts'
import { Handset } from '#infra/local/carrier/handset.ts'
import { SILENT_FRAME } from '#shared/audio/frame.ts'

import { LOUD_FRAME, play, stageSound } from './stage.ts'

/** Does what `actionsFor` says and keeps every event it was told. */
function listener(actionsFor: (event: CalleeEvent) => readonly CalleeAction[] = () => []) {
  const events: CalleeEvent[] = []
  const callee: Callee<null> = {
    initial: null,
    react(state, event) {
      events.push(event)
      return { state, actions: actionsFor(event) }
    },
  }
  return { callee, events }
}

describe('Handset', () => {
  it('tells the callee what is heard, by the time of the frames', () => {
    const { callee, events } = listener()
    const sound = stageSound((frame) => (frame === LOUD_FRAME ? ['word'] : []))
    const handset = new Handset({ callee, sound })
    handset.exchange(SILENT_FRAME)
    handset.exchange(LOUD_FRAME)
    handset.exchange(LOUD_FRAME)
    expect(events).toEqual([
      { type: 'answered', atMs: 0 },
      { type: 'agentWords', text: 'word', atMs: 40 },
      { type: 'agentSpeechStarted', startedAtMs: 20, atMs: 60 },
      { type: 'agentWords', text: 'word', atMs: 60 },
    ])
    expect(handset.heard).toEqual(['word', 'word'])
  })

  it('says one clip after the other and tells when each is over', () => {
    const { callee, events } = listener((event) =>
      event.type === 'answered' ? [{ type: 'playClip', clip: 'hello' }, { type: 'playBeep' }] : [],
    )
    const handset = new Handset({ callee, sound: stageSound() })
    const loud = Array.from({ length: 110 }, () => handset.exchange(SILENT_FRAME).audio[0] === 0x10)
    expect(loud.filter(Boolean)).toHaveLength(100)
    expect(loud.lastIndexOf(true)).toBe(99)
    expect(events.slice(1)).toEqual([
      { type: 'clipFinished', clip: 'hello', atMs: 1_000 },
      { type: 'beepFinished', atMs: 2_000 },
    ])
    expect(handset.said).toEqual(['Hello?'])
  })

  it('fills the last frame of a clip up with silence', () => {
    const { callee } = listener((event) =>
      event.type === 'answered' ? [{ type: 'playClip', clip: 'hello' }] : [],
    )
    const sound = { ...stageSound(), clip: () => Uint8Array.of(1, 2) }
    const { audio } = new Handset({ callee, sound }).exchange(SILENT_FRAME)
    expect([...audio.subarray(0, 4)]).toEqual([1, 2, 0xff, 0xff])
    expect(audio).toHaveLength(160)
  })

  it('replaces a timer of the same name', () => {
    const { callee, events } = listener((event) =>
      event.type === 'answered'
        ? [
            { type: 'setTimer', name: 'reply', inMs: 20 },
            { type: 'setTimer', name: 'reply', inMs: 60 },
            { type: 'setTimer', name: 'speak', inMs: 40 },
          ]
        : [],
    )
    play({ callee, forMs: 200 })
    expect(events.slice(1)).toEqual([
      { type: 'timer', name: 'speak', atMs: 40 },
      { type: 'timer', name: 'reply', atMs: 60 },
    ])
  })

  it('replaces a timer that falls due together with the one that replaces it', () => {
    const { callee, events } = listener((event) => {
      if (event.type === 'answered') {
        return [
          { type: 'setTimer', name: 'speak', inMs: 40 },
          { type: 'setTimer', name: 'reply', inMs: 40 },
        ]
      }
      const isSpeak = event.type === 'timer' && event.name === 'speak'
      return isSpeak ? [{ type: 'setTimer', name: 'reply', inMs: 60 }] : []
    })
    play({ callee, forMs: 200 })
    expect(events.slice(1)).toEqual([
      { type: 'timer', name: 'speak', atMs: 40 },
      { type: 'timer', name: 'reply', atMs: 100 },
    ])
  })

  it('presses keys', () => {
    const { callee } = listener((event) =>
      event.type === 'answered' ? [{ type: 'sendDtmf', digits: '12#' }] : [],
    )
    expect(play({ callee, forMs: 100 })).toEqual([{ atMs: 0, what: 'keys 12#' }])
  })

  it('hangs up after five minutes whoever is on the line', () => {
    expect(play({ callee: listener().callee, forMs: 400_000 })).toEqual([
      { atMs: 299_980, what: 'hangs up' },
    ])
  })
})
