/**
 * Text as tones, one packet per word, so that whoever hears a part of a sentence knows exactly which
 * words were heard in full. A byte is one of 16 low and one of 16 high tones for 40 ms; a packet is a
 * preamble, the length, the word in UTF-8 and a CRC. Survives mu-law and noise; not taken for speech.
 */

import { SAMPLES_PER_MS } from './frame.ts'
import { energyOf, goertzelCoefficient, tonePower } from './goertzel.ts'
import { decodeMulaw } from './mulaw.ts'
import { tonePcm } from './tone.ts'

const SYMBOL_MS = 40
const SYMBOL = SYMBOL_MS * SAMPLES_PER_MS
/** Samples at both ends of a symbol that are not looked at: fades, and errors of alignment. */
const GUARD = 24
const AMPLITUDE = 5_000
const LOW_HZ = Array.from({ length: 16 }, (_, i) => 600 + i * 75)
const HIGH_HZ = Array.from({ length: 16 }, (_, i) => 1_875 + i * 87.5)
const LOW = LOW_HZ.map(goertzelCoefficient)
const HIGH = HIGH_HZ.map(goertzelCoefficient)
/** Bytes that UTF-8 never uses. */
const PREAMBLE = [0xfa, 0xc0] as const
const CRC_BYTES = 2
const OVERHEAD = PREAMBLE.length + 1 + CRC_BYTES
/** Longest word in bytes of UTF-8. */
export const MAX_WORD_BYTES = 64

/** Less energy than this in 20 ms is silence. */
const GATE = 160 * 60 ** 2
/** Share of a symbol's energy that its two tones must have. */
const MIN_QUALITY = 0.4
/** Samples kept before the place that is searched, so that a preamble that began there is found. */
const LOOK_BACK = SYMBOL
const HOP = SYMBOL / 2
const CAPACITY = (OVERHEAD + MAX_WORD_BYTES + 4) * SYMBOL

/** One word as PCM at 8 kHz, whole frames long. Throws RangeError on an empty or overlong word. */
export function wordTones(word: string): Int16Array {
  const text = new TextEncoder().encode(word)
  if (text.length === 0 || text.length > MAX_WORD_BYTES) {
    throw new RangeError(`A word of ${text.length} bytes cannot be told in tones`)
  }
  const crc = crc16(text)
  const packet = [...PREAMBLE, text.length, ...text, crc >> 8, crc & 0xff]
  const pcm = new Int16Array(packet.length * SYMBOL)
  for (const [index, byte] of packet.entries()) {
    const hz = [LOW_HZ[byte >> 4]!, HIGH_HZ[byte & 15]!]
    pcm.set(tonePcm({ hz, ms: SYMBOL_MS, amplitude: AMPLITUDE }), index * SYMBOL)
  }
  return pcm
}

/** The words of a text, those too long for one packet in pieces. */
export function toneWords(text: string): string[] {
  return text.split(/\s+/).flatMap((word) => {
    const pieces: string[] = []
    let piece = ''
    for (const character of word) {
      if (new TextEncoder().encode(piece + character).length > MAX_WORD_BYTES) {
        pieces.push(piece)
        piece = ''
      }
      piece += character
    }
    return piece === '' ? pieces : [...pieces, piece]
  })
}

/** A word that was heard to its end. Times are ms of audio since the decoder's first sample. */
export interface HeardWord {
  readonly text: string
  readonly startMs: number
  readonly endMs: number
}

/** Listens to mu-law audio in chunks of any length and any alignment. */
export class ToneWordDecoder {
  readonly #samples = new Int16Array(CAPACITY)
  #length = 0
  /** Position of the first kept sample in the stream; all positions below are in kept samples. */
  #dropped = 0
  /** Where the next preamble is looked for. */
  #searchAt = 0
  /** A packet that has begun: where, and its bytes so far. */
  #packet: { readonly start: number; readonly bytes: number[] } | null = null

