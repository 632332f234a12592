import { expect, it } from 'vitest'

import { readCalleeClips } from '#shared/adapters/stt/callee-clip-audio.ts'
import type { SpeechToText, SttEvent, SttOptions } from '#shared/ports/speech-to-text.ts'
import { carrierFrames, joined, overTheLine, silence } from '#test/support/telephone-line.ts'

const OPTIONS: SttOptions = {
  model: 'stt-rt-v4',
  languageHints: ['en'],
  context: { general: [{ key: 'company', value: 'Acme' }], terms: ['Nora'] },
  reference: 'attempt-1',
}
const clips = readCalleeClips()
const LEAD_MS = 500

/** What every implementation of the port does. `settle` resolves when all it has heard is answered. */
export function speechToTextSuite(
  open: () => Promise<{ speechToText: SpeechToText; settle: () => Promise<void> }>,
): void {
  const listen = async (audio: Uint8Array): Promise<SttEvent[]> => {
    const { speechToText, settle } = await open()
    const events: SttEvent[] = []
    const stream = speechToText.open(OPTIONS, (event) => events.push(event))
    for (const frame of carrierFrames(audio)) stream.write(frame)
    await settle()
    stream.close()
    return events
  }
  const bare = (text: string): string => text.toLowerCase().replaceAll(/[^a-z ]/g, '')

  it('gives the final text of an utterance with its times, then the end of the turn', async () => {
    const clip = clips.get('tuesday_morning')!
    const events = await listen(overTheLine(clip, { before: LEAD_MS * 8, after: 16_000 }))
    const finals = events.filter((event) => event.type === 'final')
    expect(bare(finals.map(({ text }) => text).join(' '))).toBe('tuesday morning would be best')
    expect(Math.abs(finals[0]!.startMs - LEAD_MS)).toBeLessThan(200)
    expect(Math.abs(finals.at(-1)!.endMs - LEAD_MS - clip.length / 8)).toBeLessThan(200)
    expect(events.filter((event) => event.type === 'endOfTurn')).toHaveLength(1)
    expect(events.at(-1)!.type).toBe('endOfTurn')
  })

  it('gives interim texts on the way', async () => {
    const events = await listen(overTheLine(clips.get('call_me_later')!, { after: 16_000 }))
    const interims = events.filter((event) => event.type === 'interim')
    expect(interims.length).toBeGreaterThan(2)
    expect('im busy right now could you call me back later').toContain(bare(interims[1]!.text))
    expect(events.findIndex((event) => event.type === 'final')).toBeGreaterThan(2)
  })

  it('keeps the words of two turns in order', async () => {
    const said = [clips.get('yes_speaking')!, silence(2_000), clips.get('goodbye')!]
    const events = await listen(overTheLine(joined(said), { after: 16_000 }))
    const finals = events.filter((event) => event.type === 'final')
    expect(bare(finals.map(({ text }) => text).join(' '))).toBe('yes speaking goodbye')
    expect(finals[0]!.endMs).toBeLessThan(finals.at(-1)!.startMs)
    expect(events.filter((event) => event.type === 'endOfTurn')).toHaveLength(2)
  })

  it('hears nothing in silence', async () => {
    expect(await listen(silence(3_000))).toEqual([])
  })

  it('gives everything pending when asked', async () => {
    const { speechToText, settle } = await open()
    const events: SttEvent[] = []
    const stream = speechToText.open(OPTIONS, (event) => events.push(event))
    for (const frame of carrierFrames(overTheLine(clips.get('goodbye')!, { after: 160 }))) {
      stream.write(frame)
    }
    expect(events.filter((event) => event.type === 'final')).toEqual([])
    stream.finalize()
    await settle()
    expect(events.filter((event) => event.type === 'final')).toHaveLength(1)
    stream.close()
  })

  it('says nothing after it was closed', async () => {
    const { speechToText, settle } = await open()
    const events: SttEvent[] = []
    const stream = speechToText.open(OPTIONS, (event) => events.push(event))
    stream.close()
    for (const frame of carrierFrames(clips.get('goodbye')!)) stream.write(frame)
    stream.finalize()
    await settle()
    expect(events).toEqual([])
  })
}
