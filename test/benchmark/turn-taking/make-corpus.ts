/**
 * Makes corpus.jsonl: `node test/benchmark/turn-taking/make-corpus.ts`. Every sound is synthesised,
 * sent through the telephone's codec with noise, and listened to by the product's speech detector.
 *
 * Pauses inside turns lie anywhere between two words, and are as long as people's are: a median of
 * 350 to 800 ms by caller (Heldner and Edlund 2010 find 500 ms), with a long tail.
 */

import { writeFileSync } from 'node:fs'

import { EspeakClient } from '#shared/adapters/tts/espeak-client.ts'
import { loadSileroRuntime, sileroVoiceActivity } from '#shared/adapters/vad/silero.ts'
import { FRAME_BYTES, framesOf, SAMPLES_PER_MS } from '#shared/audio/frame.ts'
import { encodeMulaw } from '#shared/audio/mulaw.ts'
import { estimateWordTimes } from '#shared/audio/word-times.ts'
import { VAD_WINDOW_MS } from '#voice/media/speech-segmenter.ts'

import { letterOf } from './corpus.ts'
import type { Kind, Situation, SpokenWord } from './corpus.ts'
import {
  BACKCHANNELS,
  CONTINUED_ANSWERS,
  FILLERS,
  INTERRUPTIONS,
  NOISES,
  NUMBERS,
  QUESTIONS,
  SHORT_ANSWERS,
  STATEMENTS,
  STORY,
} from './lines.ts'
import { Random } from './random.ts'
import { joined, noiseOf, onLine, silence, spoken } from './sound.ts'

const CALLERS = 24
const LEAD_MS = 200
/** Long enough for whoever waits too long. */
const TAIL_MS = 3_200
const VOICES = ['en-us+f3', 'en-us+m3', 'en-gb+f2', 'en-gb+m5', 'en-us+f5', 'en-gb+m1']

/** How often each kind happens to one caller. */
const PLAN: Readonly<Record<Kind, number>> = {
  'short-answer': 2,
  question: 1,
  statement: 1,
  pause: 1.5,
  hesitation: 0.75,
  number: 0.33,
  'continued-answer': 0.33,
  backchannel: 1,
  interruption: 1,
  noise: 1,
}

/** Pieces of speech with the pauses after them, or a noise. */
interface Draft {
  readonly kind: Kind
  readonly agent: string
  readonly pieces: readonly string[]
  readonly noise?: (typeof NOISES)[number]
}

const random = new Random(20_260_131)
const espeak = new EspeakClient()

function split(text: string): [string, string] {
  const words = text.split(' ')
  const at = 1 + Math.floor(random.next() * (words.length - 2))
  return [words.slice(0, at).join(' '), words.slice(at).join(' ')]
}

function draftOf(kind: Kind): Draft {
  const exchange = (from: readonly { agent: string; callee: readonly string[] }[]) => {
    const { agent, callee } = random.pick(from)
    return { agent, text: random.pick(callee) }
  }
  switch (kind) {
    case 'short-answer':
    case 'question':
    case 'statement': {
      const from = { 'short-answer': SHORT_ANSWERS, question: QUESTIONS, statement: STATEMENTS }
      const { agent, text } = exchange(from[kind])
      return { kind, agent, pieces: [text] }
    }
    case 'pause': {
      const { agent, text } = exchange([...STATEMENTS, ...QUESTIONS])
      return { kind, agent, pieces: split(text) }
    }
    case 'hesitation': {
      const { agent, text } = exchange(STATEMENTS)
      const [before, after] = split(text)
      return { kind, agent, pieces: [`${before} ${random.pick(FILLERS)}`, after] }
    }
    case 'number':
    case 'continued-answer': {
      const { agent, callee } = random.pick(kind === 'number' ? NUMBERS : CONTINUED_ANSWERS)
      return { kind, agent, pieces: random.pick<readonly string[]>(callee) }
    }
    case 'backchannel':
      return { kind, agent: STORY, pieces: [random.pick(BACKCHANNELS)] }
    case 'interruption':
      return { kind, agent: STORY, pieces: [random.pick(INTERRUPTIONS)] }
    case 'noise':
      return { kind, agent: STORY, pieces: [], noise: random.pick(NOISES) }
  }
}

