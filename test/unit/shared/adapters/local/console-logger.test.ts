import { describe, expect, it } from 'vitest'

import { consoleLogger, type LogLevel } from '#shared/adapters/local/console-logger.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { Logger } from '#shared/ports/logger.ts'

function record(use: (logger: Logger) => void, level: LogLevel = 'info'): unknown[] {
  const lines: string[] = []
  use(consoleLogger({ clock: { now: () => 0 }, level, write: (line) => lines.push(line) }))
  expect(lines.every((line) => line.endsWith('\n') && line.indexOf('\n') === line.length - 1)).toBe(
    true,
  )
  return lines.map((line) => JSON.parse(line) as unknown)
}

describe('consoleLogger', () => {
  it('writes one line of JSON', () => {
    expect(record((logger) => logger.info('dialled', { orderId: 'call_1', big: 1n }))).toEqual([
      {
        time: '1970-01-01T00:00:00.000Z',
        level: 'info',
        message: 'dialled',
        orderId: 'call_1',
        big: '1',
      },
    ])
  })

  it('masks personal data', () => {
    const redacted = {
      to: '+12025550100',
      short: '+123456789',
      text: 'call +12025550100',
      prompt: { a: 'secret' },
      none: null,
    }
    expect(record((logger) => logger.warn('x', { redacted }))).toMatchObject([
      {
        redacted: {
          to: '+1202…0100',
          short: '[redacted]',
          text: '[redacted]',
          prompt: '[redacted]',
          none: '[redacted]',
        },
      },
    ])
  })

  it('describes errors and their causes', () => {
    const error = new AdapterError('no answer', {
      retryable: true,
      status: 503,
      cause: new Error('socket closed'),
    })
    expect(record((logger) => logger.error('x', { error }))).toMatchObject([
      {
        error: {
          name: 'AdapterError',
          message: 'no answer',
          retryable: true,
          status: 503,
          cause: { message: 'socket closed' },
        },
      },
    ])
    expect(record((logger) => logger.error('x', { error: 'odd' }))).toMatchObject([
      { error: { message: 'odd' } },
    ])
  })

  it.each([
    ['info', 3],
    ['warn', 2],
    ['error', 1],
  ] as const)('from level %s it writes %d of three', (level, count) => {
    const lines = record((logger) => {
      logger.info('a')
      logger.warn('b')
      logger.error('c')
    }, level)
    expect(lines).toHaveLength(count)
  })

  it('never throws', () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    expect(record((logger) => logger.info('x', { circle }))).toEqual([
      { level: 'info', message: 'x', unwritable: true },
    ])
  })
})
