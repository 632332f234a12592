import { describe, expect, it } from 'vitest'

import { SAMPLES_PER_MS } from '#shared/audio/frame.ts'

import { channelsOf, linesOf, stageCall } from './call-stage.ts'
import { SPEECH_BYTE, WORD_MS } from './scripted-callee.ts'
import { SPOKEN_WORD_MS, VOICE_BYTE } from './scripted-vendors.ts'

const OPENING = 'Hello this is Ava speaking.'

/** Ms during which a channel carries this byte. */
function msOf(channel: Uint8Array, byte: number): number {
  return channel.filter((sample) => sample === byte).length / SAMPLES_PER_MS
}

/** A call in which the callee greeted, and the agent has said its opening. */
async function openedCall(options: Parameters<typeof stageCall>[0] = {}) {
  const stage = stageCall(options)
  await stage.time.pass(500)
  stage.callee.say('hello')
  await stage.untilSaid(OPENING)
  await stage.time.pass(200)
  return stage
}

describe('a call', () => {
  it('opens, answers a question, and is reported when the callee hangs up', async () => {
    const stage = await openedCall({ answers: ['We open at nine.'] })
    stage.callee.say('when do you open')
    await stage.untilSaid('We open at nine.')
    stage.callee.hangUp()
    const report = await stage.end()
    expect(report).toMatchObject({ result: 'human', endedBy: 'user', endReason: null })
    expect(linesOf(report.transcript)).toEqual([
      'user: hello',
      `assistant: ${OPENING}`,
      'user: when do you open',
      'assistant: We open at nine.',
    ])
    expect(stage.live).toEqual(report.transcript)
    expect(report.speechEvents.map(({ speaker, wasCut }) => [speaker, wasCut])).toEqual([
      ['user', null],
      ['agent', false],
      ['user', null],
      ['agent', false],
    ])
    expect(new Set(report.speechEvents.map(({ id }) => id)).size).toBe(4)
    expect(report.history.steps.at(-1)?.event).toMatchObject({ type: 'calleeHungUp' })
  })

  it('leaves nothing behind when it is over', async () => {
    const stage = await openedCall({ answers: ['One moment please while I look it up for you.'] })
    stage.callee.say('when do you open')
    await stage.untilSpeaking('One moment please while I look it up for you.')
    stage.callee.hangUp()
    await stage.end()
    await stage.time.pass(100)
    expect(stage.time.waiting).toBe(0)
    expect([stage.model.open, stage.voice.open, stage.recogniser.openStreams]).toEqual([0, 0, 0])
  })

  it('sends audio at most 300 ms ahead of what is heard', async () => {
    const stage = stageCall()
    stage.callee.say('hello')
    await stage.untilSpeaking(OPENING)
    for (let step = 0; step < 50; step += 1) {
      const last = stage.callee.heard.at(-1)
      const until = last === undefined ? 0 : last.atMs + last.audio.length / SAMPLES_PER_MS
      expect(until - stage.time.now()).toBeLessThanOrEqual(300)
      await stage.time.pass(17)
    }
  })
})

