import { readdirSync, readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { stageCall } from '#test/unit/voice-runtime/session/call-stage.ts'
import {
  historyText,
  holdAgain,
  readHistory,
  withDecisionsOfNow,
} from '#voice/session/call-history.ts'

const folder = new URL('histories/', import.meta.url)
const stored = readdirSync(folder).map((name) => {
  const text = readFileSync(new URL(name, folder), 'utf8')
  return { name, history: readHistory(text) }
})

describe('calls of the local stack, held again', () => {
  it.each(stored)('$name: every decision is as it was', ({ history }) => {
    const differing = holdAgain(history).filter(({ isAsRecorded }) => !isAsRecorded)
    // Wanted? `npm run replay -- --accept <files>` records what is decided now.
    expect(differing).toEqual([])
  })

  it.each(stored)('$name: is stored and read without a loss', ({ history }) => {
    expect(readHistory(historyText(history))).toEqual(history)
    expect(history.steps.at(-1)?.event.atMs).toBeGreaterThan(1_000)
  })
})

describe('the history of a call', () => {
  it('has all that the conversation decided', async () => {
    const stage = stageCall({ answers: ['We open at nine.'] })
    stage.callee.say('hello')
    await stage.untilSaid('Hello this is Ava speaking.')
    stage.callee.say('when do you open')
    await stage.untilSaid('We open at nine.')
    stage.callee.hangUp()
    const report = await stage.end()
    const again = holdAgain(readHistory(historyText(report.history)))
    expect(again.every(({ isAsRecorded }) => isAsRecorded)).toBe(true)
    const commands = again.flatMap((step) => step.commands)
    const entries = commands.filter((command) => command.type === 'appendTranscript')
    expect(entries.map(({ entry }) => entry)).toEqual(report.transcript)
  })

  it('tells where another engine decides otherwise, and takes that over when asked to', () => {
    const { history } = stored[0]!
    const settings = { ...history.settings, firstSentenceDelayMs: 17, firstSentence: 'Other.' }
    const changed = { ...history, settings }
    expect(holdAgain(changed).some(({ isAsRecorded }) => !isAsRecorded)).toBe(true)
    const accepted = holdAgain(withDecisionsOfNow(changed))
    expect(accepted.every(({ isAsRecorded }) => isAsRecorded)).toBe(true)
  })

  it.each([
    ['nothing', ''],
    ['no JSON', 'hello'],
    ['an event without its call', '{"event":{"atMs":1,"type":"llmDone"},"commands":""}'],
  ])('is not read from %s', (_name, text) => {
    expect(() => readHistory(text)).toThrow(/history/)
  })
})
