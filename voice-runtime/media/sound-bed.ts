import { SAMPLES_PER_MS } from '#shared/audio/frame.ts'
import { decodeMulaw, encodeMulaw } from '#shared/audio/mulaw.ts'

/** One of the sounds that may lie under the agent's voice at the same time. */
export type SoundLayer = 'background' | 'thinking'

interface Layer {
  readonly samples: Int16Array
  /** Where the volume is, and where the next piece takes it. */
  readonly gain: number
  readonly target: number
}

/** What lies under the agent's voice: looped sounds, which rise and fall without a click. */
export class SoundBed {
  readonly #layers = new Map<SoundLayer, Layer>()

  /** Nothing is heard, and nothing is fading away. */
  get isSilent(): boolean {
    return this.#layers.size === 0
  }

  /** `samples` at `volume` (0 to 1) from the next piece on; null: nothing. */
  set(layer: SoundLayer, samples: Int16Array | null, volume: number): void {
    const before = this.#layers.get(layer)
    if (samples === null || samples.length === 0) {
      if (before !== undefined) this.#layers.set(layer, { ...before, target: 0 })
      return
    }
    const gain = before?.samples === samples ? before.gain : 0
    this.#layers.set(layer, { samples, gain, target: volume })
  }

  /** The piece that is heard from `atMs` of the session on, under `speech` (mu-law, as the result). */
  mix(speech: Uint8Array, atMs: number): Uint8Array {
    if (this.isSilent) return speech
    const sum = Float32Array.from(decodeMulaw(speech))
    for (const [name, layer] of this.#layers) {
      addLoop(sum, layer, Math.round(atMs * SAMPLES_PER_MS))
      if (layer.target === 0) this.#layers.delete(name)
      else this.#layers.set(name, { ...layer, gain: layer.target })
    }
    return encodeMulaw(Int16Array.from(sum, clipped))
  }
}

/** The volume changes evenly over the whole piece. */
function addLoop(sum: Float32Array, { samples, gain, target }: Layer, from: number): void {
  const step = (target - gain) / sum.length
  for (let i = 0; i < sum.length; i++) {
    sum[i]! += (gain + step * i) * samples[(from + i) % samples.length]!
  }
}

function clipped(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(sample)))
}
