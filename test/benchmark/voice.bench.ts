import os from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

import type { BenchmarkResult } from './run.ts'
import { newCertificate } from './voice/certificate.ts'
import { NICENESS, PinnedProcess } from './voice/pinned-process.ts'
import type { FromRuntime, RuntimeReport, ToRuntime } from './voice/runtime-process.ts'
import { spreadOf } from './voice/samples.ts'
import type { Spread } from './voice/samples.ts'
import { ROUND_FRAMES } from './voice/script.ts'
import type { FromWorld, ToWorld, WorldReport } from './voice/world.ts'

/** Sessions at once, in turn; the search ends when one of the limits is passed. */
const STEPS = (process.env['VOICE_STEPS'] ?? '1,20,50,100,150,200,250').split(',').map(Number)
const MEASURED_SECS = Number(process.env['VOICE_SECS'] ?? 30)
const ROUND_SECS = (ROUND_FRAMES * 20) / 1_000
const LIMITS = { latenessP99Ms: 10, cpuPercent: 70 }
/** How the main thread is kept busy while the sound of so many calls is listened to. */
const BLOCKED = { sessions: 20, ms: 60, everyMs: 100 }

interface StepFigures {
  readonly sessions: number
  readonly cpuPercent: number
  readonly cpuPercentPerSession: number
  readonly mainLoopPercent: number
  readonly rssMb: number
  readonly mbPerSession: number
  readonly frameLatenessMs: Spread
  readonly tickerLatenessP99PerSecondMs: Spread
  readonly turns: number
  readonly addedDelayMs: Readonly<Record<string, Spread>>
  readonly interruptionToClearMs: Spread
  readonly droppedCalls: number
  readonly isWithinLimits: boolean
  readonly machineLoad: number
  readonly world: { readonly cpuPercent: number; readonly eventLoopDelayP99Ms: number }
}

/**
 * How many calls one processor carries, and what our own code adds to every turn. The runtime has one
 * processor, carriers and vendors (over TLS) the other.
 */
export async function voiceBenchmark(): Promise<BenchmarkResult> {
  const bench = await startBench()
  try {
    const steps: StepFigures[] = []
    let blocked: StepFigures | null = null
    for (const sessions of STEPS) {
      const step = await bench.measure(sessions)
      console.error(JSON.stringify(step))
      steps.push(step)
      if (sessions === BLOCKED.sessions) blocked = await bench.measure(sessions, BLOCKED)
      if (!step.isWithinLimits) break
    }
    const passed = steps.filter((step) => step.isWithinLimits)
    const best = passed.at(-1)
    const at100 = steps.find(({ sessions }) => sessions === 100) ?? steps.at(-1)!
    return {
      figures: {
        niceness: NICENESS,
        sessionsPerProcessor: best?.sessions ?? 0,
        limits: LIMITS,
        mainThreadBlocked: { ...BLOCKED, frameLatenessMs: blocked?.frameLatenessMs ?? null },
        steps,
      },
      judged: {
        'voice.addedDelayMs.p50.at100': at100.addedDelayMs['perTurn']?.p50 ?? Infinity,
        'voice.addedDelayMs.p99.at100': at100.addedDelayMs['perTurn']?.p99 ?? Infinity,
        'voice.interruptionToClearMs.p99': at100.interruptionToClearMs.p99 ?? Infinity,
        'voice.mbPerSession': at100.mbPerSession,
      },
    }
  } finally {
    bench.stop()
  }
}

