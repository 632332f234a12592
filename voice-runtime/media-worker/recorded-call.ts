import { SAMPLE_RATE_HZ } from '#shared/audio/frame.ts'
import { decodeMulaw } from '#shared/audio/mulaw.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import type { RecordedSound } from '#shared/ports/recordings.ts'

import { BLOCK_SAMPLES } from '../media/sound-track.ts'
import type { SoundFile } from './sound-file.ts'

/** What a `Recorder` leaves: blocks of both sides in turn, and how many samples each side has. */
export interface RecordedCall {
  readonly file: SoundFile
  readonly samples: number
}

/** Stereo, 16 bits: not every player and library reads mu-law. */
const FORMAT = { encoding: 'pcm16', sampleRateHz: SAMPLE_RATE_HZ, channels: 2 } as const
const BYTES_PER_SAMPLE = 4

/** A WAVE file, callee left, agent right, read block by block: an hour of it takes 115 MB. */
export function wavOf(recorded: RecordedCall): RecordedSound {
  const header = wavHeader(FORMAT, recorded.samples * BYTES_PER_SAMPLE)
  return {
    bytes: header.length + recorded.samples * BYTES_PER_SAMPLE,
    async *chunks() {
      yield header
      for (let at = 0; at < recorded.samples; at += BLOCK_SAMPLES) {
        const pair = await recorded.file.read(2 * at, 2 * BLOCK_SAMPLES)
        const samples = Math.min(BLOCK_SAMPLES, recorded.samples - at)
        yield new Uint8Array(decodeMulaw(interleaved(pair, samples)).buffer)
      }
    },
  }
}

/** Mu-law of both sides in turn, from its complement in one block after the other. */
function interleaved(pair: Uint8Array, samples: number): Uint8Array {
  const mulaw = new Uint8Array(2 * samples)
  for (let i = 0; i < samples; i++) {
    mulaw[2 * i] = ~pair[i]!
    mulaw[2 * i + 1] = ~pair[BLOCK_SAMPLES + i]!
  }
  return mulaw
}
