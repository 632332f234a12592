import { calls, clock, compose, ids, organizations, phoneNumbers } from '#functions/compose.ts'
import { randomApiKey, randomWebhookSecret, sha256 } from '#functions/middleware/key-material.ts'
import { bootstrapRequest } from '#shared/contract/bootstrap.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'
import { createOrganization } from '#shared/use-cases/create-organization.ts'

type Ports = Pick<ServicePorts, 'organizations' | 'phoneNumbers' | 'calls' | 'clock' | 'ids'>

/** What nobody can ever read again: the key is stored hashed, and no operation answers the secret. */
export interface Bootstrapped {
  readonly organization_id: string
  readonly user_id: string
  readonly api_key: string
  readonly webhook_secret: string
}

/**
 * Creates an organization with its first user and key. No address leads here: whoever may invoke the
 * function does, by hand:
 *
 *     aws lambda invoke --function-name <name> --cli-binary-format raw-in-base64-out \
 *       --payload '{"organization_name": "Northwind", "email": "ada@example.com",
 *         "default_from_phone_number": "+12025550199"}' /dev/stdout
 *
 * The answer goes to the one who asked and to no log. Each invocation creates another organization.
 */
export function bootstrap(portsOf: () => Ports): (event: unknown) => Promise<Bootstrapped> {
  return async (event) => {
    const request = bootstrapRequest.parse(event)
    const ports = portsOf()
    const key = randomApiKey(request.mode)
    const webhookSecret = randomWebhookSecret()
    const [organizationId, userId] = [ports.ids.next('org'), ports.ids.next('user')]
    await createOrganization(ports, {
      organization: {
        id: organizationId,
        name: request.organization_name,
        maxConcurrentCalls: request.max_concurrent_calls,
        defaultFromPhoneNumber: request.default_from_phone_number,
        webhookSecrets: [webhookSecret],
      },
      user: {
        id: userId,
        email: request.email,
        firstName: request.first_name,
        lastName: request.last_name,
      },
      apiKey: { id: ports.ids.next('key'), key, hash: sha256(key) },
    })
    return {
      organization_id: organizationId,
      user_id: userId,
      api_key: key,
      webhook_secret: webhookSecret,
    }
  }
}

export const ports = compose({ calls, clock, ids, organizations, phoneNumbers })
export const handler = bootstrap(ports)
