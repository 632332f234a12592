/** RIFF/WAVE files with 16-bit PCM or mu-law in one or two channels. */

import { decodeMulaw } from './mulaw.ts'

export interface WavAudio {
  readonly encoding: 'pcm16' | 'mulaw'
  readonly sampleRateHz: number
  readonly channels: 1 | 2
  /** As stored: little-endian samples, channels interleaved. */
  readonly data: Uint8Array
}

const FORMAT_PCM = 1
const FORMAT_MULAW = 7
const RIFF_HEADER = 12
const CHUNK_HEADER = 8

export function writeWav(audio: WavAudio): Uint8Array {
  const header = wavHeader(audio, audio.data.length)
  const file = new Uint8Array(header.length + audio.data.length + (audio.data.length % 2))
  file.set(header)
  file.set(audio.data, header.length)
  return file
}

/** What stands before so many bytes of data; an odd number of them is followed by one more byte. */
export function wavHeader(format: Omit<WavAudio, 'data'>, dataBytes: number): Uint8Array {
  const sampleBytes = format.encoding === 'pcm16' ? 2 : 1
  const blockBytes = sampleBytes * format.channels
  const formatBytes = format.encoding === 'pcm16' ? 16 : 18
  const dataAt = RIFF_HEADER + CHUNK_HEADER + formatBytes + CHUNK_HEADER
  const header = new Uint8Array(dataAt)
  const view = new DataView(header.buffer)
  const text = (at: number, four: string): void => {
    for (let i = 0; i < 4; i++) header[at + i] = four.charCodeAt(i)
  }
  text(0, 'RIFF')
  view.setUint32(4, dataAt + dataBytes + (dataBytes % 2) - CHUNK_HEADER, true)
  text(8, 'WAVE')
  text(12, 'fmt ')
  view.setUint32(16, formatBytes, true)
  view.setUint16(20, format.encoding === 'pcm16' ? FORMAT_PCM : FORMAT_MULAW, true)
  view.setUint16(22, format.channels, true)
  view.setUint32(24, format.sampleRateHz, true)
  view.setUint32(28, format.sampleRateHz * blockBytes, true)
  view.setUint16(32, blockBytes, true)
  view.setUint16(34, sampleBytes * 8, true)
  text(dataAt - CHUNK_HEADER, 'data')
  view.setUint32(dataAt - 4, dataBytes, true)
  return header
}

/**
 * Reads what `writeWav` writes and what synthesisers stream: a data length beyond the end of the file
 * (unknown when the header was written) means all that is there. Throws RangeError on anything else.
 */
export function parseWav(file: Uint8Array): WavAudio {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const text = (at: number): string => String.fromCharCode(...file.subarray(at, at + 4))
  if (text(0) !== 'RIFF' || text(8) !== 'WAVE') throw new RangeError('Not a WAVE file')
  let format: Omit<WavAudio, 'data'> | null = null
  for (let at = RIFF_HEADER; at + CHUNK_HEADER <= file.length;) {
    const body = at + CHUNK_HEADER
    const length = Math.min(view.getUint32(at + 4, true), file.length - body)
    if (text(at) === 'fmt ') format = parseFormat(view, body)
    if (text(at) === 'data') {
      if (format === null) throw new RangeError('WAVE data before its format')
      return { ...format, data: file.slice(body, body + length) }
    }
    at = body + length + (length % 2)
  }
  throw new RangeError('WAVE file without data')
}

function parseFormat(view: DataView, at: number): Omit<WavAudio, 'data'> {
  const code = view.getUint16(at, true)
  const channels = view.getUint16(at + 2, true)
  const bits = view.getUint16(at + 14, true)
  const encoding =
    code === FORMAT_PCM && bits === 16 ? 'pcm16' : code === FORMAT_MULAW ? 'mulaw' : null
  if (encoding === null) throw new RangeError(`Unsupported WAVE format ${code} with ${bits} bits`)
  if (channels !== 1 && channels !== 2) throw new RangeError(`${channels} WAVE channels`)
  return { encoding, channels, sampleRateHz: view.getUint32(at + 4, true) }
}

/** The samples of each channel (left first) as 16-bit PCM. */
export function wavChannels(audio: WavAudio): Int16Array[] {
  const samples = audio.encoding === 'mulaw' ? decodeMulaw(audio.data) : pcmOf(audio.data)
  const perChannel = Math.floor(samples.length / audio.channels)
  return Array.from({ length: audio.channels }, (_, channel) =>
    Int16Array.from({ length: perChannel }, (_, i) => samples[i * audio.channels + channel]!),
  )
}

function pcmOf(data: Uint8Array): Int16Array {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  return Int16Array.from({ length: data.length >> 1 }, (_, i) => view.getInt16(i * 2, true))
}
