import { encodeMulaw } from '#shared/audio/mulaw.ts'
import { parseWav, wavChannels } from '#shared/audio/wav.ts'
import type { AssistantSettings } from '#shared/domain/assistant.ts'
import type { TranscriptEntry } from '#shared/domain/transcript.ts'
import { assistantSettings } from '#test/support/assistant-settings.ts'
import { bytesOf } from '#test/support/recorded-sound.ts'
import { wavOf } from '#voice/media-worker/recorded-call.ts'
import type { RecordedCall } from '#voice/media-worker/recorded-call.ts'
import { startCallSession } from '#voice/session/call-session.ts'
import type { SessionReport } from '#voice/session/call-session.ts'
import { conversationSettings } from '#voice/session/conversation-settings.ts'
import type { SessionObservation } from '#voice/session/session-observation.ts'
import type { ToolCaller } from '#voice/session/thinking.ts'

import { liveScriptedMedia } from '../media-worker/live-scripted-media.ts'
import { ManualTime } from './manual-time.ts'
import { ScriptedCallee, ScriptedRecogniser } from './scripted-callee.ts'
import {
  collectingLogger,
  ScriptedModel,
  ScriptedVoice,
  noRealtimeModel,
} from './scripted-vendors.ts'
import type { ScriptedAnswer } from './scripted-vendors.ts'

export interface StageOptions {
  readonly assistant?: Partial<AssistantSettings>
  /** Of the model, in order. */
  readonly answers?: readonly ScriptedAnswer[]
  readonly tools?: ToolCaller
  /** Called for each line, before it is kept. */
  readonly onTranscript?: (entry: TranscriptEntry) => void
}

/** One call with a scripted callee and scripted vendors, in virtual time. */
export function stageCall(options: StageOptions = {}) {
  const time = new ManualTime()
  const callee = new ScriptedCallee(time)
  const recogniser = new ScriptedRecogniser(callee)
  const model = new ScriptedModel(time, options.answers ?? [])
  const voice = new ScriptedVoice(time)
  const logger = collectingLogger()
  const observed: SessionObservation[] = []
  const live: TranscriptEntry[] = []
  const hangUps: number[] = []
  let ids = 0
  let report: SessionReport | null = null
  const assistant = assistantSettings({
    firstSentence: 'Hello this is Ava speaking.',
    firstSentenceMode: 'static',
    ...options.assistant,
  })
  const session = startCallSession(
    {
      speechToText: recogniser,
      textToSpeech: voice,
      languageModel: model,
      realtimeModel: noRealtimeModel,
      tools: options.tools ?? { call: async () => ({ output: 'done', isError: false }) },
      timers: time,
      clock: time,
      logger,
      ids: { next: (prefix) => `${prefix}_${(ids += 1)}`, random: () => 0.5 },
    },
    {
      settings: conversationSettings({
        assistant,
        order: { direction: 'outbound', promptVariables: { name: 'Ada' } },
      }),
      assistant,
      media: liveScriptedMedia(time, callee),
      onTranscript: (entry) => {
        options.onTranscript?.(entry)
        live.push(entry)
      },
      onHangUp: () => void hangUps.push(time.now()),
      observer: (observation) => observed.push(observation),
    },
  )
  void session.report.then((done) => (report = done))

  return {
    time,
    callee,
    recogniser,
    model,
    voice,
    logger,
    observed,
    live,
    hangUps,
    session,
    report: () => report,
    /** Until the agent has said this sentence to its end. */
    untilSaid: (text: string) =>
      time.passUntil(() => observed.some((one) => one.kind === 'said' && one.text === text)),
    untilSpeaking: (text: string) =>
      time.passUntil(() => observed.some((one) => one.kind === 'speaking' && one.text === text)),
    async end(): Promise<SessionReport> {
      await time.passUntil(() => report !== null)
      if (report === null) throw new Error('the session did not end')
      return report
    },
  }
}

/** `user: text` or `assistant: text` or `tool: name`. */
export function linesOf(transcript: readonly TranscriptEntry[]): string[] {
  return transcript.map((entry) => `${entry.role}: ${entry.toolName ?? entry.content}`)
}

/** Both channels of a recording as mu-law bytes. */
export async function channelsOf(
  recording: RecordedCall | null,
): Promise<{ callee: Uint8Array; agent: Uint8Array }> {
  if (recording === null) throw new Error('no recording')
  const wav = await bytesOf(wavOf(recording))
  const [callee, agent] = wavChannels(parseWav(wav)).map(encodeMulaw)
  if (callee === undefined || agent === undefined) throw new Error('not a stereo recording')
  return { callee, agent }
}
