import { describe, expect, it } from 'vitest'

import { recordedCalleeSound } from '#infra/local/carrier/callee-sound.ts'
import type { Callee } from '#infra/local/carrier/callee.ts'
import { FRAME_BYTES } from '#shared/audio/frame.ts'
import { encodeMulaw } from '#shared/audio/mulaw.ts'
import { wordTones } from '#shared/audio/tone-words.ts'
import { decodeCarrierFrame } from '#voice/wire/provider-1.ts'

import { carrierStage, PERSON, type CarrierStage } from './carrier-stage.ts'
import type { Frame, MediaPeer } from './fake-runtime.ts'

const media = (audio: Uint8Array) => ({
  event: 'media',
  media: { payload: Buffer.from(audio).toString('base64') },
})
const audio = (frames: number) => new Uint8Array(frames * FRAME_BYTES).fill(0x10)
const mark = (name: string) => ({ event: 'mark', mark: { name } })
const clear = { event: 'clear' }

/** Moves time by whole ticks and gives all frames so far, once those of the ticks have arrived. */
async function tick(stage: CarrierStage, peer: MediaPeer, ticks: number) {
  const earlier = eventsOf(peer.frames.items, 'media').length
  stage.time.advance(ticks * 20)
  return peer.frames.until((frames) => eventsOf(frames, 'media').length >= earlier + ticks)
}

function eventsOf(frames: readonly Frame[], event: string): Frame[] {
  return frames.filter((frame) => frame.event === event)
}

function audioOf(frames: readonly Frame[]): Buffer {
  return Buffer.concat(
    eventsOf(frames, 'media').map((frame) =>
      Buffer.from((frame['media'] as { payload: string }).payload, 'base64'),
    ),
  )
}

/** Which ticks' audio had been sent before each mark came back. */
function marksOf(frames: readonly Frame[]): [string, number][] {
  return frames.flatMap((frame, index) =>
    frame.event === 'mark'
      ? [
          [
            (frame['mark'] as { name: string }).name,
            eventsOf(frames.slice(0, index), 'media').length,
          ],
        ]
      : [],
  )
}

const ended = async (stage: CarrierStage) => {
  const isEnded = ({ body }: { body: Readonly<Record<string, unknown>> }) =>
    body['status'] === 'ended'
  const callbacks = await stage.runtime.callbacks.until((items) => items.some(isEnded))
  const { sip_code: sipCode, ended_by: endedBy } = callbacks.find(isEnded)!.body
  return { sipCode, endedBy }
}

