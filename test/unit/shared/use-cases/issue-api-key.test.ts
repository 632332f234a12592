import { expect, test } from 'vitest'

import { formatApiKey } from '#shared/domain/api-key.ts'
import { issueApiKey } from '#shared/use-cases/issue-api-key.ts'
import { NOON } from '#test/support/an-order.ts'
import { useCasePorts } from '#test/support/use-case-ports.ts'

test('a request repeated after a crash gets a key that works, and leaves none that nobody knows', async () => {
  const { ports } = useCasePorts(NOON)
  let entropy = 0
  const material = {
    randomApiKey: () => formatApiKey({ mode: 'test', entropy: String((entropy += 1)).repeat(30) }),
    sha256: (text: string) => `hash of ${text}`,
  }
  const input = {
    organizationId: 'org_1',
    userId: 'user_1',
    name: 'CI',
    mode: 'test',
    scopes: ['*'],
    expiresAt: null,
  } as const
  /** Hands out the same ids every time, as to a repeated request. */
  const issue = () => {
    let count = 0
    const ids = { ...ports.ids, next: () => `key_${(count += 1)}` }
    return issueApiKey({ ...ports, ids }, material, input)
  }
  const lost = await issue()
  const second = await issue()
  expect(second.key).not.toBe(lost.key)
  const { records } = await ports.organizations.listApiKeys('org_1', { limit: 9, cursor: null })
  expect(records.map(({ id, hash, revokedAt }) => [id, hash, revokedAt])).toEqual([
    ['key_2', `hash of ${second.key}`, null],
    ['key_1', `hash of ${lost.key}`, NOON],
  ])
})
