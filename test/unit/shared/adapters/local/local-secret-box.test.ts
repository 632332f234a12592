import { describe, expect, test } from 'vitest'

import { localSecretBox } from '#shared/adapters/local/local-secret-box.ts'
import { AdapterError } from '#shared/ports/adapter-error.ts'

const box = localSecretBox({ secret: () => 'the secret of a deployment' })

describe('the local secret box', () => {
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

  test('opens nothing under another context or with another secret', async () => {
    const sealed = await box.seal('a token', 'org_1#conn_1')
    const other = localSecretBox({ secret: () => 'another secret' })
    await expect(box.open(sealed, 'org_2#conn_1')).rejects.toThrow(AdapterError)
    await expect(other.open(sealed, 'org_1#conn_1')).rejects.toThrow(AdapterError)
  })

  test('opens nothing that was changed or cut, wherever', async () => {
    const sealed = await box.seal('a token', 'c')
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Uint8Array.from(sealed)
      changed[index] = (changed[index] ?? 0) ^ 1
      await expect(box.open(changed, 'c')).rejects.toThrow(AdapterError)
      await expect(box.open(sealed.subarray(0, index), 'c')).rejects.toThrow(AdapterError)
    }
  })

  test('asks for its secret only when there is something to seal or open', async () => {
    const idle = localSecretBox({
      secret: () => {
        throw new Error('no secret')
      },
    })
    await expect(idle.seal('a', 'c')).rejects.toThrow('no secret')
  })
})
