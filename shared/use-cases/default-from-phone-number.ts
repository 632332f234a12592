import type { ServicePorts } from '#shared/ports/service-ports.ts'

/** What an organization calls from where nothing else is said: the number it named, or was given. */
export async function defaultFromPhoneNumber(
  ports: Pick<ServicePorts, 'organizations' | 'phoneNumbers'>,
  organizationId: string,
): Promise<string | null> {
  const [named, organization] = await Promise.all([
    ports.phoneNumbers.findDefault(organizationId),
    ports.organizations.findOrganization(organizationId),
  ])
  return named?.phoneNumber ?? organization?.defaultFromPhoneNumber ?? null
}
