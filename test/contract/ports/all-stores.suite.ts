import { describe, expect, test } from 'vitest'

import type { Stores } from '#shared/ports/service-ports.ts'

import { apiKeysSuite } from './api-keys.suite.ts'
import { assistantOrdersSuite } from './assistant-orders.suite.ts'
import { assistantStoreSuite } from './assistant-store.suite.ts'
import { callStoreSuite } from './call-store.suite.ts'
import { campaignOrdersSuite } from './campaign-orders.suite.ts'
import { campaignStoreSuite } from './campaign-store.suite.ts'
import { idempotencyStoreSuite } from './idempotency-store.suite.ts'
import { organizationStoreSuite } from './organization-store.suite.ts'
import { pacingSuite } from './pacing.suite.ts'
import { permitsSuite } from './permits.suite.ts'
import { phoneNumberStoreSuite } from './phone-number-store.suite.ts'
import { rateLimitsSuite } from './rate-limits.suite.ts'
import { recordStoreSuite } from './record-store.suite.ts'
import { turnStoreSuite } from './turn-store.suite.ts'
import { waitingOrdersSuite } from './waiting-orders.suite.ts'
import { wakesSuite } from './wakes.suite.ts'
import { webhookStoreSuite } from './webhook-store.suite.ts'

/** What every set of stores must do. `open` gives an empty one. */
export function allStoresSuite(open: () => Promise<Stores>): void {
  describe('calls', () => {
    callStoreSuite(async () => (await open()).calls)
  })
  describe('waiting orders', () => {
    waitingOrdersSuite(async () => (await open()).calls)
  })
  describe('campaigns', () => {
    campaignStoreSuite(open)
  })
  describe('orders of a campaign', () => {
    campaignOrdersSuite(async () => (await open()).calls)
  })
  describe('assistants', () => {
    assistantStoreSuite(async () => (await open()).assistants)
  })
  describe('organizations', () => {
    organizationStoreSuite(async () => (await open()).organizations)
  })
  describe('phone numbers', () => {
    phoneNumberStoreSuite(async () => (await open()).phoneNumbers)
  })
  describe('webhooks', () => {
    webhookStoreSuite(async () => (await open()).webhooks)
  })
  describe('permits', () => {
    permitsSuite(async () => (await open()).permits)
  })
  describe('pacing', () => {
    pacingSuite(async () => (await open()).pacing)
  })
  describe('turns', () => {
    turnStoreSuite(async () => (await open()).turns)
  })
  describe('wake-ups', () => {
    wakesSuite(async () => (await open()).wakes)
  })
  describe('idempotency', () => {
    idempotencyStoreSuite(async () => (await open()).idempotency)
  })
  describe('rate limits', () => {
    rateLimitsSuite(async () => (await open()).rateLimits)
  })
  describe('orders of an assistant', () => {
    assistantOrdersSuite(async () => (await open()).calls)
  })
  describe('API keys', () => {
    apiKeysSuite(async () => (await open()).organizations)
  })
  describe('connections', () => {
    recordStoreSuite(
      async () => (await open()).connections,
      (identity, texts) => ({
        ...identity,
        kind: 'chat',
        name: 'Chat',
        settings: texts,
        secrets: texts,
        createdAt: 1,
        updatedAt: 2,
      }),
    )
  })
  describe('webhook endpoints', () => {
    recordStoreSuite(
      async () => (await open()).webhookEndpoints,
      (identity) => ({
        ...identity,
        url: 'https://example.com',
        description: null,
        eventKinds: ['call.completed'] as const,
        isEnabled: true,
        createdAt: 1,
        updatedAt: 2,
      }),
    )
  })
  describe('suppressions', () => {
    recordStoreSuite(
      async () => (await open()).suppressions,
      (identity) => ({ ...identity, reason: null, createdAt: 1 }),
    )
    test('a number is suppressed for the organization that says so', async () => {
      const { suppressions } = await open()
      const id = '+12025550100'
      const after = { id, organizationId: 'org_1', version: 1, reason: null, createdAt: 1 }
      await suppressions.save({ before: null, after })
      expect(await suppressions.has('org_1', id)).toBe(true)
      expect(await suppressions.has('org_2', id)).toBe(false)
      expect(await suppressions.has('org_1', '+12025550101')).toBe(false)
    })
  })
}
