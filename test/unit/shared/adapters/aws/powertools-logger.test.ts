import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { powertoolsLogger } from '#shared/adapters/aws/powertools-logger.ts'

// The library writes to a console of its own, or to the global one when it is told that it is a test.
beforeEach(() => {
  vi.stubEnv('POWERTOOLS_DEV', 'true')
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

it('writes JSON with personal data masked', () => {
  const lines: string[] = []
  vi.spyOn(console, 'warn').mockImplementation((line: string) => void lines.push(line))
  powertoolsLogger({ serviceName: 'dialer' }).warn('not dialled', {
    orderId: 'call_1',
    redacted: { to: '+12025550100', prompt: 'secret' },
    error: new Error('busy'),
  })
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    {
      level: 'WARN',
      service: 'dialer',
      message: 'not dialled',
      orderId: 'call_1',
      redacted: { to: '+1202…0100', prompt: '[redacted]' },
      error: { name: 'Error', message: 'busy' },
    },
  ])
})
