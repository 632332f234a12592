import type { SecretBox } from '#shared/ports/secret-box.ts'
import type { Stores } from '#shared/ports/service-ports.ts'

import { dynamoAssistantStore } from './assistant-store.ts'
import { dynamoCallSearch } from './call-search.ts'
import { dynamoCallStore } from './call-store.ts'
import { dynamoCampaignStore } from './campaign-store.ts'
import type { DynamoTable } from './dynamo-table.ts'
import { dynamoIdempotencyStore } from './idempotency-store.ts'
import { dynamoOrganizationStore } from './organization-store.ts'
import { dynamoPacing } from './pacing.ts'
import { dynamoPermits } from './permits.ts'
import { dynamoPhoneNumberStore } from './phone-number-store.ts'
import { dynamoRateLimits } from './rate-limits.ts'
import { dynamoRecordStore, sealedForm } from './record-store.ts'
import { suppressions } from './suppressions.ts'
import { dynamoTurns } from './turns.ts'
import { dynamoWakes } from './wakes.ts'
import { dynamoWebhookStore } from './webhook-store.ts'

/** Every repository of the service, on one table; what is secret is sealed before it is stored. */
export function dynamoStores(table: DynamoTable, secretBox: SecretBox): Stores {
  return {
    assistants: dynamoAssistantStore(table, secretBox),
    calls: dynamoCallStore(table),
    callSearch: dynamoCallSearch(table),
    campaigns: dynamoCampaignStore(table),
    connections: dynamoRecordStore(table, 'CONN', sealedForm(secretBox)),
    idempotency: dynamoIdempotencyStore(table, secretBox),
    organizations: dynamoOrganizationStore(table),
    pacing: dynamoPacing(table),
    permits: dynamoPermits(table),
    phoneNumbers: dynamoPhoneNumberStore(table),
    rateLimits: dynamoRateLimits(table),
    suppressions: suppressions(dynamoRecordStore(table, 'SUPP')),
    turns: dynamoTurns(table),
    wakes: dynamoWakes(table),
    webhookEndpoints: dynamoRecordStore(table, 'WHEP'),
    webhooks: dynamoWebhookStore(table),
  }
}
