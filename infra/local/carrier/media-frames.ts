import * as z from 'zod'

/** What the agent's side may send (reference/protocols-media.md 3.3). */
export type AgentFrame =
  | { readonly kind: 'media'; readonly audio: Uint8Array }
  | { readonly kind: 'mark'; readonly name: string }
  | { readonly kind: 'clear' }

const frames = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('media'),
    streamSid: z.string(),
    media: z.object({ payload: z.base64() }),
  }),
  z.object({
    event: z.literal('mark'),
    streamSid: z.string(),
    mark: z.object({ name: z.string().min(1) }),
  }),
  z.object({ event: z.literal('clear'), streamSid: z.string() }),
])

/** Null for anything else, another stream's frames included: a carrier is not forgiving. */
export function decodeAgentFrame(text: string, streamId: string): AgentFrame | null {
  const parsed = frames.safeParse(parseJson(text))
  if (!parsed.success || parsed.data.streamSid !== streamId) return null
  const frame = parsed.data
  switch (frame.event) {
    case 'media':
      return { kind: 'media', audio: new Uint8Array(Buffer.from(frame.media.payload, 'base64')) }
    case 'mark':
      return { kind: 'mark', name: frame.mark.name }
    case 'clear':
      return { kind: 'clear' }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Writes the carrier's own frames, numbered as they go out. */
export class CarrierFrames {
  readonly streamId: string
  readonly #callId: string
  #sequence = 0
  #chunk = 0

  constructor({ streamId, callId }: { streamId: string; callId: string }) {
    this.streamId = streamId
    this.#callId = callId
  }

  connected(): string {
    return JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' })
  }

  start(customParameters: Readonly<Record<string, string>>): string {
    return this.#frame('start', {
      streamSid: this.streamId,
      accountSid: 'simulated',
      callSid: this.#callId,
      tracks: ['inbound'],
      customParameters,
      mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
    })
  }

  /** `timestampMs` counts from the start of the stream. */
  media(audio: Uint8Array, timestampMs: number): string {
    this.#chunk += 1
    return this.#frame('media', {
      track: 'inbound',
      chunk: String(this.#chunk),
      timestamp: String(timestampMs),
      payload: Buffer.from(audio).toString('base64'),
    })
  }

  dtmf(digit: string): string {
    return this.#frame('dtmf', { track: 'inbound_track', digit })
  }

  mark(name: string): string {
    return this.#frame('mark', { name })
  }

  stop(): string {
    return this.#frame('stop', { accountSid: 'simulated', callSid: this.#callId })
  }

  #frame(event: string, content: Readonly<Record<string, unknown>>): string {
    this.#sequence += 1
    return JSON.stringify({
      event,
      sequenceNumber: String(this.#sequence),
      streamSid: this.streamId,
      [event]: content,
    })
  }
}
