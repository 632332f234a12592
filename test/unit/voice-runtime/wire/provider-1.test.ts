import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { decodeCarrierFrame, encodeClear, encodeMark, encodeMedia } from '#voice/wire/provider-1.ts'

const START = {
  event: 'start',
  sequenceNumber: '1',
  streamSid: 'MZ1',
  start: {
    streamSid: 'MZ1',
    accountSid: 'AC1',
    callSid: 'CA1',
    tracks: ['inbound'],
    customParameters: { attempt_id: 'att_1', odd: 7 },
    mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
  },
}

const media = (fields: object) =>
  JSON.stringify({ event: 'media', sequenceNumber: '3', streamSid: 'MZ1', media: fields })

describe('decodeCarrierFrame', () => {
  it.each([
    [
      'connected',
      { event: 'connected', protocol: 'Call', version: '1.0.0' },
      { kind: 'connected' },
    ],
    [
      'start',
      START,
      { kind: 'start', streamId: 'MZ1', callId: 'CA1', parameters: { attempt_id: 'att_1' } },
    ],
    [
      'media',
      { event: 'media', media: { track: 'inbound', chunk: '1', timestamp: '5', payload: '/38=' } },
      { kind: 'media', timestampMs: 5, audio: new Uint8Array([0xff, 0x7f]) },
    ],
    [
      'dtmf',
      { event: 'dtmf', dtmf: { track: 'inbound_track', digit: '#' } },
      { kind: 'dtmf', digit: '#' },
    ],
    ['mark', { event: 'mark', mark: { name: 's1@800' } }, { kind: 'mark', name: 's1@800' }],
    ['stop', { event: 'stop', stop: { callSid: 'CA1' } }, { kind: 'stop' }],
  ])('understands %s', (_name, frame, expected) => {
    expect(decodeCarrierFrame(JSON.stringify(frame))).toEqual(expected)
  })

  it.each([
    ['nothing', ''],
    ['broken JSON', '{"event":"media"'],
    ['null', 'null'],
    ['a number', '7'],
    ['an unknown event', '{"event":"weather"}'],
    ['a start without a call', JSON.stringify({ ...START, start: { streamSid: 'MZ1' } })],
    [
      'a start in another format',
      JSON.stringify({
        ...START,
        start: { ...START.start, mediaFormat: { encoding: 'audio/x-l16', sampleRate: 16000 } },
      }),
    ],
    ['media without payload', media({ track: 'inbound', timestamp: '5' })],
    ['media that is not base64', media({ track: 'inbound', timestamp: '5', payload: '!!' })],
    ['media without time', media({ track: 'inbound', payload: '/38=' })],
    ['media of the other side', media({ track: 'outbound', timestamp: '5', payload: '/38=' })],
    ['a long digit', '{"event":"dtmf","dtmf":{"digit":"12"}}'],
    ['a mark without name', '{"event":"mark","mark":{}}'],
  ])('calls %s malformed', (_name, text) => {
    expect(decodeCarrierFrame(text)).toEqual({ kind: 'malformed' })
  })

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => 'kind' in decodeCarrierFrame(text)))
    fc.assert(
      fc.property(
        fc.constantFrom('connected', 'start', 'media', 'dtmf', 'mark', 'stop'),
        fc.jsonValue(),
        (event, body) => 'kind' in decodeCarrierFrame(JSON.stringify({ event, [event]: body })),
      ),
    )
  })
})

describe('encoding', () => {
  it('writes what the carrier reads', () => {
    expect(JSON.parse(encodeMark('MZ1', 's1@800'))).toEqual({
      event: 'mark',
      streamSid: 'MZ1',
      mark: { name: 's1@800' },
    })
    expect(JSON.parse(encodeClear('MZ1'))).toEqual({ event: 'clear', streamSid: 'MZ1' })
  })

  it('carries every byte, also of a view into a larger buffer', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 400 }), fc.nat(20), (audio, offset) => {
        const large = new Uint8Array(audio.length + offset)
        large.set(audio, offset)
        const frame = JSON.parse(encodeMedia('MZ1', large.subarray(offset))) as {
          streamSid: string
          media: { payload: string }
        }
        expect(frame.streamSid).toBe('MZ1')
        const text = media({ timestamp: '0', payload: frame.media.payload })
        expect(decodeCarrierFrame(text)).toEqual({ kind: 'media', timestampMs: 0, audio })
      }),
    )
  })
})
