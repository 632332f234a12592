import { beforeEach, describe, expect, test } from 'vitest'

import { AdapterError } from '#shared/ports/adapter-error.ts'
import type { SecretBox } from '#shared/ports/secret-box.ts'

/** What holds for every secret box; each call of `open` gives one with a master key of its own. */
export function secretBoxSuite(open: () => Promise<SecretBox>): void {
  describe('a secret box', () => {
    let box: SecretBox
    beforeEach(async () => {
      box = await open()
    })

    test.each(['', 'sk-1234', 'Zoë 🙋🏽‍♀️ \u0000', 'x'.repeat(300_000)])(
      'opens what it sealed',
      async (text) => {
        expect(await box.open(await box.seal(text, 'org_1#conn_1'), 'org_1#conn_1')).toBe(text)
      },
    )

    test('shows nothing of a text, and never seals it twice alike', async () => {
      const [one, other] = [await box.seal('a token', 'c'), await box.seal('a token', 'c')]
      expect(Buffer.from(one).toString('latin1')).not.toContain('a token')
      expect(Buffer.from(one).equals(other)).toBe(false)
    })

    test('opens nothing under another context or with another master key', async () => {
      const sealed = await box.seal('a token', 'org_1#conn_1')
      const other = await open()
      await expect(box.open(sealed, 'org_2#conn_1')).rejects.toThrow(AdapterError)
      await expect(other.open(sealed, 'org_1#conn_1')).rejects.toThrow(AdapterError)
    })

    test('opens nothing that was changed or cut, wherever', async () => {
      const sealed = await box.seal('a token', 'c')
      const refusal = expect.objectContaining({ name: 'AdapterError', retryable: false })
      for (let index = 0; index < sealed.length; index += 1) {
        const changed = Uint8Array.from(sealed)
        changed[index] = (changed[index] ?? 0) ^ 1
        await expect(box.open(changed, 'c')).rejects.toEqual(refusal)
        await expect(box.open(sealed.subarray(0, index), 'c')).rejects.toEqual(refusal)
      }
    })

    test('opens what it sealed long ago, among much else', async () => {
      const texts = Array.from({ length: 20 }, (_, index) => `token ${index}`)
      const sealed = await Promise.all(texts.map((text) => box.seal(text, text)))
      const opened = sealed.map((bytes, index) => box.open(bytes, `token ${index}`))
      expect(await Promise.all(opened)).toEqual(texts)
    })
  })
}
