import { sha256 } from '#functions/middleware/key-material.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'
import { createOrganization } from '#shared/use-cases/create-organization.ts'

import type { LocalState } from './data-folder.ts'

const MAX_CONCURRENT_CALLS = 1_000
/** Fictional, like everybody whom the simulated carrier can reach. */
const FROM_PHONE_NUMBER = '+12025550199'

/** The one organization of a local stack, with the key that the stack prints. */
export async function seedOrganization(
  ports: Pick<ServicePorts, 'organizations' | 'phoneNumbers' | 'calls' | 'clock' | 'ids'>,
  state: LocalState,
): Promise<void> {
  await createOrganization(ports, {
    organization: {
      id: 'org_local',
      name: 'Local',
      maxConcurrentCalls: MAX_CONCURRENT_CALLS,
      defaultFromPhoneNumber: FROM_PHONE_NUMBER,
      webhookSecrets: [state.webhookSecret],
    },
    user: { id: 'user_local', email: 'you@example.com', firstName: 'Local', lastName: 'User' },
    apiKey: { id: 'key_local', key: state.apiKey, hash: sha256(state.apiKey) },
  })
}
