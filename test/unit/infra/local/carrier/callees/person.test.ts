import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { CalleeEvent } from '#infra/local/carrier/callee.ts'
import { person, type PersonScript } from '#infra/local/carrier/callees/person.ts'
import type { CalleeClipId } from '#shared/audio/clips/callee-clips.ts'

const SCRIPT: PersonScript = {
  greeting: 'hello',
  answers: ['yes_speaking', 'sounds_good'],
  farewell: 'goodbye',
  interjections: ['wait_a_moment', 'mm_hm'],
  reactionMs: 500,
  hangsUpAfterMs: null,
}

const ms = fc.nat(1_000)
const untimed = fc.oneof(
  fc.record({ type: fc.constant('agentSpeechStarted' as const), startedAtMs: ms }),
  fc.record({ type: fc.constant('agentSpeechEnded' as const), endedAtMs: ms }),
  fc.record({
    type: fc.constant('agentWords' as const),
    text: fc.constantFrom('hello', 'Good', 'bye.'),
  }),
  fc.constant({ type: 'clipFinished' as const }),
  fc.record({
    type: fc.constant('timer' as const),
    name: fc.constantFrom('speak' as const, 'reply' as const, 'interject' as const),
  }),
)

describe('person', () => {
  it('says each line at most once, in order, and never two at a time', () => {
    fc.assert(
      fc.property(fc.array(untimed, { maxLength: 60 }), (happenings) => {
        const callee = person({ ...SCRIPT, greeting: null })
        const said: CalleeClipId[] = []
        let { state } = callee.react(callee.initial, { type: 'answered', atMs: 0 })
        let playing: CalleeClipId | null = null
        for (const [index, happening] of happenings.entries()) {
          const atMs = 20 * (index + 1)
          let event: CalleeEvent
          if (happening.type !== 'clipFinished') event = { ...happening, atMs }
          else if (playing === null) continue
          else event = { type: 'clipFinished', clip: playing, atMs }
          if (event.type === 'clipFinished') playing = null
          const reaction = callee.react(state, event)
          state = reaction.state
          for (const action of reaction.actions) {
            if (action.type !== 'playClip') continue
            expect(playing).toBeNull()
            playing = action.clip
            said.push(action.clip)
          }
        }
        const only = (clips: readonly CalleeClipId[]) => said.filter((clip) => clips.includes(clip))
        const lines = only([...SCRIPT.answers, 'goodbye'])
        const answered = lines.filter((clip) => clip !== 'goodbye')
        expect(answered).toEqual(SCRIPT.answers.slice(0, answered.length))
        expect(lines.slice(0, -1)).not.toContain('goodbye')
        const interjected = only(SCRIPT.interjections)
        expect(interjected).toEqual(SCRIPT.interjections.slice(0, interjected.length))
      }),
    )
  })

  it.each([
    ['Goodbye.', true],
    ['bye', true],
    ['bypass', false],
    ['goodness', false],
  ])('takes %j for a farewell: %s', (text, expected) => {
    const callee = person(SCRIPT)
    const { state } = callee.react(callee.initial, { type: 'agentWords', text, atMs: 20 })
    expect(state.heardGoodbye).toBe(expected)
  })
})
