import { afterEach, describe, expect, it } from 'vitest'

import {
  alwaysOpen,
  LocalStackProcess,
  startProgram,
  type Program,
} from '#test/support/local-stack.ts'
import { descendantsOf } from '#test/support/process-tree.ts'
import { until } from '#test/support/until.ts'

/** Leases run out sooner; nobody listens closely to these calls. */
const SPEED = 4
const PERMITS_BACK_WITHIN_MS = 60_000
const RETRY_DELAY_SECS = 7_200
/** One line, so that a second call waits for the first one's place. */
const CONCURRENCY = { key: 'line', max: 1 }
const PROMPT = 'You are Ava from Northwind Dental. Offer a check-up.'

const cleanUps: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function start(...args: string[]): Promise<LocalStackProcess> {
  const stack = await LocalStackProcess.start({ args: ['--speed', String(SPEED), ...args] })
  cleanUps.push(() => stack.stop())
  return stack
}

async function startRuntime(stack: LocalStackProcess): Promise<Program> {
  const runtime = startProgram('infra/local/voice-runtime.ts', [
    '--local-url',
    stack.ready.local_url,
  ])
  cleanUps.push(() => {
    runtime.kill('SIGTERM')
    return runtime.exit
  })
  await until('the runtime is ready', () => /ready/.exec(runtime.stdout()))
  return runtime
}

/** Two calls of which the second waits for the first, whose runtime dies while it speaks. */
async function killDuringCall(
  stack: LocalStackProcess,
  { kill, retryDelaySecs }: { kill: () => unknown; retryDelaySecs: number },
) {
  const place = (attempts: number, longestSecs: number) =>
    stack.placeCall({
      phone_number: '+12025550100',
      concurrency: CONCURRENCY,
      assistant: {
        prompt: PROMPT,
        max_call_duration_secs: longestSecs,
        call_retry_config: alwaysOpen(attempts, retryDelaySecs),
      },
    })
  const { id } = await place(2, 20)
  await stack.callOnce(id, (call) => (call.last_call_attempt?.transcript.length ?? 0) > 0)
  const waiting = (await place(1, 5)).id
  await kill()
  const killedAt = await stack.now()
  return { id, waiting, killedAt }
}

/** The first attempt ended with its runtime, and its place went to the call that waited for it. */
async function expectAftermath(
  stack: LocalStackProcess,
  { id, waiting, killedAt }: Awaited<ReturnType<typeof killDuringCall>>,
): Promise<void> {
  const call = await stack.callOnce(
    id,
    ({ call_attempts }) => call_attempts.at(-1)!.ended_at !== null,
  )
  expect(call.call_attempts.at(-1)).toMatchObject({
    status: 'completed',
    ended_by: 'system',
    end_reason: null,
    result: 'unknown',
    recording_url: null,
  })
  await stack.callOnce(waiting, ({ calls_count }) => calls_count === 1)
  expect((await stack.now()) - killedAt).toBeLessThan(PERMITS_BACK_WITHIN_MS)
  expect(await stack.callEnded(waiting)).toMatchObject({ status: 'completed', calls_count: 1 })
  expect(await stack.dials(waiting)).toHaveLength(1)
}

/** The retry policy went on, and no attempt was dialled twice. */
async function expectReachedAtSecondAttempt(stack: LocalStackProcess, id: string): Promise<void> {
  const call = await stack.callEnded(id)
  expect(call).toMatchObject({ status: 'completed', calls_count: 2 })
  expect(call.last_call_attempt).toMatchObject({ status: 'completed', result: 'human' })
  const dialled = (await stack.dials(id)).map(({ attempt_id }) => attempt_id)
  expect(dialled).toEqual(call.call_attempts.map((attempt) => attempt.id).toReversed())
}

describe('kill -9 of the voice runtime during a call', () => {
  it('is survived when somebody else runs it', async () => {
    const stack = await start('--no-voice-runtime')
    const runtime = await startRuntime(stack)
    const killed = await killDuringCall(stack, {
      kill: () => {
        runtime.kill('SIGKILL')
        return runtime.exit
      },
      retryDelaySecs: RETRY_DELAY_SECS,
    })
    await startRuntime(stack)
    await expectAftermath(stack, killed)
    expect((await stack.getCall(killed.id)).status).toBe('scheduled')
    await stack.advance(RETRY_DELAY_SECS)
    await expectReachedAtSecondAttempt(stack, killed.id)
  })

  it('is survived when the stack runs it, which starts another', async () => {
    const stack = await start()
    const [runtime] = runtimesOf(stack)
    const killed = await killDuringCall(stack, {
      kill: () => process.kill(runtime!.pid, 'SIGKILL'),
      retryDelaySecs: 0,
    })
    await expectAftermath(stack, killed)
    await expectReachedAtSecondAttempt(stack, killed.id)
    expect(runtimesOf(stack)).toHaveLength(1)
    expect(runtimesOf(stack)[0]!.pid).not.toBe(runtime!.pid)
  })
})

const runtimesOf = (stack: LocalStackProcess) =>
  descendantsOf(stack.program.pid).filter(({ command }) => command.includes('voice-runtime.ts'))
