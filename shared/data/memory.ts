import type { CallOrder } from '#shared/domain/call-order/order.ts'
import type { Stores } from '#shared/ports/service-ports.ts'

import { memoryAssistantStore } from './memory-assistant-store.ts'
import { memoryCallSearch } from './memory-call-search.ts'
import { memoryCallStore } from './memory-call-store.ts'
import { memoryCampaignStore } from './memory-campaign-store.ts'
import { memoryIdempotencyStore } from './memory-idempotency-store.ts'
import { memoryOrganizationStore } from './memory-organization-store.ts'
import { memoryPacing } from './memory-pacing.ts'
import { memoryPermits } from './memory-permits.ts'
import { memoryPhoneNumberStore } from './memory-phone-number-store.ts'
import { memoryRateLimits } from './memory-rate-limits.ts'
import { memoryRecordStore } from './memory-record-store.ts'
import { memoryTurns } from './memory-turns.ts'
import { memoryWakes } from './memory-wakes.ts'
import { memoryWebhookStore } from './memory-webhook-store.ts'
import { suppressions } from './suppressions.ts'

/**
 * All stores in memory, for the simulation and for machines without Java. They mean what the ones on
 * DynamoDB mean (test/contract/ports); every operation is one synchronous step.
 */
export function memoryStores(): Stores {
  const orders = new Map<string, CallOrder>()
  const scopes = new Set<string>()
  return {
    assistants: memoryAssistantStore(),
    calls: memoryCallStore(orders, scopes),
    callSearch: memoryCallSearch(orders),
    campaigns: memoryCampaignStore(scopes),
    connections: memoryRecordStore(),
    idempotency: memoryIdempotencyStore(),
    organizations: memoryOrganizationStore(),
    pacing: memoryPacing(),
    permits: memoryPermits(),
    phoneNumbers: memoryPhoneNumberStore(),
    rateLimits: memoryRateLimits(),
    suppressions: suppressions(memoryRecordStore()),
    turns: memoryTurns(),
    wakes: memoryWakes(),
    webhookEndpoints: memoryRecordStore(),
    webhooks: memoryWebhookStore(),
  }
}