describe('an interruption', () => {
  const LONG = 'We open at nine and we close at six on every day of the week.'

  async function interrupted() {
    const stage = await openedCall({ answers: [LONG, 'Of course.'] })
    stage.callee.say('when do you open')
    await stage.untilSpeaking(LONG)
    await stage.time.pass(4.5 * SPOKEN_WORD_MS)
    stage.callee.say('wait a moment please stop now')
    await stage.untilSaid('Of course.')
    stage.callee.hangUp()
    return { stage, report: await stage.end() }
  }

  it('silences the agent, and only what was heard counts as said', async () => {
    const { stage, report } = await interrupted()
    expect(stage.callee.sent).toContain('clear')
    const cut = stage.observed.find((one) => one.kind === 'interrupted')
    expect(cut?.text).toMatch(/^We open at nine/)
    expect(LONG.startsWith(cut?.text ?? '-')).toBe(true)
    expect(cut?.text.length).toBeLessThan(LONG.length - 10)
    expect(linesOf(report.transcript).slice(3)).toEqual([
      `assistant: ${cut?.text}`,
      'user: wait a moment please stop now',
      'assistant: Of course.',
    ])
    expect(stage.model.requests.at(-1)?.messages).toContainEqual(
      expect.objectContaining({ role: 'assistant', content: expect.stringContaining('We open') }),
    )
    expect(JSON.stringify(stage.model.requests.at(-1)?.messages)).not.toContain('week')
  })

  it.each([
    ['is not made of a short sound by a line that stands still', 600, false],
    ['is made of a long sound, also when it arrives late', 1_200, true],
  ])('%s', async (_name, soundMs, isInterrupted) => {
    // Nothing of this callee was understood so far: sound must do.
    const stage = stageCall({ assistant: { firstSentence: LONG } })
    stage.callee.cough(400)
    await stage.untilSpeaking(LONG)
    await stage.time.pass(200)
    stage.callee.cough(soundMs)
    await stage.time.pass(400)
    stage.callee.stall(1_000)
    await stage.time.pass(980)
    expect(stage.callee.sent).not.toContain('clear')
    await stage.time.pass(100)
    expect(stage.callee.sent.includes('clear')).toBe(isInterrupted)
    stage.callee.hangUp()
    await stage.end()
  })

  it('is recorded as the callee heard it', async () => {
    const { stage, report } = await interrupted()
    const { agent } = await channelsOf(report.recording)
    const heardMs = stage.callee.heard.reduce(
      (sum, { audio }) => sum + audio.length / SAMPLES_PER_MS,
      0,
    )
    expect(Math.abs(msOf(agent, VOICE_BYTE) - heardMs)).toBeLessThanOrEqual(20)
    for (const { atMs, audio } of stage.callee.heard) {
      const middle = Math.floor((atMs + audio.length / SAMPLES_PER_MS / 2) * SAMPLES_PER_MS)
      expect(agent[middle]).toBe(VOICE_BYTE)
    }
  })
})

describe('the recording', () => {
  it('has both sides in their channels and is as long as the call', async () => {
    const stage = await openedCall()
    stage.callee.hangUp()
    const report = await stage.end()
    const { callee, agent } = await channelsOf(report.recording)
    expect(callee.length).toBe(report.durationMs * SAMPLES_PER_MS)
    expect(agent.length).toBe(callee.length)
    expect(msOf(callee, SPEECH_BYTE)).toBe(WORD_MS)
    expect(msOf(agent, VOICE_BYTE)).toBe(5 * SPOKEN_WORD_MS)
    expect(Math.abs(callee.indexOf(SPEECH_BYTE) / SAMPLES_PER_MS - 500)).toBeLessThanOrEqual(20)
  })
})

describe('the end of a call', () => {
  it('comes from the model by its tool', async () => {
    const stage = await openedCall({
      answers: [{ text: 'Goodbye.', tool: 'end_call', arguments: '{}' }],
    })
    stage.callee.say('thank you that is all')
    const report = await stage.end()
    expect(report).toMatchObject({ endedBy: 'agent', endReason: 'tool_end_call' })
    expect(stage.hangUps).toHaveLength(1)
    expect(stage.callee.isClosed).toBe(true)
    expect(linesOf(report.transcript)).toContain('assistant: Goodbye.')
  })

  it('keeps what was heard of a sentence during which the callee hung up', async () => {
    const stage = await openedCall({ answers: ['We open at nine and close at six every day.'] })
    stage.callee.say('when do you open')
    await stage.untilSpeaking('We open at nine and close at six every day.')
    await stage.time.pass(3.5 * SPOKEN_WORD_MS)
    stage.callee.hangUp()
    const report = await stage.end()
    expect(linesOf(report.transcript).at(-1)).toMatch(/^assistant: We open( at)?( nine)?$/)
    expect(report.speechEvents.at(-1)).toMatchObject({ speaker: 'agent', wasCut: true })
  })

  it('comes from outside', async () => {
    const stage = await openedCall()
    stage.session.requestEnd('client_initiated')
    const report = await stage.end()
    expect(report.endReason).toBe('client_initiated')
    expect(stage.callee.isClosed).toBe(true)
  })

  it('comes without a word when the call belongs to somebody else', async () => {
    const stage = await openedCall()
    stage.session.abandon()
    const report = await stage.end()
    expect(report).toMatchObject({ endedBy: 'system', endReason: null })
    expect(stage.hangUps).toEqual([])
    expect(stage.callee.isClosed).toBe(true)
    await stage.time.pass(100)
    expect(stage.time.waiting).toBe(0)
  })
})

