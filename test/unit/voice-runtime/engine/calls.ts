/** Calls that have come to an interesting point. */

import { Scenario } from './scenario.ts'
import type { ScenarioOptions } from './scenario.ts'

export const END_CALL = [{ name: 'end_call', arguments: '{"reason":"done"}' }]
export const STORY =
  'Once upon a time there was a fox. It lived in a wood. It was very happy there.'

/** A call in which greeting and first sentence are over. */
export function opened(options: ScenarioOptions = {}): Scenario {
  return new Scenario(options).waits(500).says('Hello?').listens().waits(300)
}

/** The callee hears a long answer, and is some words into it. */
export function inStory(options: ScenarioOptions = {}): Scenario {
  return opened({ answers: [STORY], ...options })
    .says('Tell me a story.')
    .waitsForVoice()
    .waits(1_000)
}
