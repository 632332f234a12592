import type { RecordedSound } from '#shared/ports/recordings.ts'
import type { SoundFile } from '#voice/media-worker/sound-file.ts'

/** A sound file that is none. */
export class MemoryFile implements SoundFile {
  #bytes = new Uint8Array(0)
  isClosed = false

  write(bytes: Uint8Array, position: number): void {
    const end = position + bytes.length
    if (end > this.#bytes.length) {
      const longer = new Uint8Array(end)
      longer.set(this.#bytes)
      this.#bytes = longer
    }
    this.#bytes.set(bytes, position)
  }

  async settled(): Promise<void> {}

  async read(position: number, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length)
    bytes.set(this.#bytes.subarray(position, position + length))
    return bytes
  }

  close(): void {
    this.isClosed = true
  }
}

export async function bytesOf(sound: RecordedSound): Promise<Uint8Array> {
  const bytes = new Uint8Array(sound.bytes)
  let at = 0
  for await (const chunk of sound.chunks()) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  if (at !== sound.bytes) throw new Error(`${at} bytes instead of ${sound.bytes}`)
  return bytes
}

/** A recording of these bytes. */
export function soundOf(...bytes: readonly number[]): RecordedSound {
  return {
    bytes: bytes.length,
    async *chunks() {
      for (const byte of bytes) yield Uint8Array.of(byte)
    },
  }
}
