/** The vendors of the benchmark, over TLS: they say what `script.ts` says and note when. */

import https from 'node:https'
import type { AddressInfo } from 'node:net'

import { FRAME_MS } from '#shared/audio/frame.ts'
import type { FakeEars } from '#test/support/fakes/fake-ears.ts'
import { startFakeSocketServer } from '#test/support/fakes/fake-socket-server.ts'
import { startFakeSoniox } from '#test/support/fakes/fake-soniox.ts'

import {
  ANSWER,
  FIRST_SENTENCE_WORDS,
  recognisedAt,
  ROUND_FRAMES,
  SENTENCE_MS,
  WORD_EVERY_MS,
} from './script.ts'

export interface Certificate {
  readonly cert: string
  readonly key: string
}

export interface VendorListener {
  /** The recogniser has this frame of the callee. */
  readonly onHeard: (session: number, frame: number) => void
  /** The recogniser says, for the first time, that somebody wants the floor. */
  readonly onInterruption: (session: number) => void
  readonly onLlmRequest: (session: number) => void
  /** The model has said the word after which the first sentence must be taken for complete. */
  readonly onSentence: (session: number) => void
  /** The first sentence of an answer is to be said... */
  readonly onTtsRequest: (session: number) => void
  /** ...and this is the first of its audio. */
  readonly onTtsAudio: (session: number) => void
}

export interface VendorUrls {
  readonly stt: string
  readonly tts: string
  readonly llm: string
}

export async function startVendorFakes(
  tls: Certificate,
  listener: VendorListener,
): Promise<VendorUrls> {
  const soniox = await startFakeSoniox({ tls, record: false, ears: () => earsOf(listener) })
  const voice = await startVoice(tls, listener)
  const llm = await startModel(tls, listener)
  return { stt: loopback(soniox.url), tts: loopback(voice), llm }
}

function loopback(url: string): string {
  return url.replace('127.0.0.1', 'localhost')
}

function earsOf(listener: VendorListener): FakeEars {
  let session = -1
  let frames = 0
  let wasInterrupting = false
  return {
    push(frame) {
      if (frames === 0) session = Buffer.from(frame).readUInt32LE()
      listener.onHeard(session, frames)
      const events = recognisedAt(frames % ROUND_FRAMES)
      const roundMs = (frames - (frames % ROUND_FRAMES)) * FRAME_MS
      frames += 1
      return events.map((event) => {
        if (event.type === 'final') {
          const { text, startFrame, endFrame } = event
          const startMs = roundMs + startFrame * FRAME_MS
          return { type: 'final', text, startMs, endMs: roundMs + endFrame * FRAME_MS } as const
        }
        if (event.type === 'endOfTurn') {
          wasInterrupting = false
          return event
        }
        // The first word may still be a listener's.
        if (event.isInterruption && !wasInterrupting) {
          wasInterrupting = true
          listener.onInterruption(session)
        }
        return { type: 'interim', text: event.text } as const
      })
    },
    finalize: () => [],
  }
}

/** Names the session within the first sentence, for the voice. */
const NAME = /caller (\d+),/

function answerFor(session: number): readonly string[] {
  const words = ANSWER.split(' ')
  return [`Well,`, `caller`, `${session},`, ...words].map((word, at) =>
    at === 0 ? word : ` ${word}`,
  )
}

async function startVoice(tls: Certificate, listener: VendorListener): Promise<string> {
  const server = await startFakeSocketServer(
    {
      connect: (connection) => ({
        message(message) {
          const { context_id, transcript, cancel } = message as Readonly<Record<string, unknown>>
          const send = (type: string, fields: object) =>
            connection.send({ type, context_id, status_code: 206, done: false, ...fields })
          const text = typeof transcript === 'string' ? transcript.trim() : ''
          if (cancel === true) return
          if (text === '') return send('done', { done: true })
          const session = NAME.exec(text)?.[1]
          if (session !== undefined) listener.onTtsRequest(Number(session))
          const words = text.split(' ')
          send('timestamps', { word_timestamps: timesOf(words) })
          if (session !== undefined) listener.onTtsAudio(Number(session))
          for (const data of SPOKEN) send('chunk', { data, step_time: 12.3 })
          send('flush_done', { flush_done: true, flush_id: 1 })
        },
      }),
    },
    { tls, record: false },
  )
  return `${server.url}/tts/websocket`
}

const CHUNKS = 5
const SPOKEN = Array.from({ length: CHUNKS }, () =>
  Buffer.alloc((SENTENCE_MS * 8) / CHUNKS, 0x22).toString('base64'),
)

function timesOf(words: readonly string[]) {
  const wordSecs = SENTENCE_MS / 1_000 / words.length
  return {
    words,
    start: words.map((_, at) => at * wordSecs),
    end: words.map((_, at) => (at + 1) * wordSecs),
  }
}

async function startModel(tls: Certificate, listener: VendorListener): Promise<string> {
  const server = https.createServer(tls, (request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (piece: string) => (body += piece))
    request.on('end', () => {
      const session = Number(/session (\d+)/.exec(body)?.[1])
      listener.onLlmRequest(session)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const words = answerFor(session)
      let at = 0
      const timer = setInterval(() => {
        const word = words[at]
        if (word === undefined) {
          clearInterval(timer)
          return response.end('data: [DONE]\n\n')
        }
        // The sentence is known to have ended with the word after it.
        if (at === FIRST_SENTENCE_WORDS + 3) listener.onSentence(session)
        response.write(`data: ${JSON.stringify(chunkOf(word))}\n\n`)
        at += 1
      }, WORD_EVERY_MS)
      response.on('close', () => clearInterval(timer))
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `https://localhost:${(server.address() as AddressInfo).port}/v1`
}

function chunkOf(content: string): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_767_323_045,
    model: 'fake-model-2026',
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
  }
}
