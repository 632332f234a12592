/** Recognises known clips, and nothing else, in a telephone's audio; deterministic, frame by frame. */

import { BANDS, BandEnvelope } from './band-envelope.ts'
import type { ClipMatch } from './clip-matcher.ts'
import { ClipMatcher } from './clip-matcher.ts'
import type { ClipTemplate } from './clip-templates.ts'
import { LEAD_FRAMES, loudnessOf } from './clip-templates.ts'
import { FRAME_MS } from './frame.ts'
import { SpeechActivity } from './speech-activity.ts'
import { estimateWordTimes } from './word-times.ts'

/** Rows kept from before sound is noticed: the clip's lead begins in one of them but the last two. */
const HISTORY_ROWS = 14
const LATEST_START = 2
/** In the first half second the noise of the line is not known, sound is noticed late, and all rows are kept. */
const LEARNING_FRAMES = 25
const SILENT_HISTORY: readonly Float32Array[] = Array.from(
  { length: HISTORY_ROWS },
  () => new Float32Array(BANDS),
)
/** Frames of sound that begin an utterance. */
const ONSET_FRAMES = 2
/** Frames of silence that end it: when a clip is surely over, usually, and when more is expected. */
const SURE_PAUSE = 5
const PAUSE = 10
const LONGEST_PAUSE = 20
/** Rows of a pause that still tell how a clip ended; more of them would speak against one cut off. */
const TELLING_ROWS = 3
/** An utterance that is longer than any clip by this many rows is given up. */
const SPARE_ROWS = 60
/** Similarity from which a clip is recognised, and from which a part of one is. */
const WHOLE_SIMILARITY = 0.8
const PART_SIMILARITY = 0.82
/** Clips less similar than the best one by no more than this could be meant as well. */
const DOUBT = 0.1
/** So much is a clip preferred that was heard to its end. */
const WHOLE_BONUS = 0.05
/** Noise may hide so many rows of the end of a clip, but not more than this part of it. */
const HIDDEN_ROWS = 10
const HIDDEN_PART = 0.25
/** Rows of a clip from which a part of it is recognised. */
const PART_ROWS = 15
/** Rows between interim texts. */
const INTERIM_EVERY = 5

/** Times are ms of audio since the first frame. */
export type RecognisedSpeech =
  | { readonly type: 'interim'; readonly text: string }
  | {
      readonly type: 'final'
      readonly text: string
      readonly startMs: number
      readonly endMs: number
    }
  | { readonly type: 'endOfTurn' }

interface Utterance {
  readonly matcher: ClipMatcher
  /** Frame of the stream that is the matcher's first row. */
  readonly firstFrame: number
  /** Rows up to the end of the last sound. */
  speechRows: number
  /** The pause since then, as far as it was kept from the matcher. */
  pause: Float32Array[]
  interim: string
  /** How many of its words were told for good before it was over, and up to when. */
  told: { readonly words: number; readonly untilMs: number }
}

export class ClipRecogniser {
  readonly #templates: readonly ClipTemplate[]
  readonly #maxRows: number
  readonly #endOfTurnMs: number
  readonly #envelope = new BandEnvelope()
  readonly #activity = new SpeechActivity()
  /** The last rows before the utterance; before the stream began it was silent. */
  #history = SILENT_HISTORY
  #frames = 0
  #onset = 0
  #utterance: Utterance | null = null
  /** Something was recognised since the last end of turn. */
  #turnOpen = false
  #speechEndedMs = 0

  /** `endOfTurnMs`: silence after recognised speech that ends the turn. */
  constructor(options: {
    readonly templates: readonly ClipTemplate[]
    readonly endOfTurnMs: number
  }) {
    this.#templates = options.templates
    this.#maxRows =
      HISTORY_ROWS +
      LEARNING_FRAMES +
      SPARE_ROWS +
      Math.max(...options.templates.map(({ frames }) => frames))
    this.#endOfTurnMs = options.endOfTurnMs
  }

