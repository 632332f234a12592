import { configuredVendors } from '#shared/adapters/configured-vendors.ts'
import { chatCompletions } from '#shared/adapters/llm/chat-completions.ts'
import { endpointFor } from '#shared/adapters/llm/llm-endpoint.ts'
import { readCalleeClips } from '#shared/adapters/stt/callee-clip-audio.ts'
import { simulatedTones } from '#shared/adapters/tts/simulated-tones.ts'
import { energyVoiceActivity } from '#shared/adapters/vad/energy.ts'
import type { CalleeClipId } from '#shared/audio/clips/callee-clips.ts'
import { ToneWordDecoder } from '#shared/audio/tone-words.ts'
import type { AssistantSettings } from '#shared/domain/assistant.ts'
import { assistantSettings } from '#test/support/assistant-settings.ts'
import {
  chunk,
  startFakeChatCompletions,
  streamOf,
  type FakeChatCompletions,
} from '#test/support/fake-chat-completions.ts'
import { parrot } from '#test/support/fakes/fake-caller.ts'
import type { BrainInput, FakeBrain } from '#test/support/fakes/fake-caller.ts'
import { CARTESIA_KEY, startFakeCartesia } from '#test/support/fakes/fake-cartesia.ts'
import { ELEVENLABS_KEY, startFakeElevenLabs } from '#test/support/fakes/fake-elevenlabs.ts'
import { GEMINI_KEY, startFakeGeminiLive } from '#test/support/fakes/fake-gemini-live.ts'
import { INWORLD_KEY, startFakeInworld } from '#test/support/fakes/fake-inworld.ts'
import { OPENAI_KEY, startFakeOpenAiRealtime } from '#test/support/fakes/fake-openai-realtime.ts'
import { SONIOX_KEY, startFakeSoniox } from '#test/support/fakes/fake-soniox.ts'
import { SpeechGate } from '#test/support/fakes/speech-gate.ts'
import { liveScriptedMedia } from '#test/unit/voice-runtime/media-worker/live-scripted-media.ts'
import { ManualTime } from '#test/unit/voice-runtime/session/manual-time.ts'
import { ScriptedCallee } from '#test/unit/voice-runtime/session/scripted-callee.ts'
import { collectingLogger } from '#test/unit/voice-runtime/session/scripted-vendors.ts'
import type { SessionReport } from '#voice/session/call-session.ts'
import { startCallSession } from '#voice/session/call-session.ts'
import { conversationSettings } from '#voice/session/conversation-settings.ts'
import type { ToolCaller } from '#voice/session/thinking.ts'

const clips = readCalleeClips()

/** Fakes of every vendor, for as many calls as a test wants. */
export async function startVendors() {
  const timers = new ManualTime()
  const gate = new SpeechGate()
  let brain = parrot
  const realtime = { timers, pace: gate.pace, brain: (input: BrainInput) => brain(input) }
  const [soniox, cartesia, elevenLabs, inworld, openAi, gemini, chat, otherChat] =
    await Promise.all([
      startFakeSoniox({ timers }),
      startFakeCartesia(),
      startFakeElevenLabs({ timers }),
      startFakeInworld(),
      startFakeOpenAiRealtime(realtime),
      startFakeGeminiLive(realtime),
      startFakeChatCompletions(),
      startFakeChatCompletions(),
    ])
  const fakes = { soniox, cartesia, elevenLabs, inworld, openAi, gemini, chat, otherChat }
  return {
    ...fakes,
    /** How far the speech-to-speech models speak. */
    gate,
    /** What they think from now on. */
    think: (next: FakeBrain) => {
      brain = next
    },
    environment: {
      STT_API_KEY: SONIOX_KEY,
      STT_URL: soniox.url,
      VOICE_PROVIDER_1_API_KEY: CARTESIA_KEY,
      VOICE_PROVIDER_1_URL: cartesia.url,
      VOICE_PROVIDER_2_API_KEY: ELEVENLABS_KEY,
      VOICE_PROVIDER_2_URL: elevenLabs.url,
      VOICE_PROVIDER_3_API_KEY: INWORLD_KEY,
      VOICE_PROVIDER_3_URL: inworld.url,
      REALTIME_PROVIDER_1_API_KEY: OPENAI_KEY,
      REALTIME_PROVIDER_1_URL: openAi.url,
      REALTIME_PROVIDER_2_API_KEY: GEMINI_KEY,
      REALTIME_PROVIDER_2_URL: gemini.url,
    },
    async settled(): Promise<void> {
      const sockets = [soniox, cartesia, elevenLabs, inworld, openAi, gemini]
      for (const fake of sockets) await fake.settled()
    },
    async [Symbol.asyncDispose]() {
      for (const fake of Object.values(fakes)) await fake[Symbol.asyncDispose]()
    },
  }
}

