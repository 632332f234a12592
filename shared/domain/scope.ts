/** A scope is what waits together: a campaign's orders, or an organization's single calls. */

export function organizationScope(organizationId: string): string {
  return `ORG#${organizationId}`
}

export function campaignScope(campaignId: string): string {
  return `CMP#${campaignId}`
}

/** The campaign whose orders wait in a scope; null for an organization's single calls. */
export function campaignOfScope(scope: string): string | null {
  return scope.startsWith('CMP#') ? scope.slice('CMP#'.length) : null
}

/** The organization whose single calls wait in a scope; null for a campaign. */
export function organizationOfScope(scope: string): string | null {
  return scope.startsWith('ORG#') ? scope.slice('ORG#'.length) : null
}