  /** Takes the next 20 ms mu-law frame. */
  push(frame: Uint8Array): RecognisedSpeech[] {
    const powers = this.#envelope.push(frame)
    const isSound = this.#activity.push(powers)
    const row = loudnessOf(powers)
    this.#frames++
    this.#onset = isSound ? this.#onset + 1 : 0
    const events = this.#utterance === null ? this.#await(row) : this.#hear(this.#utterance, row)
    return [...events, ...this.#endTurn()]
  }

  /** Tells what was heard so far for good; an utterance that may go on is listened to further. */
  finalize(): RecognisedSpeech[] {
    const utterance = this.#utterance
    if (utterance === null) return []
    const [best, next] = utterance.matcher.matches()
    if (best === undefined || isSure(best, next, utterance)) return this.#conclude(utterance)
    const words = wordsInCommon(utterance.matcher.matches(), utterance)
    const endMs = soundEndMs(utterance)
    return this.#tell(utterance, { words, match: best, endMs })
  }

  #await(row: Float32Array): [] {
    const kept =
      this.#frames <= LEARNING_FRAMES ? this.#history : this.#history.slice(1 - HISTORY_ROWS)
    this.#history = [...kept, row]
    if (this.#onset < ONSET_FRAMES) return []
    const matcher = new ClipMatcher({
      templates: this.#templates,
      starts: this.#history.length - LATEST_START,
      maxRows: this.#maxRows,
    })
    for (const past of this.#history) matcher.push(past)
    const firstFrame = this.#frames - this.#history.length
    this.#utterance = {
      matcher,
      firstFrame,
      speechRows: matcher.rows,
      pause: [],
      interim: '',
      told: { words: 0, untilMs: 0 },
    }
    this.#history = SILENT_HISTORY
    return []
  }

  #hear(utterance: Utterance, row: Float32Array): RecognisedSpeech[] {
    const { matcher } = utterance
    const isSound = this.#onset > 0
    const rows = this.#frames - utterance.firstFrame
    const pause = isSound ? 0 : rows - utterance.speechRows
    if (isSound || pause <= TELLING_ROWS) {
      for (const past of utterance.pause) matcher.push(past)
      utterance.pause = []
      matcher.push(row)
    } else utterance.pause.push(row)
    if (isSound) utterance.speechRows = rows
    if (rows === this.#maxRows || pause >= LONGEST_PAUSE) return this.#conclude(utterance)
    if (pause >= SURE_PAUSE && this.#isOver(utterance, pause)) return this.#conclude(utterance)
    return rows % INTERIM_EVERY === 0 ? this.#interim(utterance) : []
  }

  /** Whether this pause is an end, and not one within a clip. */
  #isOver(utterance: Utterance, pause: number): boolean {
    const [best, next] = utterance.matcher.matches()
    if (best === undefined) return true
    if (!isWhole(best, utterance)) return pause >= PAUSE && best.similarity < PART_SIMILARITY
    return isSure(best, next, utterance) || pause >= PAUSE
  }

  #conclude(utterance: Utterance): RecognisedSpeech[] {
    this.#utterance = null
    this.#speechEndedMs = soundEndMs(utterance)
    const matches = utterance.matcher.matches()
    const rank = (match: ClipMatch): number =>
      match.similarity + (isWhole(match, utterance) ? WHOLE_BONUS : 0)
    const best = matches.reduce((a, b) => (rank(b) > rank(a) ? b : a))
    if (!isWhole(best, utterance)) {
      const words = wordsInCommon(matches, utterance)
      return this.#tell(utterance, { words, match: best, endMs: this.#speechEndedMs })
    }
    if (best.similarity < WHOLE_SIMILARITY) return []
    const words = best.template.clip.text.split(' ')
    const endMs = clipStartMs(best, utterance) + best.template.durationMs
    return this.#tell(utterance, { words, match: best, endMs })
  }

  /** Those of the words that were not told before. */
  #tell(
    utterance: Utterance,
    heard: { readonly words: readonly string[]; readonly match: ClipMatch; readonly endMs: number },
  ): RecognisedSpeech[] {
    const { words, match, endMs } = heard
    const { told } = utterance
    const text = words.slice(told.words).join(' ')
    if (text === '') return []
    const startMs = Math.max(clipStartMs(match, utterance), Math.min(told.untilMs, endMs))
    this.#turnOpen = true
    this.#speechEndedMs = endMs
    utterance.told = { words: words.length, untilMs: endMs }
    utterance.interim = ''
    return [{ type: 'final', text, startMs, endMs }]
  }

  #interim(utterance: Utterance): RecognisedSpeech[] {
    const words = wordsInCommon(utterance.matcher.matches(), utterance)
    const text = words.slice(utterance.told.words).join(' ')
    if (text === '' || text === utterance.interim) return []
    utterance.interim = text
    return [{ type: 'interim', text }]
  }

  #endTurn(): RecognisedSpeech[] {
    const silenceMs = this.#frames * FRAME_MS - this.#speechEndedMs
    if (!this.#turnOpen || this.#utterance !== null || silenceMs < this.#endOfTurnMs) return []
    this.#turnOpen = false
    return [{ type: 'endOfTurn' }]
  }
}

function clipStartMs(match: ClipMatch, utterance: Utterance): number {
  return (utterance.firstFrame + match.start + LEAD_FRAMES) * FRAME_MS + match.template.offsetMs
}

function soundEndMs(utterance: Utterance): number {
  return (utterance.firstFrame + utterance.speechRows) * FRAME_MS
}

/** Rows of the clip itself, without its lead, that were heard. */
function rowsOf(match: ClipMatch, utterance: Utterance): number {
  return utterance.speechRows - match.start - LEAD_FRAMES
}

function isWhole(match: ClipMatch, utterance: Utterance): boolean {
  const rows = match.template.durationMs / FRAME_MS
  return rows - rowsOf(match, utterance) <= Math.min(HIDDEN_ROWS, rows * HIDDEN_PART)
}

/** Whether this clip, and no other, was heard to its end. */
function isSure(best: ClipMatch, next: ClipMatch | undefined, utterance: Utterance): boolean {
  return (
    isWhole(best, utterance) &&
    best.similarity >= WHOLE_SIMILARITY &&
    (next === undefined || best.similarity - next.similarity > DOUBT)
  )
}

/** The words heard so far that all clips have in common that could be meant; none in doubt. */
function wordsInCommon(matches: readonly ClipMatch[], utterance: Utterance): readonly string[] {
  const best = matches[0]!
  if (best.similarity < PART_SIMILARITY || rowsOf(best, utterance) < PART_ROWS) return []
  return matches
    .filter(({ similarity }) => best.similarity - similarity < DOUBT)
    .map((match) => wordsHeard(match, utterance))
    .reduce(commonWords)
}

function wordsHeard(match: ClipMatch, utterance: Utterance): string[] {
  const heardMs = rowsOf(match, utterance) * FRAME_MS
  return estimateWordTimes(match.template.clip.text, match.template.durationMs)
    .filter(({ endMs }) => endMs <= heardMs)
    .map(({ text }) => text)
}

function commonWords(a: readonly string[], b: readonly string[]): string[] {
  const bare = (word: string | undefined): string | undefined => word?.replace(/[,.;:?!]+$/, '')
  const differs = a.findIndex((word, index) => bare(word) !== bare(b[index]))
  return a.slice(0, differs < 0 ? a.length : differs)
}
