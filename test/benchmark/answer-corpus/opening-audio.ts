import type { EspeakClient } from '#shared/adapters/tts/espeak-client.ts'
import { SAMPLE_RATE_HZ, SAMPLES_PER_MS } from '#shared/audio/frame.ts'
import { energyOf } from '#shared/audio/goertzel.ts'
import { encodeMulaw } from '#shared/audio/mulaw.ts'
import { Resampler } from '#shared/audio/resample.ts'
import { tonePcm } from '#shared/audio/tone.ts'
import { wavChannels } from '#shared/audio/wav.ts'
import { estimateWordTimes } from '#shared/audio/word-times.ts'
import { Prng } from '#test/simulation/prng.ts'

import { noise } from './noise.ts'
import type { Opening } from './opening.ts'

/** A word as it is spoken. Times are ms since the call was answered. */
export interface SpokenAt {
  readonly text: string
  readonly startMs: number
  readonly endMs: number
}

export interface OpeningAudio {
  /** Mu-law, from the answer on. */
  readonly audio: Uint8Array
  readonly words: readonly SpokenAt[]
  /** Null where nobody speaks. */
  readonly greetingEndMs: number | null
}

/** Level of speech: 20 dB below full scale. */
const SPEECH_RMS = 3_277
const TAIL_MS = 6_000
/** Nine of ten mailboxes beep. */
const BEEPS = 0.9

/** The same opening always sounds the same. */
export async function openingAudio(espeak: EspeakClient, opening: Opening): Promise<OpeningAudio> {
  const random = new Prng(opening.seed)
  const line = new Line()
  line.add(silence(random.between(300, 1_200)))
  if (opening.text === '') addTones(line, opening, random)
  else await addSpeech(line, { espeak, opening, random })
  const greetingEndMs = line.words.at(-1)?.endMs ?? null
  if (opening.answerer === 'mailbox' && random.chance(BEEPS)) {
    line.add(silence(random.between(150, 1_200)))
    const beep = { hz: [random.between(420, 1_600)], ms: random.between(180, 700) }
    line.add(tonePcm({ ...beep, amplitude: random.between(3_000, 9_000) }))
  }
  line.add(silence(TAIL_MS))
  const pcm = line.pcm()
  if (opening.snrDb !== null) {
    const level = SPEECH_RMS / 10 ** (opening.snrDb / 20)
    for (const [i, sample] of noise(pcm.length, level, random).entries()) {
      pcm[i] = Math.max(-32_768, Math.min(32_767, pcm[i]! + sample))
    }
  }
  return { audio: encodeMulaw(pcm), words: line.words, greetingEndMs }
}

class Line {
  readonly words: SpokenAt[] = []
  readonly #parts: Int16Array[] = []
  #samples = 0

  get atMs(): number {
    return this.#samples / SAMPLES_PER_MS
  }

  add(pcm: Int16Array): void {
    this.#parts.push(pcm)
    this.#samples += pcm.length
  }

  pcm(): Int16Array {
    const whole = new Int16Array(this.#samples)
    let at = 0
    for (const part of this.#parts) {
      whole.set(part, at)
      at += part.length
    }
    return whole
  }
}

/** Clause by clause, with pauses as people and recordings make them. */
async function addSpeech(
  line: Line,
  input: { espeak: EspeakClient; opening: Opening; random: Prng },
): Promise<void> {
  const { espeak, opening, random } = input
  const wordsPerMinute = random.between(150, 185)
  const clauses = opening.text.match(/\.\.\.|[^.,?!¿]+[.,?!]*/g) ?? []
  for (const [index, clause] of clauses.entries()) {
    if (clause.trim() === '') continue
    if (clause === '...') {
      line.add(silence(random.between(800, 1_400)))
      continue
    }
    const text = clause.trim()
    const pcm = levelled(await spoken(espeak, { text, voice: opening.voice, wordsPerMinute }))
    const startMs = line.atMs
    line.add(pcm)
    let wordStartMs = startMs
    for (const word of estimateWordTimes(text, line.atMs - startMs)) {
      const endMs = startMs + word.endMs
      line.words.push({ text: word.text, startMs: wordStartMs, endMs })
      wordStartMs = endMs
    }
    const isLast = index === clauses.length - 1
    if (!isLast)
      line.add(silence(text.endsWith(',') ? random.between(80, 250) : random.between(250, 600)))
  }
}

async function spoken(
  espeak: EspeakClient,
  order: { text: string; voice: string; wordsPerMinute: number },
): Promise<Int16Array> {
  const wav = await espeak.speak(order)
  const resampler = new Resampler({ fromHz: wav.sampleRateHz, toHz: SAMPLE_RATE_HZ })
  const pcm = [...resampler.push(wavChannels(wav)[0]!), ...resampler.flush()]
  const isLoud = (sample: number): boolean => Math.abs(sample) > 200
  return Int16Array.from(pcm.slice(pcm.findIndex(isLoud), pcm.findLastIndex(isLoud) + 1))
}

function levelled(pcm: Int16Array): Int16Array {
  const gain = SPEECH_RMS / Math.sqrt(energyOf(pcm) / Math.max(1, pcm.length))
  return pcm.map((sample) => Math.max(-32_768, Math.min(32_767, sample * gain)))
}

function silence(ms: number): Int16Array {
  return new Int16Array(Math.round(ms * SAMPLES_PER_MS))
}

/** Fax: calling tone or answer tone (ITU-T T.30). Ringback: American, British, continental. */
function addTones(line: Line, { answerer }: Opening, random: Prng): void {
  if (answerer === 'fax' && random.chance(0.5)) {
    line.add(tonePcm({ hz: [2_100], ms: random.between(2_600, 4_000), amplitude: 8_000 }))
    return
  }
  const cadences = {
    fax: [{ hz: [1_100], onMs: 500, offMs: 3_000 }],
    ringback: [
      { hz: [440, 480], onMs: 2_000, offMs: 4_000 },
      { hz: [400, 450], onMs: 400, offMs: 200 },
      { hz: [425], onMs: 1_000, offMs: 4_000 },
    ],
  }
  if (answerer !== 'fax' && answerer !== 'ringback') return
  const { hz, onMs, offMs } = random.pick(cadences[answerer])
  for (let times = 0; times < 3; times += 1) {
    line.add(tonePcm({ hz, ms: onMs, amplitude: 5_000 / hz.length }))
    line.add(silence(offMs))
  }
}