describe('the media of an answered call', () => {
  it('begins with connected and start, and drops the query string of the URL', async () => {
    await using stage = await carrierStage()
    const callId = await stage.dial({ media_url: `${stage.runtime.mediaUrl}?secret=1` })
    stage.time.advance(2_000)
    const [peer] = await stage.runtime.peers.count(1)
    const frames = await peer!.frames.count(2)
    expect(peer!.path).toBe('/media/token')
    expect(frames).toMatchObject([
      { event: 'connected' },
      {
        event: 'start',
        start: {
          callSid: callId,
          customParameters: { attempt_id: 'att_1', order_id: 'call_1', attempt_number: '1' },
        },
      },
    ])
    expect(await stage.calls()).toMatchObject([
      { status: 'answered', answered_at: '2026-01-31T09:00:02.000Z' },
    ])
  })

  it('is one frame of 20 ms for each tick, in the words the voice runtime reads', async () => {
    await using stage = await carrierStage()
    const peer = await stage.answeredCall()
    await tick(stage, peer, 50)
    const read = peer.texts.items.map(decodeCarrierFrame)
    expect(read.map(({ kind }) => kind)).toEqual([
      'connected',
      'start',
      ...Array.from({ length: 50 }, () => 'media'),
    ])
    for (const [index, frame] of read.slice(2).entries()) {
      expect(frame).toMatchObject({ kind: 'media', timestampMs: index * 20 })
      expect(frame.kind === 'media' && frame.audio.length).toBe(FRAME_BYTES)
    }
  })

  it('carries the callee, with silence around its sentences', async () => {
    await using stage = await carrierStage()
    const peer = await stage.answeredCall()
    const heard = audioOf(await tick(stage, peer, 100))
    const hello = Buffer.from(recordedCalleeSound().clip('hello'))
    const from = 19 * FRAME_BYTES
    expect(heard.subarray(from, from + hello.length).equals(hello)).toBe(true)
    const around = Buffer.concat([heard.subarray(0, from), heard.subarray(from + hello.length)])
    expect(around.every((byte) => byte === 0xff)).toBe(true)
    expect(await stage.calls()).toMatchObject([{ said: ['Hello?'] }])
  })

  it('echoes a mark when the audio before it has played, at real pace', async () => {
    await using stage = await carrierStage()
    const peer = await stage.answeredCall()
    await peer.send(media(audio(3)), mark('a'), media(audio(2)), mark('b'), mark('c'))
    expect(marksOf(await tick(stage, peer, 10))).toEqual([
      ['a', 3],
      ['b', 5],
      ['c', 5],
    ])
  })

  it('echoes a mark on an empty buffer with the next tick', async () => {
    await using stage = await carrierStage()
    const peer = await stage.answeredCall()
    await peer.send(mark('a'))
    expect(marksOf(await tick(stage, peer, 2))).toEqual([['a', 1]])
  })

  it('drops the buffer at a clear, and echoes its marks without a tick', async () => {
    await using stage = await carrierStage()
    const peer = await stage.answeredCall()
    await peer.send(media(audio(100)), mark('a'), media(audio(100)), mark('b'))
    await tick(stage, peer, 10)
    await peer.send(clear)
    expect(marksOf(peer.frames.items)).toEqual([
      ['a', 10],
      ['b', 10],
    ])
    await peer.send(media(audio(1)), mark('c'))
    expect(marksOf(await tick(stage, peer, 2)).at(-1)).toEqual(['c', 11])
  })

  it('lets the callee make out what an agent says in tones', async () => {
    await using stage = await carrierStage()
    const peer = await stage.answeredCall()
    await tick(stage, peer, 60)
    const speech = ['Thank', 'you,', 'goodbye!'].map((word) => media(encodeMulaw(wordTones(word))))
    await peer.send(...speech)
    await tick(stage, peer, 150)
    expect(await stage.calls()).toMatchObject([
      { heard: ['Thank', 'you,', 'goodbye!'], said: ['Hello?', 'Goodbye.'] },
    ])
  })

  it('tells keys that the callee presses', async () => {
    const presser: Callee<null> = {
      initial: null,
      react: (state, { type }) => ({
        state,
        actions: type === 'answered' ? [{ type: 'sendDtmf', digits: '1#' }] : [],
      }),
    }
    await using stage = await carrierStage({
      planDial: () => ({ kind: 'answers', afterMs: 2_000, callee: presser }),
    })
    const peer = await stage.answeredCall()
    await tick(stage, peer, 1)
    const frames = await peer.frames.count(5)
    expect(eventsOf(frames, 'dtmf').map((frame) => frame['dtmf'])).toEqual([
      { track: 'inbound_track', digit: '1' },
      { track: 'inbound_track', digit: '#' },
    ])
  })

  it('keeps calls apart', async () => {
    await using stage = await carrierStage()
    const first = await stage.answeredCall()
    const second = await stage.answeredCall('+12025550113')
    await first.send(mark('a'))
    await Promise.all([tick(stage, first, 5), second.frames.count(7)])
    expect(marksOf(second.frames.items)).toEqual([])
    expect(audioOf(second.frames.items).every((byte) => byte === 0xff)).toBe(true)
  })
})