async function startBench() {
  const { file, ...tls } = newCertificate()
  const world = new PinnedProcess<ToWorld, FromWorld>({
    program: new URL('./voice/world.ts', import.meta.url),
    processor: 1,
  })
  world.send({ type: 'start', tls })
  const { urls } = await world.next('started')
  const runtime = new PinnedProcess<ToRuntime, FromRuntime>({
    program: new URL('./voice/runtime-process.ts', import.meta.url),
    processor: 0,
    env: { NODE_EXTRA_CA_CERTS: file },
  })
  runtime.on((message) => {
    if (message.type === 'dialled') world.send({ ...message, type: 'call' })
  })
  runtime.send({ type: 'start', urls })
  await runtime.next('started')
  await sleep(2_000)
  const idle = await memoryOf(runtime)
  let session = 0

  async function dial(count: number, overMs: number): Promise<void> {
    for (let each = 0; each < count; each += 1) {
      session += 1
      runtime.send({ type: 'dial', session })
      await sleep(overMs / count)
    }
  }

  return {
    async measure(
      sessions: number,
      block: { readonly ms: number; readonly everyMs: number } | null = null,
    ): Promise<StepFigures> {
      const open = (await memoryOf(runtime)).liveCalls
      // Evenly over a round, so that every moment of it happens at every time.
      await dial(sessions - open, ROUND_SECS * 1_000)
      await sleep(ROUND_SECS * 1_000)
      if (block !== null) runtime.send({ type: 'block', ms: block.ms, everyMs: block.everyMs })
      world.send({ type: 'measure' })
      runtime.send({ type: 'measure' })
      await runtime.next('measured')
      await sleep(MEASURED_SECS * 1_000)
      const answers = [runtime.next('reported'), world.next('reported')] as const
      runtime.send({ type: 'report' })
      world.send({ type: 'report' })
      const [own, seen] = await Promise.all(answers)
      if (block !== null) runtime.send({ type: 'block', ms: 0, everyMs: 0 })
      const { rssMb } = await memoryOf(runtime)
      return figuresOf(sessions, own.report, seen.report, rssMb - idle.rssMb)
    },
    stop() {
      runtime.stop()
      world.stop()
    },
  }
}

async function memoryOf(runtime: PinnedProcess<ToRuntime, FromRuntime>) {
  const answer = runtime.next('memory')
  runtime.send({ type: 'memory' })
  return answer
}

function figuresOf(
  sessions: number,
  own: RuntimeReport,
  seen: WorldReport,
  extraMb: number,
): StepFigures {
  const round = (value: number) => Math.round(value * 100) / 100
  const late = seen.pieceLateness.p99 ?? 0
  const added = addedTo(own, seen)
  return {
    sessions,
    cpuPercent: own.cpuPercent,
    cpuPercentPerSession: round(own.cpuPercent / sessions),
    mainLoopPercent: own.mainLoopPercent,
    rssMb: own.rssMb,
    mbPerSession: round(extraMb / sessions),
    frameLatenessMs: seen.pieceLateness,
    tickerLatenessP99PerSecondMs: own.tickerLatenessP99,
    turns: seen.turns,
    addedDelayMs: {
      frameToRecogniser: seen.frameToRecogniser,
      decisionToLlmRequest: spreadOf(added.map(({ llmMs }) => llmMs)),
      sentenceToTtsRequest: seen.sentenceToTts,
      ttsAudioToWire: seen.ttsToWire,
      perTurn: spreadOf(added.map(({ llmMs, ttsMs, wireMs }) => llmMs + ttsMs + wireMs)),
    },
    interruptionToClearMs: seen.interruptionToClear,
    droppedCalls: seen.droppedCalls,
    isWithinLimits:
      late < LIMITS.latenessP99Ms &&
      own.cpuPercent < LIMITS.cpuPercent &&
      own.liveCalls === sessions &&
      seen.droppedCalls === 0,
    machineLoad: round(os.loadavg()[0] ?? 0),
    world: { cpuPercent: seen.cpuPercent, eventLoopDelayP99Ms: seen.eventLoopDelayP99 },
  }
}

/** What our code added to each turn that was heard: its request belongs to the last decision before it. */
function addedTo(own: RuntimeReport, seen: WorldReport) {
  const decided = Map.groupBy(own.llmDecisions, ([session]) => session)
  return seen.turnsHeard.flatMap(({ session, requestAt, ttsMs, wireMs }) => {
    const last = decided.get(session)?.findLast(([, decidedAt]) => decidedAt <= requestAt)
    return last === undefined ? [] : [{ llmMs: requestAt - last[1], ttsMs, wireMs }]
  })
}