  push(chunk: Uint8Array): HeardWord[] {
    const words: HeardWord[] = []
    for (let at = 0; at < chunk.length; at += HOP) {
      const pcm = decodeMulaw(chunk.subarray(at, at + HOP))
      if (this.#length + pcm.length > CAPACITY) this.#forget()
      this.#samples.set(pcm, this.#length)
      this.#length += pcm.length
      this.#advance(words)
    }
    return words
  }

  #advance(words: HeardWord[]): void {
    for (;;) {
      if (this.#packet === null && !this.#findPreamble()) return
      const outcome = this.#readPacket()
      if (outcome === 'incomplete') return
      if (outcome !== 'spoilt') words.push(outcome)
    }
  }

  /** Drops what cannot belong to a packet any more. */
  #forget(): void {
    const from = this.#packet?.start ?? Math.max(0, this.#searchAt - LOOK_BACK)
    this.#samples.copyWithin(0, from, this.#length)
    this.#length -= from
    this.#dropped += from
    this.#searchAt -= from
    if (this.#packet !== null) this.#packet = { ...this.#packet, start: this.#packet.start - from }
  }

  #findPreamble(): boolean {
    for (; this.#searchAt + HOP + 2 * SYMBOL <= this.#length; this.#searchAt += HOP) {
      if (!this.#soundsLikePreamble(this.#searchAt)) continue
      const start = this.#align(this.#searchAt)
      if (PREAMBLE.every((byte, index) => this.#symbol(start + index * SYMBOL) === byte)) {
        this.#packet = { start, bytes: [] }
        return true
      }
    }
    return false
  }

  /** Of any two neighbouring half symbols one lies within the preamble's first symbol. */
  #soundsLikePreamble(at: number): boolean {
    const range = { from: at, to: at + HOP }
    const energy = energyOf(this.#samples, range)
    return energy > GATE && this.#power(PREAMBLE[0], range) > MIN_QUALITY * energy
  }

  /** The start within half a symbol or so of `near` at which the preamble's tones are strongest. */
  #align(near: number): number {
    const strongest = (from: number, to: number, step: number): number => {
      let best = from
      let bestPower = -1
      for (let start = Math.max(0, from); start <= to; start += step) {
        const middle = start + SYMBOL
        const power =
          this.#power(PREAMBLE[0], { from: start, to: middle }) +
          this.#power(PREAMBLE[1], { from: middle, to: middle + SYMBOL })
        if (power > bestPower) {
          best = start
          bestPower = power
        }
      }
      return best
    }
    const coarse = strongest(near - LOOK_BACK, near + HOP, 20)
    return strongest(coarse - 20, Math.min(coarse + 20, near + HOP), 1)
  }

  #readPacket(): HeardWord | 'incomplete' | 'spoilt' {
    const { start, bytes } = this.#packet!
    for (;;) {
      const at = start + (PREAMBLE.length + bytes.length) * SYMBOL
      if (at + SYMBOL > this.#length) return 'incomplete'
      const byte = this.#symbol(at)
      const isLength = bytes.length === 0
      if (byte === null || (isLength && (byte === 0 || byte > MAX_WORD_BYTES))) break
      bytes.push(byte)
      const size = bytes[0]!
      if (bytes.length < 1 + size + CRC_BYTES) continue
      const text = Uint8Array.from(bytes.slice(1, 1 + size))
      if (crc16(text) !== (bytes[1 + size]! << 8) + bytes[2 + size]!) break
      const end = start + (OVERHEAD + size) * SYMBOL
      this.#packet = null
      this.#searchAt = end
      return {
        text: new TextDecoder().decode(text),
        startMs: (this.#dropped + start) / SAMPLES_PER_MS,
        endMs: (this.#dropped + end) / SAMPLES_PER_MS,
      }
    }
    this.#packet = null
    this.#searchAt = start + 2 * SYMBOL
    return 'spoilt'
  }

  /** The byte told by the symbol that begins at `start`; null when it is no clear pair of tones. */
  #symbol(start: number): number | null {
    const range = { from: start + GUARD, to: start + SYMBOL - GUARD }
    const energy = energyOf(this.#samples, range)
    if (energy < GATE) return null
    const low = strongestTone(this.#samples, range, LOW)
    const high = strongestTone(this.#samples, range, HIGH)
    return low.power + high.power < MIN_QUALITY * energy ? null : (low.index << 4) | high.index
  }

  #power(byte: number, range: { readonly from: number; readonly to: number }): number {
    return (
      tonePower(this.#samples, range, LOW[byte >> 4]!) +
      tonePower(this.#samples, range, HIGH[byte & 15]!)
    )
  }
}

function strongestTone(
  samples: Int16Array,
  range: { readonly from: number; readonly to: number },
  coefficients: readonly number[],
): { readonly index: number; readonly power: number } {
  let best = { index: 0, power: -1 }
  for (const [index, coefficient] of coefficients.entries()) {
    const power = tonePower(samples, range, coefficient)
    if (power > best.power) best = { index, power }
  }
  return best
}

/** CRC-16/CCITT-FALSE. */
function crc16(bytes: Uint8Array): number {
  let crc = 0xffff
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff
  }
  return crc
}
