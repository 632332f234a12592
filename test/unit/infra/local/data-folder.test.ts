import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { openDataFolder } from '#infra/local/data-folder.ts'
import { StartFailure } from '#infra/local/failure.ts'
import { checkApiKey } from '#shared/domain/api-key.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the data folder of a local stack', () => {
  test('a new one has a test key and a webhook secret', () => {
    const { state } = openDataFolder(folder, 'unused')
    expect(checkApiKey(state.apiKey)).toEqual({ mode: 'test' })
    expect(Buffer.from(state.webhookSecret.slice('whsec_'.length), 'base64')).toHaveLength(32)
  })

  test('the next stack finds the same secrets and the clock where it stood', () => {
    const first = openDataFolder(folder, 'unused')
    first.saveClock(5_000)
    first.release()
    const second = openDataFolder(folder, 'unused')
    expect(second.state).toEqual({ ...first.state, clockAheadMs: 5_000 })
  })

  test.each([
    ['no json', 'not json'],
    ['another form', '{"format":1}'],
  ])('a state file that is %s is one clear sentence', (_, text) => {
    writeFileSync(path.join(folder, 'state.json'), text)
    expect(() => openDataFolder(folder, 'unused')).toThrow(StartFailure)
    expect(() => openDataFolder(folder, 'unused')).toThrow(/is damaged \(state\.json/)
  })

  test('a file in its place is one clear sentence', () => {
    const file = path.join(folder, 'file')
    writeFileSync(file, '')
    expect(() => openDataFolder(file, 'unused')).toThrow(/cannot be written/)
  })

  test('one that another stack uses is refused when it was chosen', () => {
    const first = openDataFolder(folder, 'unused')
    expect(() => openDataFolder(folder, 'unused')).toThrow(/in use by another Parley/)
    first.release()
    expect(openDataFolder(folder, 'unused').path).toBe(folder)
  })

  test('the default one gives way to a temporary folder when it is in use', () => {
    const first = openDataFolder(folder, 'unused')
    const opened = openDataFolder(undefined, folder)
    expect(opened.path).not.toBe(folder)
    expect(() => openDataFolder(opened.path, 'unused')).toThrow(/in use/)
    for (const used of [first, opened]) used.release()
    rmSync(opened.path, { recursive: true })
  })

  test('one that was refused is free when it was mended', () => {
    writeFileSync(path.join(folder, 'state.json'), 'not json')
    expect(() => openDataFolder(folder, 'unused')).toThrow(/is damaged/)
    rmSync(path.join(folder, 'state.json'))
    expect(openDataFolder(folder, 'unused').path).toBe(folder)
  })

  test('a state that could not be written leaves the one before', () => {
    const opened = openDataFolder(folder, 'unused')
    mkdirSync(path.join(folder, 'state.json.part'))
    expect(() => opened.saveClock(5_000)).toThrow(/cannot be written/)
    opened.release()
    expect(openDataFolder(folder, 'unused').state).toEqual(opened.state)
  })
})
