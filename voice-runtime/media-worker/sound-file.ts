import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const readAt = promisify(fs.read)
const writeAt = promisify(fs.write)

/** Where the sound of one call is kept while it lasts. */
export interface SoundFile {
  /** Returns at once; writes happen one after the other. The bytes belong to the file from now on. */
  write(bytes: Uint8Array, position: number): void
  /** Resolves when all is written; rejects when something could not be. */
  settled(): Promise<void>
  /** Zeros where nothing was written. */
  read(position: number, length: number): Promise<Uint8Array>
  /** Nothing of it remains. */
  close(): void
}

/** A file on disk that has no name, so that nothing remains of it however the process ends. */
export class TemporaryFile implements SoundFile {
  readonly fd: number
  #writing: Promise<unknown> = Promise.resolve()

  /** `fd`: of a file that another thread of this process has written. */
  constructor(fd: number) {
    this.fd = fd
  }

  static open(): TemporaryFile {
    const folder = fs.mkdtempSync(path.join(tmpdir(), 'call-'))
    const fd = fs.openSync(path.join(folder, 'sound'), 'w+', 0o600)
    fs.rmSync(folder, { recursive: true })
    return new TemporaryFile(fd)
  }

  write(bytes: Uint8Array, position: number): void {
    this.#writing = this.#append(this.#writing, bytes, position)
    // Whoever asks `settled` is told.
    this.#writing.catch(() => undefined)
  }

  async settled(): Promise<void> {
    await this.#writing
  }

  async read(position: number, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length)
    for (let done = 0; done < length;) {
      const { bytesRead } = await readAt(this.fd, bytes, done, length - done, position + done)
      if (bytesRead === 0) break
      done += bytesRead
    }
    return bytes
  }

  async #append(before: Promise<unknown>, bytes: Uint8Array, position: number): Promise<void> {
    await before
    for (let done = 0; done < bytes.length;) {
      const rest = bytes.subarray(done)
      done += (await writeAt(this.fd, rest, 0, rest.length, position + done)).bytesWritten
    }
  }

  close(): void {
    fs.close(this.fd, () => undefined)
  }
}
