import { describe, expect, test } from 'vitest'

import { allows, authContextOf, callerOf } from '#functions/middleware/caller.ts'
import type { ApiKey } from '#shared/domain/organization.ts'

const KEY: ApiKey = {
  id: 'key_1',
  organizationId: 'org_1',
  userId: 'user_1',
  hash: 'h',
  mode: 'live',
  scopes: ['calls:read', 'calls:write'],
  createdAt: 0,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  hint: 'last',
  name: 'A key',
}

describe('the caller', () => {
  test('passes through the gateway as flat values', () => {
    const context = authContextOf(KEY)
    expect(Object.values(context).every((value) => typeof value === 'string')).toBe(true)
    expect(callerOf(context)).toEqual({
      organizationId: 'org_1',
      userId: 'user_1',
      keyId: 'key_1',
      isTest: false,
      scopes: ['calls:read', 'calls:write'],
    })
  })

  test('of a test key places test calls', () => {
    expect(callerOf(authContextOf({ ...KEY, mode: 'test' }))?.isTest).toBe(true)
  })

  test('is nobody without a valid key', () => {
    expect(authContextOf(null)).toEqual({ invalid: true })
    for (const context of [authContextOf(null), null, undefined]) {
      expect(callerOf(context)).toBeNull()
    }
  })

  test.each<[scopes: string[], scope: string, allowed: boolean]>([
    [['*'], 'calls:write', true],
    [['calls:write'], 'calls:write', true],
    [['calls:read'], 'calls:write', false],
    [['calls'], 'calls:read', false],
    [[], 'calls:read', false],
  ])('with %j may use %s: %s', (scopes, scope, allowed) => {
    const caller = callerOf(authContextOf({ ...KEY, scopes }))
    expect(caller !== null && allows(caller, scope)).toBe(allowed)
  })
})
