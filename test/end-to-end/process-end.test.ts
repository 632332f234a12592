import { afterEach, describe, expect, it } from 'vitest'

import { LocalStackProcess, startProgram, temporaryFolder } from '#test/support/local-stack.ts'
import { descendantsOf, survivorsOf } from '#test/support/process-tree.ts'
import { until } from '#test/support/until.ts'

const PROMPT = 'You are Ava from Northwind Dental. Offer a check-up.'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

function newFolder(): string {
  const folder = temporaryFolder()
  cleanUps.push(() => folder.remove())
  return folder.path
}

/** A program, ended at the end of the test at the latest. */
function start(file: string, args: readonly string[] = []) {
  const program = startProgram(file, args)
  cleanUps.push(() => {
    program.kill('SIGKILL')
    return program.exit
  })
  return program
}

/** Everything below a process as soon as a command of that kind is among it. */
function onceBelow(pid: number, command: RegExp) {
  return until(`${command} runs`, () => {
    const below = descendantsOf(pid)
    return below.some((entry) => command.test(entry.command)) ? below : null
  })
}

const untilGone = (processes: Parameters<typeof survivorsOf>[0]) =>
  until('none of them is left', () => (survivorsOf(processes).length === 0 ? true : null))

describe('an end while the stack starts', () => {
  it.each([
    ['the database starts', /^java /],
    ['the voice runtime starts', /voice-runtime\.ts/],
  ])('SIGTERM while %s leaves nothing', async (_, command) => {
    const program = start('infra/local/start.ts', ['--json', '--port', '0', '--data', newFolder()])
    const below = await onceBelow(program.pid, command)
    program.kill('SIGTERM')
    expect(await program.exit).toEqual({ code: 0, signal: null })
    expect(survivorsOf(below)).toEqual([])
    expect(program.stderr()).toBe('')
  })

  it('kill -9 while the database starts leaves nothing', async () => {
    const program = start('infra/local/start.ts', ['--json', '--port', '0', '--data', newFolder()])
    const below = await onceBelow(program.pid, /^java /)
    program.kill('SIGKILL')
    await untilGone(below)
  })
})

describe('an end of a stack that is up', () => {
  it('kill -9 leaves nothing, and the folder to the next', async () => {
    const data = newFolder()
    const stack = await LocalStackProcess.start({ data })
    const below = descendantsOf(stack.program.pid)
    expect(below.filter(({ command }) => /^java |voice-runtime/.test(command))).toHaveLength(2)
    await stack.stop('SIGKILL')
    const next = await LocalStackProcess.start({ data })
    cleanUps.push(() => next.stop())
    expect(next.ready.api_key).toBe(stack.ready.api_key)
    await untilGone(below)
  })

  it('Ctrl-C during a call is orderly and quiet', async () => {
    const data = newFolder()
    const stack = await LocalStackProcess.start({ data, args: ['--voice', 'speech'] })
    const { id } = await stack.placeCall({
      phone_number: '+12025550100',
      force_now: true,
      assistant: { prompt: PROMPT },
    })
    const isTalking = (transcript: readonly { role: string }[] = []) =>
      transcript.some(({ role }) => role === 'assistant')
    await stack.callOnce(id, (call) => isTalking(call.last_call_attempt?.transcript))
    const below = descendantsOf(stack.program.pid)
    stack.program.interrupt()
    expect(await stack.program.exit).toEqual({ code: 0, signal: null })
    expect(survivorsOf(below)).toEqual([])
    expect(stack.program.stderr()).toBe('')

    const next = await LocalStackProcess.start({ data })
    cleanUps.push(() => next.stop())
    expect((await next.callEnded(id)).last_call_attempt).toMatchObject({
      status: 'completed',
      ended_by: 'system',
      end_reason: 'participant_removed',
      recording_url: expect.any(String),
    })
  })
})

it('SIGTERM to the demo during its call leaves nothing', async () => {
  const program = start('infra/local/demo.ts')
  await until('the agent speaks', () => /agent {3}\w/.exec(program.stdout()))
  const below = descendantsOf(program.pid)
  program.kill('SIGTERM')
  expect(await program.exit).toEqual({ code: 128 + 15, signal: null })
  expect(survivorsOf(below)).toEqual([])
  expect(program.stderr()).toBe('')
})

it('a voice runtime whose stack is gone says so and fails', async () => {
  const stack = await LocalStackProcess.start({ args: ['--no-voice-runtime'] })
  const { local_url: localUrl } = stack.ready
  const runtime = start('infra/local/voice-runtime.ts', ['--local-url', localUrl])
  await until('the runtime is ready', () => /ready/.exec(runtime.stdout()))
  await stack.stop('SIGKILL')
  expect(await runtime.exit).toEqual({ code: 1, signal: null })
  expect(runtime.stderr()).toBe(`The local stack at ${localUrl} is gone.\n`)
})
