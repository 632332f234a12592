import { FakeMouth, spokenChunks } from './fake-mouth.ts'
import type { FakePace, SpeechFault, SpokenChunk } from './fake-mouth.ts'
import type { FakeConnection } from './fake-socket-server.ts'

export interface ContextHandlers {
  readonly connection: FakeConnection
  readonly nextFault: () => SpeechFault | null
  /** `offsetMs`: the audio of the context before this sentence. */
  readonly audio: (chunk: SpokenChunk, offsetMs: number) => void
  readonly error: (code: number) => void
}

const GARBAGE: readonly (string | Uint8Array | object)[] = [
  '<html>',
  '[',
  'null',
  '7',
  new Uint8Array([1, 2, 3]),
  { type: 'chunk', data: 7, context_id: 7 },
  { type: 'timestamps', word_timestamps: { words: 'x', end: [null] } },
  { audio: {}, contextId: null, alignment: { chars: [7], charStartTimesMs: 'x' } },
  { result: { audioChunk: 7, status: 'x', contextId: {} } },
  { result: null },
]

/** One context of a fake voice: sentences that are said in their order, with what goes wrong. */
export class FakeVoiceContext {
  readonly #handlers: ContextHandlers
  readonly #mouth: FakeMouth
  #offsetMs = 0

  constructor(handlers: ContextHandlers, pace?: FakePace) {
    this.#handlers = handlers
    this.#mouth = new FakeMouth(pace)
  }

  say(text: string): void {
    if (text !== '') this.#mouth.say(this.#steps(text))
  }

  /** After everything that was said before. */
  afterwards(run: () => void): void {
    this.#mouth.say([run])
  }

  /** Drops what is not said; a frame that was on its way still comes. */
  cancel(late: () => void): void {
    this.#mouth.clear()
    this.afterwards(late)
  }

  *#steps(text: string): Generator<() => void> {
    const { connection, nextFault, audio, error } = this.#handlers
    const fault = nextFault()
    const chunks = spokenChunks(text)
    for (const [index, chunk] of chunks.entries()) {
      if (fault !== null && index === Math.min(fault.afterWords ?? 0, chunks.length - 1)) {
        if (fault.kind === 'drop') return yield () => connection.drop()
        if (fault.kind === 'stall') return yield () => this.#mouth.stall()
        if (fault.kind === 'error') return yield () => error(fault.code)
        yield () => {
          for (const piece of GARBAGE) connection.send(piece)
        }
      }
      yield () => audio(chunk, this.#offsetMs)
    }
    yield () => {
      this.#offsetMs += chunks.at(-1)?.endMs ?? 0
    }
  }
}