async function situationOf(
  draft: Draft,
  caller: {
    readonly number: number
    readonly voice: string
    readonly pauseMs: number
    readonly noiseDb: number
  },
): Promise<Situation> {
  const wordsPerMinute = random.between(150, 190)
  const parts: Int16Array[] = [silence(LEAD_MS)]
  const pieces: SpokenWord[][] = []
  const lengthMs = () => parts.reduce((sum, part) => sum + part.length, 0) / SAMPLES_PER_MS
  for (const [index, text] of draft.pieces.entries()) {
    if (index > 0)
      parts.push(silence(Math.min(2_200, Math.max(200, random.logNormal(caller.pauseMs, 0.45)))))
    const fromMs = lengthMs()
    const sound = await spoken(espeak, {
      text: phonemes(text),
      voice: caller.voice,
      wordsPerMinute,
    })
    parts.push(sound)
    let startMs = fromMs
    pieces.push(
      estimateWordTimes(text, sound.length / SAMPLES_PER_MS).map((word) => {
        const spokenWord: SpokenWord = [
          word.text,
          Math.round(startMs),
          Math.round(fromMs + word.endMs),
        ]
        startMs = fromMs + word.endMs
        return spokenWord
      }),
    )
  }
  if (draft.noise !== undefined) {
    const text = 'And now the weather for the weekend with rain in the north and sun elsewhere.'
    const voice = await spoken(espeak, { text, voice: 'en-gb+m7', wordsPerMinute: 180 })
    parts.push(noiseOf(draft.noise, random, voice))
  }
  const endMs = Math.round(lengthMs())
  parts.push(silence(TAIL_MS))
  const heard = onLine(joined(parts), caller.noiseDb, random)
  return {
    kind: draft.kind,
    caller: caller.number,
    agent: draft.agent,
    pieces,
    endMs,
    detected: await detect(heard),
    mustStop: draft.kind === 'interruption',
  }
}

/** Where spelling misleads the synthesiser. */
function phonemes(text: string): string {
  return text
    .replace(/^Mm-hm/, "[[m@mh'@m]]")
    .replace(/^Mm\./, '[[m:m]]')
    .replace(/^Uh-huh/, '[[V hV]]')
}

const timers = {
  after(_delayMs: number, run: () => void) {
    const soon = setImmediate(run)
    return () => clearImmediate(soon)
  },
}
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const detector = sileroVoiceActivity({ runtime: await loadSileroRuntime(), timers, logger: quiet })

async function detect(pcm: Int16Array): Promise<string> {
  let detected = ''
  const stream = detector.open((probability) => (detected += letterOf(probability)))
  let written = 0
  for (const frame of framesOf(encodeMulaw(pcm))) {
    stream.write(frame)
    written += FRAME_BYTES
    const due = Math.floor(written / (VAD_WINDOW_MS * SAMPLES_PER_MS))
    while (detected.length < due) await new Promise((resolve) => setImmediate(resolve))
  }
  stream.close()
  return detected
}

const situations: Situation[] = []
for (let number = 0; number < CALLERS; number += 1) {
  const caller = {
    number,
    voice: random.pick(VOICES),
    pauseMs: random.between(350, 800),
    noiseDb: random.pick([35, 25, 18]),
  }
  const kinds = Object.entries(PLAN).flatMap(([kind, count]) => {
    const times = Math.floor(count) + (random.next() < count % 1 ? 1 : 0)
    return Array<Kind>(times).fill(kind as Kind)
  })
  for (const kind of kinds.sort(() => random.next() - 0.5)) {
    situations.push(await situationOf(draftOf(kind), caller))
  }
}
await espeak.close()
const lines = situations.map((situation) => `${JSON.stringify(situation)}\n`)
writeFileSync(new URL('corpus.jsonl', import.meta.url), lines.join(''))
console.log(situations.length, 'situations')
process.exit(0)
