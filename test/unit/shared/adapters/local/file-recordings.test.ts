import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { fileRecordings } from '#shared/adapters/local/file-recordings.ts'
import { soundOf } from '#test/support/recorded-sound.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recordings-'))
})
afterEach(() => rm(folder, { recursive: true }))

const recordings = () => fileRecordings({ folder, baseUrl: 'http://localhost:3000/recordings/' })

it('keeps a recording under its key, and links to it', async () => {
  await recordings().put('org_1/att_1.wav', soundOf(1, 2, 3))
  expect([...(await readFile(join(folder, 'org_1', 'att_1.wav')))]).toEqual([1, 2, 3])
  expect(await readdir(join(folder, 'org_1'))).toEqual(['att_1.wav'])
  expect(await recordings().url('org_1/att_1.wav')).toBe(
    'http://localhost:3000/recordings/org_1/att_1.wav',
  )
})

it.each(['../out.wav', 'a/../../out.wav', '/etc/out.wav', 'a//b.wav', '..', '', 'a b.wav'])(
  'refuses the key %j',
  async (key) => {
    await expect(recordings().put(key, soundOf(1))).rejects.toThrow(RangeError)
    await expect(recordings().url(key)).rejects.toThrow(RangeError)
    expect(await readdir(folder)).toEqual([])
  },
)
