import { describe, expect, it } from 'vitest'

import { CarrierFrames, decodeAgentFrame } from '#infra/local/carrier/media-frames.ts'

describe('decodeAgentFrame', () => {
  const frame = (content: object) => JSON.stringify({ streamSid: 'MZ1', ...content })

  it.each([
    [
      'media',
      frame({ event: 'media', media: { payload: 'AQID' } }),
      { kind: 'media', audio: Uint8Array.of(1, 2, 3) },
    ],
    ['a mark', frame({ event: 'mark', mark: { name: 'm1' } }), { kind: 'mark', name: 'm1' }],
    ['a clear', frame({ event: 'clear' }), { kind: 'clear' }],
    ['no JSON', '{', null],
    ['an unknown event', frame({ event: 'dtmf' }), null],
    ['audio that is no base64', frame({ event: 'media', media: { payload: '*' } }), null],
    ['a mark without a name', frame({ event: 'mark', mark: {} }), null],
    ['another stream', JSON.stringify({ event: 'clear', streamSid: 'MZ2' }), null],
    ['no stream', JSON.stringify({ event: 'clear' }), null],
  ])('reads %s', (_, text, expected) => {
    expect(decodeAgentFrame(text, 'MZ1')).toEqual(expected)
  })
})

describe('CarrierFrames', () => {
  it('numbers its frames from the start frame on, and media by themselves', () => {
    const frames = new CarrierFrames({ streamId: 'MZ1', callId: 'c1' })
    const sent = [
      frames.connected(),
      frames.start({ attempt_id: 'att_1' }),
      frames.media(Uint8Array.of(1, 2, 3), 0),
      frames.dtmf('5'),
      frames.media(Uint8Array.of(1, 2, 3), 20),
      frames.mark('m1'),
      frames.stop(),
    ].map((text) => JSON.parse(text) as Record<string, unknown>)
    expect(sent[0]).toEqual({ event: 'connected', protocol: 'Call', version: '1.0.0' })
    expect(sent[1]).toEqual({
      event: 'start',
      sequenceNumber: '1',
      streamSid: 'MZ1',
      start: {
        streamSid: 'MZ1',
        accountSid: 'simulated',
        callSid: 'c1',
        tracks: ['inbound'],
        customParameters: { attempt_id: 'att_1' },
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
      },
    })
    expect(sent[4]).toEqual({
      event: 'media',
      sequenceNumber: '4',
      streamSid: 'MZ1',
      media: { track: 'inbound', chunk: '2', timestamp: '20', payload: 'AQID' },
    })
    expect(sent.map((frame) => frame['sequenceNumber'])).toEqual([
      undefined,
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
    ])
  })
})
