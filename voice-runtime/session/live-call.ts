import type { AssistantSettings } from '#shared/domain/assistant.ts'
import type { CallAttempt } from '#shared/domain/call-attempt/attempt.ts'
import type { CallOrder } from '#shared/domain/call-order/order.ts'
import { HEARTBEAT_MS, SESSION_LEASE_MS } from '#shared/domain/lease.ts'
import type { TranscriptEntry } from '#shared/domain/transcript.ts'
import type { CallStore } from '#shared/ports/call-store.ts'
import type { Clock } from '#shared/ports/clock.ts'
import type { Recordings } from '#shared/ports/recordings.ts'
import type { Telephony } from '#shared/ports/telephony.ts'
import type { Traces } from '#shared/ports/traces.ts'
import type { adoptAttempt } from '#shared/use-cases/adopt-attempt.ts'
import type { finishSession } from '#shared/use-cases/finish-session.ts'
import type { suppressNumber } from '#shared/use-cases/suppress-number.ts'

import type { CallMedia, CallReference, MediaArrival } from '../media-worker/call-media.ts'
import { wavOf } from '../media-worker/recorded-call.ts'
import type { RecordedCall } from '../media-worker/recorded-call.ts'
import { historyText } from './call-history.ts'
import type { CallHistory } from './call-history.ts'
import { startCallSession } from './call-session.ts'
import type {
  CallSession,
  CallSessionInput,
  CallSessionPorts,
  SessionReport,
} from './call-session.ts'
import { CallTracer } from './call-tracer.ts'
import { conversationSettings } from './conversation-settings.ts'
import type { SessionObservation } from './session-observation.ts'
import type { ToolCaller } from './thinking.ts'
import { tryRepeatedly } from './try-repeatedly.ts'

/** Waits before asking again when the table or the store does not answer. */
const ADOPT_AGAIN_AFTER_MS = [200, 500, 1_000]
const STORE_AGAIN_AFTER_MS = [500, 1_000, 2_000]
const HISTORY_TYPE = 'application/x-ndjson'
const REPORT_AGAIN_AFTER_MS = [200, 500, 1_000, 2_000, 5_000]

type InputOf<UseCase extends (ports: never, input: never) => unknown> = Parameters<UseCase>[1]
type AnswerOf<UseCase extends (ports: never, input: never) => unknown> = ReturnType<UseCase>

export interface LiveCallDeps extends Omit<CallSessionPorts, 'tools' | 'clock'> {
  /** The service's time: leases and reports. */
  readonly clock: Clock
  /** Audio's time: passes evenly and at the pace of the timers, also when the service's is moved. */
  readonly mediaClock: Clock
  /** The tools of this call, bound to its assistant and variables. */
  readonly toolsOf: (order: CallOrder, assistant: AssistantSettings) => ToolCaller
  readonly adoptAttempt: (input: InputOf<typeof adoptAttempt>) => AnswerOf<typeof adoptAttempt>
  readonly finishSession: (input: InputOf<typeof finishSession>) => AnswerOf<typeof finishSession>
  readonly suppressNumber: (input: InputOf<typeof suppressNumber>) => Promise<unknown>
  readonly calls: Pick<CallStore, 'extendLease' | 'appendTranscript'>
  readonly recordings: Pick<Recordings, 'put'>
  readonly telephony: Pick<Telephony, 'hangUp'>
  /** Where the time of each call is told; null: nowhere. */
  readonly traces?: Traces | null
  /** What somebody who watches sees of every call. */
  readonly observe?: (call: CallReference, observation: SessionObservation) => void
}

/** A call whose media has arrived at this process. */
export interface LiveCall {
  /** Resolves when everything about the call is stored, or given up. Never rejects. */
  readonly ended: Promise<void>
  /** The conversation is asked to end; harmless before it began and after it ended. */
  requestEnd(): void
}

/**
 * Adopts the attempt, holds its conversation, and stores what came of it. While it runs, its lease is
 * prolonged; a session whose lease belongs to somebody else ends without a word and reports nothing.
 */
export function startLiveCall(deps: LiveCallDeps, arrival: MediaArrival): LiveCall {
  let session: CallSession | null = null
  let isEndRequested = false
  const { orderId, number } = arrival
  const ended = hold(deps, arrival, (started) => {
    session = started
    if (isEndRequested) started.requestEnd('participant_removed')
  }).catch((error: unknown) => {
    deps.logger.error('a live call failed', { orderId, number, error })
    dismiss(arrival.media)
  })
  return {
    ended,
    requestEnd() {
      isEndRequested = true
      session?.requestEnd('participant_removed')
    },
  }
}

async function hold(
  deps: LiveCallDeps,
  arrival: MediaArrival,
  onStart: (session: CallSession) => void,
): Promise<void> {
  const { orderId, number, media } = arrival
  const call = { orderId, number }
  const adoption = await tryRepeatedly(deps, ADOPT_AGAIN_AFTER_MS, () => deps.adoptAttempt(call))
  if (adoption.kind === 'refused') {
    deps.logger.warn('media of an attempt that is not wanted', { ...call, reason: adoption.reason })
    dismiss(media)
    return
  }
  const { order, assistant, fence } = adoption
  const tracer = deps.traces ? new CallTracer() : null
  const startedAt = deps.clock.now() - Math.round(deps.mediaClock.now() - media.startedAt)
  const session = startCallSession(
    { ...deps, clock: deps.mediaClock, tools: deps.toolsOf(order, assistant) },
    {
      settings: conversationSettings({ assistant, order }),
      assistant,
      media,
      onTranscript: liveTranscript(deps, call),
      onHangUp: () => hangUp(deps, call, media.callId),
      onOptOut: () => suppress(deps, order, adoption.attempt),
      ...(tracer !== null && { onEvent: (...step) => tracer.note(...step) }),
      ...observerOf(deps, call),
    },
  )
  onStart(session)
  const lease = keepLease(deps, { ...call, fence }, () => session.abandon())
  try {
    const report = await session.report
    if (!lease.isLost()) await store(deps, { ...call, fence, at: deps.clock.now() }, report)
    report.recording?.file.close()
    if (tracer !== null) {
      const spans = tracer.finish(attributesOf(assistant, report))
      deps.traces?.export({ ...call, startedAt, spans })
    }
  } finally {
    lease.stop()
  }
}

