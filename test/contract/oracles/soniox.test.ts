import { AuthError, RealtimeSttSession } from '@soniox/node'
import type { RealtimeResult, SttSessionConfig } from '@soniox/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readCalleeClips } from '#shared/adapters/stt/callee-clip-audio.ts'
import { SONIOX_KEY, startFakeSoniox } from '#test/support/fakes/fake-soniox.ts'
import type { FakeSoniox } from '#test/support/fakes/fake-soniox.ts'
import { manualTimers } from '#test/support/manual-timers.ts'
import { carrierFrames, overTheLine } from '#test/support/telephone-line.ts'

const CONFIG: SttSessionConfig = {
  model: 'stt-rt-v5',
  audio_format: 'mulaw',
  sample_rate: 8_000,
  num_channels: 1,
  language_hints: ['en'],
  enable_endpoint_detection: true,
  client_reference_id: 'ses_1',
  context: { general: [{ key: 'topic', value: 'teeth' }], terms: ['Okafor'] },
}

let fake: FakeSoniox
beforeAll(async () => {
  fake = await startFakeSoniox({ timers: manualTimers() })
})
afterAll(() => fake[Symbol.asyncDispose]())

function textOf(results: readonly RealtimeResult[]): string {
  const finals = results.flatMap(({ tokens }) => tokens.filter((token) => token.is_final))
  return finals.map(({ text }) => text).join('')
}

describe('the vendor’s own client of stt-rt, with the fake', () => {
  it('recognises speech, its end, and what it asks to be final', async () => {
    const session = new RealtimeSttSession(SONIOX_KEY, fake.url, CONFIG)
    const results: RealtimeResult[] = []
    session.on('result', (result) => results.push(result))
    const endpoint = new Promise<void>((resolve) => session.once('endpoint', resolve))
    await session.connect()
    const audio = overTheLine(readCalleeClips().get('tuesday_morning')!, { after: 16_000 })
    for (const frame of carrierFrames(audio)) session.sendAudio(frame)
    await endpoint
    expect(textOf(results)).toContain('Tuesday morning would be best.')
    const finalized = new Promise<void>((resolve) => session.once('finalized', resolve))
    session.keepAlive()
    session.finalize()
    await finalized
    await session.finish()
    expect(session.state).toBe('finished')
  })

  it('is refused as it expects', async () => {
    const session = new RealtimeSttSession('wrong', fake.url, CONFIG)
    const refused = new Promise<Error>((resolve) => session.once('error', resolve))
    await session.connect()
    expect(await refused).toBeInstanceOf(AuthError)
  })
})
