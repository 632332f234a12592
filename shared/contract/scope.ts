/** What an API key may be allowed to do (decisions 1); every operation asks for one of these. */
export const SCOPES = [
  'api-keys:read',
  'api-keys:write',
  'assistants:read',
  'assistants:write',
  'calls:read',
  'calls:write',
  'campaigns:read',
  'campaigns:write',
  'connections:read',
  'connections:write',
  'phone-numbers:read',
  'phone-numbers:write',
  'suppressions:read',
  'suppressions:write',
  'users:read',
  'users:write',
  'voices:read',
  'webhook-endpoints:read',
  'webhook-endpoints:write',
] as const

export type Scope = (typeof SCOPES)[number]