describe('failures of vendors', () => {
  it('loses nothing of the callee when the recogniser has to be opened again', async () => {
    const stage = await openedCall({ answers: ['We open at nine.'] })
    stage.recogniser.failing = 2
    stage.callee.say('when do you open')
    await stage.untilSaid('We open at nine.')
    expect(stage.recogniser.opened.length).toBe(3)
    expect(stage.recogniser.openStreams).toBe(1)
    stage.callee.hangUp()
    expect(linesOf((await stage.end()).transcript)).toContain('user: when do you open')
  })

  it.each(['silence', 'failure'] as const)(
    'speaks all the same after %s of the model',
    async (problem) => {
      const stage = await openedCall({ answers: [{ problem }, { problem }, { problem }] })
      const before = stage.voice.texts.length
      stage.callee.say('when do you open')
      await stage.time.passUntil(() => stage.voice.texts.length > before)
      expect(stage.report()).toBeNull()
      stage.callee.hangUp()
      await stage.end()
      expect(stage.model.open).toBe(0)
    },
  )

  it('goes on when the voice fails once', async () => {
    const stage = stageCall()
    stage.voice.failing = 1
    stage.callee.say('hello')
    await stage.untilSaid(OPENING)
    expect(stage.voice.texts).toHaveLength(2)
  })

  it('answers a failing tool as a failing tool', async () => {
    const stage = await openedCall({
      answers: [{ tool: 'look_up', arguments: '{"day":"monday"}' }, 'I could not find it.'],
      assistant: {
        customTools: [
          {
            name: 'look_up',
            description: 'Looks up opening hours.',
            method: 'GET',
            url: 'https://example.com',
            headers: [],
            queryParams: [],
            bodyTemplate: null,
            inputSchema: [{ name: 'day', type: 'string', required: true }],
          },
        ],
      },
      tools: { call: () => Promise.reject(new Error('scripted')) },
    })
    stage.callee.say('when do you open')
    await stage.untilSaid('I could not find it.')
    expect(stage.observed).toContainEqual(
      expect.objectContaining({ kind: 'tool', name: 'look_up' }),
    )
    stage.callee.hangUp()
    const tool = (await stage.end()).transcript.find((entry) => entry.role === 'tool')
    expect(tool).toMatchObject({ toolName: 'look_up', toolIsError: true })
  })

  it('ends the call on a fault of ours, and reports what there is', async () => {
    const stage = await openedCall({
      answers: ['We open at nine.'],
      onTranscript(entry) {
        if (entry.content === 'when do you open') throw new Error('scripted')
      },
    })
    stage.callee.say('when do you open')
    const report = await stage.end()
    expect(report).toMatchObject({ result: 'human', endedBy: 'system', endReason: null })
    expect(linesOf(report.transcript).slice(0, 2)).toEqual(['user: hello', `assistant: ${OPENING}`])
    expect(report.recording?.samples).toBe(report.durationMs * SAMPLES_PER_MS)
    expect(stage.hangUps).toHaveLength(1)
    expect(stage.logger.messages).toContain('the conversation failed')
    await stage.time.pass(100)
    expect(stage.time.waiting).toBe(0)
  })
})

describe('what an observer sees', () => {
  it('is what is heard and said, and where the time of a turn went', async () => {
    const stage = await openedCall({ answers: ['We open at nine.'] })
    stage.callee.say('when do you open')
    await stage.untilSaid('We open at nine.')
    stage.callee.hangUp()
    await stage.end()
    expect(stage.observed.map((one) => one.kind)).toEqual([
      'heard',
      'speaking',
      'said',
      'heard',
      'latency',
      'speaking',
      'said',
      'ended',
    ])
    const latency = stage.observed.find((one) => one.kind === 'latency')
    expect(latency).toMatchObject({ llmTtftMs: 200, ttsTtfbMs: 100, firstAudioMs: 300 })
    expect(latency?.endOfTurnMs).toBeGreaterThan(0)
  })
})