describe('the end of an answered call', () => {
  it('by the callee: stop, a normal close, and nothing after it', async () => {
    await using stage = await carrierStage()
    const peer = await stage.answeredCall('+12025550110')
    stage.time.advance(10_000)
    expect(await peer.closed).toBe(1000)
    expect(eventsOf(peer.frames.items, 'media')).toHaveLength(100)
    expect(peer.frames.items.at(-1)?.event).toBe('stop')
    expect(await ended(stage)).toEqual({ sipCode: 200, endedBy: 'callee' })
    expect(await stage.calls()).toMatchObject([{ ended_at: '2026-01-31T09:00:04.000Z' }])
  })

  it('by the caller over HTTP: stop and a normal close', async () => {
    await using stage = await carrierStage()
    const peer = await stage.answeredCall()
    const [call] = await stage.calls()
    await stage.ask('POST', `/calls/${call!.call_id}/hang-up`)
    expect(await peer.closed).toBe(1000)
    expect(peer.frames.items.at(-1)?.event).toBe('stop')
    expect(await ended(stage)).toEqual({ sipCode: 200, endedBy: 'caller' })
  })

  it('by the caller closing the socket', async () => {
    await using stage = await carrierStage()
    const peer = await stage.answeredCall()
    peer.socket.close(1000)
    expect(await ended(stage)).toEqual({ sipCode: 200, endedBy: 'caller' })
  })

  it('by a socket that breaks', async () => {
    await using stage = await carrierStage()
    const peer = await stage.answeredCall()
    peer.socket.terminate()
    expect(await ended(stage)).toEqual({ sipCode: 200, endedBy: 'carrier' })
  })

  it.each([
    ['a frame that is none', '{"event":"hello"}', 1007],
    ['no JSON', 'hello', 1007],
  ])('by %s, which the carrier refuses', async (_, text, code) => {
    await using stage = await carrierStage()
    const peer = await stage.answeredCall()
    peer.socket.send(text)
    expect(await peer.closed).toBe(code)
    expect(await ended(stage)).toEqual({ sipCode: 200, endedBy: 'carrier' })
  })

  it('by a media URL where nobody listens', async () => {
    await using stage = await carrierStage()
    await stage.dial({ media_url: 'ws://127.0.0.1:1/media' })
    stage.time.advance(2_000)
    expect(await ended(stage)).toEqual({ sipCode: 200, endedBy: 'carrier' })
  })

  it('by a voicemail that has recorded the silence after its beep', async () => {
    await using stage = await carrierStage()
    const peer = await stage.answeredCall('+12025550105')
    stage.time.advance(20_000)
    await peer.closed
    expect(await ended(stage)).toEqual({ sipCode: 200, endedBy: 'callee' })
    const sound = recordedCalleeSound()
    const heard = audioOf(peer.frames.items)
    expect(heard.includes(Buffer.from(sound.clip('voicemail_greeting')))).toBe(true)
    expect(heard.includes(Buffer.from(sound.beep()))).toBe(true)
  })

  it('is whole: a conversation in tones from hello to goodbye', async () => {
    await using stage = await carrierStage()
    const peer = await stage.answeredCall(PERSON)
    await tick(stage, peer, 100)
    for (let turn = 0; turn < 5; turn++) {
      await peer.send(media(encodeMulaw(wordTones('Well?'))))
      if (turn < 4) await tick(stage, peer, 200)
      else stage.time.advance(10_000)
    }
    expect(await peer.closed).toBe(1000)
    expect(await stage.calls()).toMatchObject([
      {
        status: 'ended',
        ended_by: 'callee',
        heard: ['Well?', 'Well?', 'Well?', 'Well?', 'Well?'],
        said: [
          'Hello?',
          'Yes, speaking.',
          'Yes, that sounds good to me.',
          'Tuesday morning would be best.',
          "No, that's all. Thank you.",
          'Goodbye.',
        ],
      },
    ])
  })
})
