/** G.711 mu-law (ITU-T G.711, table 2) to 16-bit PCM and back, by table. */

/** Positive zero: what a silent line carries. */
export const MULAW_SILENCE = 0xff

const BIAS = 0x84
const CLIP = 32_635

const PCM_OF_MULAW = Int16Array.from({ length: 256 }, (_, code) => {
  const bits = ~code & 0xff
  const magnitude = ((((bits & 15) << 3) + BIAS) << ((bits >> 4) & 7)) - BIAS
  return bits & 0x80 ? -magnitude : magnitude
})

/** Index: the sample as an unsigned 16-bit number. */
const MULAW_OF_PCM = Uint8Array.from({ length: 65_536 }, (_, index) => {
  const sample = (index << 16) >> 16
  const biased = Math.min(Math.abs(sample), CLIP) + BIAS
  const exponent = 24 - Math.clz32(biased)
  const mantissa = (biased >> (exponent + 3)) & 15
  return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | mantissa) & 0xff
})

export function encodeMulaw(pcm: Int16Array): Uint8Array {
  const mulaw = new Uint8Array(pcm.length)
  for (let i = 0; i < pcm.length; i++) mulaw[i] = MULAW_OF_PCM[pcm[i]! & 0xffff]!
  return mulaw
}

export function decodeMulaw(mulaw: Uint8Array): Int16Array {
  const pcm = new Int16Array(mulaw.length)
  for (let i = 0; i < mulaw.length; i++) pcm[i] = PCM_OF_MULAW[mulaw[i]!]!
  return pcm
}
