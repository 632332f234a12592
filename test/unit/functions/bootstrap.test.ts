import { expect, test } from 'vitest'
import { z } from 'zod'

import { bootstrap } from '#functions/bootstrap.ts'
import { sha256 } from '#functions/middleware/key-material.ts'
import { organizationScope } from '#shared/domain/scope.ts'
import { authenticate } from '#shared/use-cases/authenticate.ts'
import { createOrganization } from '#shared/use-cases/create-organization.ts'
import { NOON } from '#test/support/an-order.ts'
import { useCasePorts } from '#test/support/use-case-ports.ts'

const REQUEST = {
  organization_name: 'Northwind',
  email: 'ada@example.com',
  default_from_phone_number: '+12025550199',
}

test('answers a key that works, and stores neither it nor another secret in the open', async () => {
  const { ports } = useCasePorts(NOON)
  const answer = await bootstrap(() => ports)(REQUEST)
  const apiKey = await authenticate({ ...ports, hash: sha256 }, answer.api_key)
  expect(apiKey).toMatchObject({
    organizationId: answer.organization_id,
    userId: answer.user_id,
    mode: 'live',
    scopes: ['*'],
    expiresAt: null,
  })
  expect(JSON.stringify(apiKey)).not.toContain(answer.api_key)
  expect(await ports.organizations.findOrganization(answer.organization_id)).toEqual({
    id: answer.organization_id,
    name: 'Northwind',
    maxConcurrentCalls: 1_000,
    defaultFromPhoneNumber: '+12025550199',
    webhookSecrets: [answer.webhook_secret],
    createdAt: NOON,
  })
  const user = await ports.organizations.findUser(answer.organization_id, answer.user_id)
  expect(user).toMatchObject({ email: 'ada@example.com', hasCompletedOnboarding: false })
  expect(await ports.calls.listScopes()).toEqual([organizationScope(answer.organization_id)])
})

test('keys and secrets never repeat', async () => {
  const { ports } = useCasePorts(NOON)
  const invoke = bootstrap(() => ports)
  const [one, other] = [await invoke(REQUEST), await invoke(REQUEST)]
  for (const name of ['organization_id', 'api_key', 'webhook_secret'] as const) {
    expect(one[name]).not.toBe(other[name])
  }
})

test.each([
  {},
  { ...REQUEST, email: 'nobody' },
  { ...REQUEST, default_from_phone_number: '2025550199' },
  { ...REQUEST, max_concurrent_calls: 0 },
  { ...REQUEST, organisation_name: 'x' },
])('%j makes nothing', async (request) => {
  const { ports } = useCasePorts(NOON)
  await expect(bootstrap(() => ports)(request)).rejects.toBeInstanceOf(z.ZodError)
  expect(await ports.calls.listScopes()).toEqual([])
})

test('an organization that exists stays as it is, and is known to the sweep', async () => {
  const { ports } = useCasePorts(NOON)
  const {
    organization_id: id,
    user_id: userId,
    api_key: key,
  } = await bootstrap(() => ports)(REQUEST)
  const before = await ports.organizations.findOrganization(id)
  const again = {
    organization: {
      id,
      name: 'Other',
      maxConcurrentCalls: 1,
      defaultFromPhoneNumber: '+12025550101',
      webhookSecrets: [],
    },
    user: { id: userId, email: 'eve@example.com', firstName: '', lastName: '' },
    apiKey: { id: 'key_2', key, hash: 'hash' },
  }
  expect(await createOrganization(ports, again)).toBe(false)
  expect(await ports.organizations.findOrganization(id)).toEqual(before)
})
