import { expect, it } from 'vitest'

import { readCalleeClips } from '#shared/adapters/stt/callee-clip-audio.ts'
import type { VoiceActivityDetector } from '#shared/ports/voice-activity.ts'
import { carrierFrames, overTheLine, silence } from '#test/support/telephone-line.ts'

const WINDOW_MS = 32
const speech = readCalleeClips().get('tuesday_morning')!

/** What every implementation of the port does. `settle` resolves when all it has heard is answered. */
export function voiceActivitySuite(
  open: () => Promise<{ detector: VoiceActivityDetector; settle: () => Promise<void> }>,
): void {
  const listen = async (audio: Uint8Array): Promise<number[]> => {
    const { detector, settle } = await open()
    const heard: number[] = []
    const stream = detector.open((probability) => heard.push(probability))
    for (const frame of carrierFrames(audio)) stream.write(frame)
    await settle()
    stream.close()
    return heard
  }
  const share = (heard: readonly number[]): number =>
    heard.filter((probability) => probability >= 0.5).length / heard.length

  it('gives one probability for each 32 ms', async () => {
    const heard = await listen(silence(1_000))
    expect(heard).toHaveLength(Math.floor(1_000 / WINDOW_MS))
    expect(heard.every((probability) => probability >= 0 && probability <= 1)).toBe(true)
  })

  it('tells speech from silence', async () => {
    const heard = await listen(overTheLine(speech, { before: 8_000, after: 8_000 }))
    const from = 1_000 / WINDOW_MS
    const to = from + speech.length / 8 / WINDOW_MS
    expect(share(heard.slice(0, from - 1))).toBe(0)
    expect(share(heard.slice(from + 4, to))).toBeGreaterThan(0.7)
    expect(share(heard.slice(to + 10))).toBe(0)
  })

  it('keeps calls apart', async () => {
    const alone = await listen(overTheLine(speech))
    const { detector, settle } = await open()
    const heard: number[] = []
    const a = detector.open((probability) => heard.push(probability))
    const b = detector.open(() => {})
    for (const frame of carrierFrames(overTheLine(speech))) {
      a.write(frame)
      b.write(carrierFrames(speech)[3]!)
    }
    await settle()
    const differences = heard.map((probability, i) => Math.abs(probability - alone[i]!))
    expect(heard).toHaveLength(alone.length)
    expect(Math.max(...differences)).toBeLessThan(0.001)
  })

  it('says nothing after it was closed', async () => {
    const { detector, settle } = await open()
    const heard: number[] = []
    const stream = detector.open((probability) => heard.push(probability))
    stream.close()
    for (const frame of carrierFrames(speech)) stream.write(frame)
    await settle()
    expect(heard).toEqual([])
  })
}
