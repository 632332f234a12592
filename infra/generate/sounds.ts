/**
 * Makes the files of `shared/audio/sounds/`: `npm run generate:sounds`. Everything is synthesised from
 * noise and tones with fixed seeds, so that nobody has rights in it and the files are the same each time.
 */

import { writeFileSync } from 'node:fs'

import { SAMPLE_RATE_HZ } from '#shared/audio/frame.ts'
import { encodeMulaw } from '#shared/audio/mulaw.ts'
import type { SoundName } from '#shared/audio/sounds/sound-name.ts'
import { writeWav } from '#shared/audio/wav.ts'

/** Loops: the end is faded into the beginning. */
const LOOP_SECS = 10
const SEAM_SECS = 0.5
/** At volume 1: 38 dB below full scale, so that a voice at 20 dB below it stands out clearly. */
const LOUDNESS_RMS = 412
const PEAK = 2_060

type Sound = Float64Array
type Random = () => number

const samples = (secs: number) => Math.round(secs * SAMPLE_RATE_HZ)
const LENGTH = samples(LOOP_SECS + SEAM_SECS)

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
function randomOf(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const noise = (random: Random): Sound => new Float64Array(LENGTH).map(() => 2 * random() - 1)

/** Two first-order filters: what lies between both frequencies is left. */
function band(sound: Sound, fromHz: number, toHz: number): Sound {
  const [highPass, lowPass] = [fromHz, toHz].map(
    (hz) => 1 - Math.exp((-2 * Math.PI * hz) / SAMPLE_RATE_HZ),
  ) as [number, number]
  let [slow, out] = [0, 0]
  return sound.map((sample) => {
    slow += highPass * (sample - slow)
    out += lowPass * (sample - slow - out)
    return out
  })
}

function mix(...sounds: readonly (readonly [gain: number, sound: Sound])[]): Sound {
  const scaled = sounds.map(([gain, sound]) => [gain / (rmsOf(sound) || 1), sound] as const)
  return new Float64Array(LENGTH).map((_, i) =>
    scaled.reduce((sum, [gain, sound]) => sum + gain * sound[i]!, 0),
  )
}

/** Rises and falls like speech, `perSec` syllables, with pauses. */
function syllables(random: Random, perSec: number): Sound {
  const envelope = new Float64Array(LENGTH)
  for (let at = 0; at < LENGTH;) {
    const length = samples((0.6 + 0.8 * random()) / perSec)
    const level = random() < 0.25 ? 0 : 0.4 + 0.6 * random()
    for (let i = 0; i < length && at + i < LENGTH; i++) {
      envelope[at + i] = level * Math.sin((Math.PI * i) / length)
    }
    at += length
  }
  return envelope
}

const times = (sound: Sound, envelope: Sound): Sound =>
  sound.map((sample, i) => sample * envelope[i]!)

/** Swells up and down once every `periodSecs`, which divides the loop. */
const swell = (periodSecs: number, depth: number): Sound =>
  new Float64Array(LENGTH).map(
    (_, i) => 1 - depth / 2 + (depth / 2) * Math.sin((2 * Math.PI * i) / samples(periodSecs)),
  )

/** Somebody who talks, too far away to be understood. */
function murmur(random: Random): Sound {
  const pitchHz = 90 + 130 * random()
  const voice = new Float64Array(LENGTH).map((_, i) => {
    const phase = (i * pitchHz * (1 + 0.03 * Math.sin(i / 4_000))) / SAMPLE_RATE_HZ
    return (phase % 1) - 0.5 + 0.3 * (random() - 0.5)
  })
  return times(band(voice, 300, 900), syllables(random, 3.5 + random()))
}

const murmurs = (random: Random, count: number): Sound =>
  mix(...Array.from({ length: count }, () => [0.5 + random(), murmur(random)] as const))

/** Adds what `wave` gives for each second since `atSecs`. */
function add(sound: Sound, atSecs: number, lengthSecs: number, wave: (secs: number) => number) {
  const from = samples(atSecs)
  for (let i = 0; i < samples(lengthSecs); i++) {
    sound[(from + i) % LENGTH]! += wave(i / SAMPLE_RATE_HZ)
  }
}

function typing(random: Random, keysPerSec: number, thump: number): Sound {
  const sound = new Float64Array(LENGTH)
  for (let at = 0; at < LOOP_SECS - 0.2;) {
    const word = 3 + Math.floor(7 * random())
    for (let key = 0; key <= word && at < LOOP_SECS - 0.2; key++) {
      const isSpace = key === word
      const level = (isSpace ? 0.9 : 0.4) + 0.4 * random()
      const hz = isSpace ? 350 : 1_400 + 1_200 * random()
      add(sound, at, 0.05, (secs) => {
        const click = (2 * random() - 1) * Math.exp(-secs / 0.004)
        const body = thump * Math.sin(2 * Math.PI * hz * secs) * Math.exp(-secs / 0.012)
        return level * (click + body)
      })
      at += (0.6 + 0.8 * random()) / keysPerSec
    }
    if (random() < 0.4) at += 0.4 + 0.8 * random()
  }
  return band(sound, 250, 3_400)
}

function birds(random: Random): Sound {
  const sound = new Float64Array(LENGTH)
  for (let bird = 0; bird < 14; bird++) {
    const at = LOOP_SECS * random()
    const [hz, rise] = [2_000 + 1_000 * random(), 900 * (random() - 0.5)]
    for (let note = 0, count = 2 + Math.floor(4 * random()); note < count; note++) {
      add(sound, at + note * 0.13, 0.09, (secs) => {
        const phase = 2 * Math.PI * (hz * secs + (rise / 0.18) * secs * secs)
        return Math.sin(phase) * Math.sin((Math.PI * secs) / 0.09)
      })
    }
  }
  return sound
}

/** Four chords of plucked tones. */
function holdMusic(): Sound {
  const sound = new Float64Array(LENGTH)
  const chords = [
    [0, 4, 7, 12],
    [-3, 0, 4, 9],
    [-7, -3, 0, 5],
    [-5, -1, 2, 7],
  ]
  const noteSecs = LOOP_SECS / 32
  for (let note = 0; note < 32; note++) {
    const chord = chords[Math.floor(note / 8)]!
    const step = chord[[0, 2, 1, 3, 2, 3, 1, 2][note % 8]!]!
    const hz = 440 * 2 ** (step / 12)
    add(sound, note * noteSecs, 1.2, (secs) => {
      const tone = Math.sin(2 * Math.PI * hz * secs) + 0.3 * Math.sin(4 * Math.PI * hz * secs)
      return tone * Math.exp(-secs / 0.35) * Math.min(1, secs / 0.005)
    })
  }
  return sound
}

const SOUNDS: Readonly<Record<SoundName, (random: Random) => Sound>> = {
  'office-ambience': (random) =>
    mix(
      [1, band(noise(random), 120, 500)],
      [0.5, murmurs(random, 3)],
      [0.15, typing(random, 4, 0.3)],
    ),
  'city-ambience': (random) =>
    mix(
      [1, band(noise(random), 150, 400)],
      [0.5, times(band(noise(random), 300, 1_200), swell(5, 1.6))],
      [0.2, times(band(noise(random), 800, 2_000), swell(2.5, 1.9))],
    ),
  'forest-ambience': (random) =>
    mix([1, times(band(noise(random), 300, 1_000), swell(5, 0.8))], [0.5, birds(random)]),
  'crowded-room': (random) => mix([1, murmurs(random, 14)], [0.2, band(noise(random), 200, 800)]),
  'keyboard-typing': (random) => typing(random, 7, 0.3),
  'keyboard-typing2': (random) => typing(random, 5, 0.9),
  hold_music: holdMusic,
}

Object.entries(SOUNDS).forEach(([name, make], index) => {
  const data = encodeMulaw(levelled(looped(make(randomOf(index + 1)))))
  const file = { encoding: 'mulaw', sampleRateHz: SAMPLE_RATE_HZ, channels: 1, data } as const
  writeFileSync(new URL(`../../shared/audio/sounds/${name}.wav`, import.meta.url), writeWav(file))
})

/** What lies beyond the end is faded into the beginning, which follows it. */
function looped(sound: Sound): Sound {
  const [loop, seam] = [samples(LOOP_SECS), samples(SEAM_SECS)]
  return sound.slice(0, loop).map((sample, i) => {
    if (i >= seam) return sample
    const share = i / seam
    return Math.sqrt(share) * sample + Math.sqrt(1 - share) * sound[loop + i]!
  })
}

function levelled(sound: Sound): Int16Array {
  const peak = sound.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  const gain = Math.min(LOUDNESS_RMS / rmsOf(sound), PEAK / peak)
  return Int16Array.from(sound, (sample) => Math.round(gain * sample))
}

function rmsOf(sound: Sound): number {
  return Math.sqrt(sound.reduce((sum, sample) => sum + sample * sample, 0) / sound.length)
}