function attributesOf(
  { llmModel }: AssistantSettings,
  { result, endedBy, endReason }: SessionReport,
): Readonly<Record<string, string>> {
  return {
    'call.result': result,
    'call.ended_by': endedBy,
    'call.end_reason': endReason ?? 'none',
    'llm.type': llmModel.type,
  }
}

/** Media that nobody will listen to. */
function dismiss(media: CallMedia): void {
  media.perform({ type: 'close' })
  void media.end(0).then((recorded) => recorded?.file.close())
}

function observerOf(deps: LiveCallDeps, call: CallReference): Pick<CallSessionInput, 'observer'> {
  const { observe } = deps
  return observe === undefined ? {} : { observer: (observation) => observe(call, observation) }
}

/** Prolongs the lease until it is stopped, or lost to another owner. */
function keepLease(
  deps: LiveCallDeps,
  owner: CallReference & { readonly fence: number },
  onLost: () => void,
): { stop(): void; isLost(): boolean } {
  const { orderId, number, fence } = owner
  let isLost = false
  let isStopped = false
  let cancel = deps.timers.after(HEARTBEAT_MS, beat)
  function beat(): void {
    const until = deps.clock.now() + SESSION_LEASE_MS
    deps.calls
      .extendLease(orderId, number, fence, until)
      .then((isOurs) => {
        if (isStopped) return
        isLost = !isOurs
        if (isLost) onLost()
        else cancel = deps.timers.after(HEARTBEAT_MS, beat)
      })
      .catch((error: unknown) => {
        deps.logger.warn('a lease could not be prolonged', { orderId, number, error })
        if (!isStopped) cancel = deps.timers.after(HEARTBEAT_MS, beat)
      })
  }
  return {
    stop() {
      isStopped = true
      cancel()
    },
    isLost: () => isLost,
  }
}

/** Stores one line after the other; a line that is lost here is still in the final report. */
function liveTranscript(deps: LiveCallDeps, call: CallReference): (entry: TranscriptEntry) => void {
  let index = 0
  let last = Promise.resolve()
  return (entry) => {
    const own = index
    index += 1
    last = last
      .then(() => deps.calls.appendTranscript(call.orderId, call.number, own, entry))
      .catch((error: unknown) => deps.logger.warn('a line was not stored', { ...call, error }))
  }
}

function hangUp(deps: LiveCallDeps, call: CallReference, carrierCallId: string): void {
  deps.telephony
    .hangUp(carrierCallId)
    .catch((error: unknown) => deps.logger.warn('the carrier did not hang up', { ...call, error }))
}

/** At once (decisions 5): the next order for this number may be due before the call has ended. */
function suppress(deps: LiveCallDeps, order: CallOrder, attempt: CallAttempt): void {
  const { organizationId, id: orderId, direction } = order
  const phoneNumber = direction === 'outbound' ? attempt.phoneNumber : attempt.fromPhoneNumber
  const reason = `asked for in call ${orderId}`
  tryRepeatedly(deps, STORE_AGAIN_AFTER_MS, () =>
    deps.suppressNumber({ organizationId, phoneNumber, reason }),
  ).catch((error: unknown) => deps.logger.error('an opt-out was lost', { orderId, error }))
}

/** The recording first, so that the report can name it. */
async function store(
  deps: LiveCallDeps,
  call: CallReference & { readonly fence: number; readonly at: number },
  report: SessionReport,
): Promise<void> {
  const { orderId, number, fence } = call
  const recordingKey = await storeRecording(deps, call, report.recording)
  await tryRepeatedly(deps, REPORT_AGAIN_AFTER_MS, () =>
    deps.finishSession({
      orderId,
      number,
      fence,
      at: call.at,
      result: report.result,
      endedBy: report.endedBy,
      endReason: report.endReason,
      transcript: report.transcript,
      speechEvents: report.speechEvents,
      recordingKey,
    }),
  )
  await storeHistory(deps, call, report.history)
}

/** For a replay; a call is complete without it. */
async function storeHistory(
  deps: LiveCallDeps,
  { orderId, number, fence }: CallReference & { readonly fence: number },
  history: CallHistory,
): Promise<void> {
  const text = Buffer.from(historyText(history))
  const content = {
    bytes: text.length,
    async *chunks() {
      yield text
    },
  }
  try {
    await deps.recordings.put(`${orderId}/${number}-${fence}.history.jsonl`, content, HISTORY_TYPE)
  } catch (error) {
    deps.logger.warn('the history of a call was not stored', { orderId, number, error })
  }
}

/** Where it is stored; null when there is none. */
async function storeRecording(
  deps: LiveCallDeps,
  call: CallReference & { readonly fence: number },
  recording: RecordedCall | null,
): Promise<string | null> {
  if (recording === null) return null
  const { orderId, number, fence } = call
  const key = `${orderId}/${number}-${fence}.wav`
  try {
    await tryRepeatedly(deps, STORE_AGAIN_AFTER_MS, () =>
      deps.recordings.put(key, wavOf(recording)),
    )
    return key
  } catch (error) {
    deps.logger.error('a recording was lost', { orderId, number, error })
    return null
  }
}
