/** What the callee hears of a conversation with a speech-to-speech model. */

import type { SpeechEvent } from '#shared/domain/transcript.ts'

import { joinText, toTranscriptEntry } from './history.ts'
import { arm, change, disarm, inOrder, nothing } from './realtime-state.ts'
import type { RealtimeRule, RealtimeSpeech } from './realtime-state.ts'

export const awaitSound: RealtimeRule = (state) =>
  arm('inactivity', state.settings.timing.inactivityMs)(state)

/** The exact words, by the assistant's own voice. */
export function say(text: string): RealtimeRule {
  return (state) => {
    const id = `own-${state.speechCount + 1}`
    const speech = { id, isModels: false, text, startedAtMs: null }
    return change(
      state,
      { speeches: [...state.speeches, speech], speechCount: state.speechCount + 1 },
      { type: 'speak', speechId: id, text },
    )
  }
}

export function respond(instructions: string): RealtimeRule {
  return (state) =>
    inOrder(
      state,
      (now) => change(now, {}, { type: 'haveModelRespond', instructions }),
      arm('llmFirstToken', state.settings.timing.llmFirstTokenMs),
    )
}

export function modelBegins(utterance: string): RealtimeRule {
  return (state) => {
    const isKnown = state.speeches.some(({ id }) => id === utterance)
    if (isKnown || state.cut.includes(utterance)) return nothing(state)
    if (state.phase !== 'talking') {
      return cutModel(utterance, 0)({ ...state, cut: [...state.cut, utterance] })
    }
    const speech = { id: utterance, isModels: true, text: '', startedAtMs: null }
    return inOrder(
      { ...state, speeches: [...state.speeches, speech], failures: 0, begunAtMs: state.atMs },
      disarm('llmFirstToken', 'inactivity'),
      (now) => change(now, {}, { type: 'queueUtterance', utterance }),
    )
  }
}

/** The words may come a little before their audio. */
export function modelSays(utterance: string, text: string): RealtimeRule {
  return (state) => {
    const begun = modelBegins(utterance)(state)
    const speeches = begun.state.speeches.map((speech) =>
      speech.id === utterance ? { ...speech, text: speech.text + text } : speech,
    )
    return { ...begun, state: { ...begun.state, speeches } }
  }
}

export function speechStarts(id: string): RealtimeRule {
  return (state) => {
    const speeches = state.speeches.map((speech) =>
      speech.id === id ? { ...speech, startedAtMs: state.atMs } : speech,
    )
    return change(state, { speeches })
  }
}

export function cutModel(utterance: string, heardMs: number): RealtimeRule {
  return (state) => change(state, {}, { type: 'cutModel', utterance, heardMs })
}

/** What was heard of a speech is what was said. */
export function settle(speech: RealtimeSpeech, heard: string, wasCut: boolean): RealtimeRule {
  return (state) => {
    const rest = { ...state, speeches: state.speeches.filter(({ id }) => id !== speech.id) }
    const text = joinText([heard])
    if (text === '') return nothing(rest)
    const event: Omit<SpeechEvent, 'id'> = {
      ...NO_FIGURES,
      isRealTurn: true,
      speaker: 'agent',
      startedSpeakingAtMs: speech.startedAtMs ?? state.atMs,
      stoppedSpeakingAtMs: state.atMs,
      transcript: text,
      wasCut,
    }
    return inOrder(
      rest,
      append({ type: 'agent', text }),
      (now) => change(now, {}, { type: 'emitSpeechEvent', event }),
      speech.isModels ? nothing : (now) => change(now, {}, { type: 'tellModelSaid', text }),
    )
  }
}

export const NO_FIGURES = {
  sttTranscriptionDelayMs: null,
  llmSystemPrompt: null,
  llmTtftMs: null,
  llmWinnerModel: null,
  ttsTtfbMs: null,
} as const

export function append(item: Parameters<typeof toTranscriptEntry>[0]): RealtimeRule {
  return (state) => change(state, {}, { type: 'appendTranscript', entry: toTranscriptEntry(item) })
}

/** The callee, or the end of the call, silences what is said; of what has not begun nothing is heard. */
export const stopSpeaking: RealtimeRule = (state) => {
  if (state.speeches.length === 0) return nothing(state)
  const begun = state.speeches.filter(({ startedAtMs }) => startedAtMs !== null)
  const unheard = state.speeches.filter((one) => one.startedAtMs === null && one.isModels)
  const cut = state.speeches.filter(({ isModels }) => isModels).map(({ id }) => id)
  return inOrder(
    { ...state, cut: [...state.cut, ...cut], speeches: begun },
    (now) => change(now, {}, { type: 'flushPlayout' }),
    ...unheard.map(({ id }) => cutModel(id, 0)),
    begun.length === 0 && state.phase === 'talking' ? awaitSound : nothing,
  )
}