export type Vendors = Awaited<ReturnType<typeof startVendors>>

/** A language model that says this. */
export function saying(text: string) {
  const pieces = text.match(/\S+\s*/g) ?? []
  return streamOf(...pieces.map((content) => chunk({ content })), chunk({}, 'stop'))
}

/** A language model that says this and ends the call. */
export function leaving(text: string) {
  const call = { index: 0, id: 'call_1', function: { name: 'end_call', arguments: '{}' } }
  return streamOf(chunk({ content: text }), chunk({ tool_calls: [call] }), chunk({}, 'tool_calls'))
}

/**
 * A call whose every vendor is a fake behind a real socket. Time stands still until the test lets it
 * pass; after every 20 ms of it the sockets come to rest.
 */
export function startVendorCall(
  vendors: Vendors,
  changes: Partial<AssistantSettings> = {},
  tools: ToolCaller = { call: async () => ({ output: 'done', isError: false }) },
) {
  const time = new ManualTime()
  const logger = collectingLogger()
  const callee = new ScriptedCallee(time)
  const deps = { timers: time, logger }
  const at = ({ baseUrl }: FakeChatCompletions, modelName: string) => ({
    baseUrl,
    apiKey: 'key',
    modelName,
  })
  const dedicated = {
    dedicated_model_1: at(vendors.chat, 'first'),
    dedicated_model_2: at(vendors.otherChat, 'second'),
  }
  const configured = configuredVendors(vendors.environment, {
    ...deps,
    simulatedVoice: simulatedTones(),
    model: chatCompletions({
      resolve: (model) => endpointFor(model, { dedicated, router: null }),
      fetch,
      guardedFetch: fetch,
      timers: time,
    }),
  })
  const assistant = assistantSettings({
    prompt: 'You are Ava from Northwind Dental.',
    firstSentence: 'Hello this is Ava speaking.',
    firstSentenceMode: 'static',
    voice: { id: 'vp1-ava', provider: 'voice_provider_1' },
    ...changes,
  })
  let ids = 0
  let optOuts = 0
  let report: SessionReport | null = null
  const session = startCallSession(
    {
      ...configured,
      tools,
      timers: time,
      clock: time,
      logger,
      ids: { next: (prefix) => `${prefix}_${(ids += 1)}`, random: () => 0.5 },
    },
    {
      settings: conversationSettings({
        assistant,
        order: { direction: 'outbound', promptVariables: {} },
      }),
      assistant,
      media: liveScriptedMedia(time, callee, energyVoiceActivity()),
      onTranscript: () => undefined,
      onOptOut: () => void (optOuts += 1),
    },
  )
  void session.report.then((done) => (report = done))

  const heard = () => {
    const decoder = new ToneWordDecoder()
    const silence = new Uint8Array(800).fill(255)
    return decoder
      .push(Buffer.concat([...callee.heard.map(({ audio }) => audio), silence]))
      .map(({ text }) => text)
      .join(' ')
  }
  const until = async (isSo: () => boolean, maxMs = 60_000) => {
    for (let passedMs = 0; !isSo(); passedMs += 20) {
      if (passedMs > maxMs)
        throw new Error(`it did not happen within ${maxMs} ms; heard: ${heard()}`)
      await time.pass(20)
      await vendors.settled()
    }
  }
  return {
    time,
    callee,
    logger,
    session,
    /** How often the callee was put on the do-not-call list. */
    optOuts: () => optOuts,
    /** What the callee has heard of the agent, in words. */
    heard,
    until,
    untilHeard: (text: string) => until(() => heard().endsWith(text)),
    say: (clip: CalleeClipId) => callee.play(clips.get(clip)!),
    async end(): Promise<SessionReport> {
      await until(() => report !== null)
      configured.close()
      report!.recording?.file.close()
      return report!
    },
  }
}
