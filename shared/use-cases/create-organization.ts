import { newApiKey } from '#shared/domain/api-key.ts'
import type { Organization, User } from '#shared/domain/organization.ts'
import { organizationScope } from '#shared/domain/scope.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

export interface NewOrganization {
  readonly organization: Omit<Organization, 'createdAt'>
  readonly user: Pick<User, 'id' | 'email' | 'firstName' | 'lastName'>
  /** The first key, which may do everything; `hash` is its SHA-256 in hex. */
  readonly apiKey: { readonly id: string; readonly key: string; readonly hash: string }
}

/**
 * Creates an organization with its first user and first key, and makes the sweep know it. Harmless
 * when repeated: false says that the organization existed, and is as it was.
 */
export async function createOrganization(
  ports: Pick<ServicePorts, 'organizations' | 'phoneNumbers' | 'calls' | 'clock' | 'ids'>,
  { organization, user, apiKey }: NewOrganization,
): Promise<boolean> {
  const now = ports.clock.now()
  const owner = { organizationId: organization.id, userId: user.id }
  const isNew = await ports.organizations.bootstrap({
    organization: { ...organization, createdAt: now },
    user: {
      ...user,
      organizationId: organization.id,
      hasCompletedOnboarding: false,
      createdAt: now,
      updatedAt: now,
    },
    apiKey: newApiKey(
      { ...owner, ...apiKey, name: 'First key', scopes: ['*'], expiresAt: null },
      now,
    ),
  })
  await ports.calls.registerScope(organizationScope(organization.id))
  await takeNumber(ports, organization)
  return isNew
}

/** Who is called from its standard number may call back: calls to it are the organization's. */
async function takeNumber(
  ports: Pick<ServicePorts, 'phoneNumbers' | 'clock' | 'ids'>,
  organization: NewOrganization['organization'],
): Promise<void> {
  const phoneNumber = organization.defaultFromPhoneNumber
  if ((await ports.phoneNumbers.findOwner(phoneNumber)) !== null) return
  await ports.phoneNumbers.save({
    before: null,
    after: {
      id: ports.ids.next('num'),
      organizationId: organization.id,
      version: 1,
      phoneNumber,
      label: phoneNumber,
      type: 'owned_number',
      source: 'service_provisioned',
      provider: 'telephony_provider_1',
      healthStatus: 'unknown',
      healthCheckedAt: null,
      spamScore: null,
      inboundAssistantId: null,
      inboundSipUri: null,
      outboundTrunkId: null,
      createdBy: null,
      createdAt: ports.clock.now(),
    },
  })
}
