import * as z from 'zod'

import { CONNECTION_KINDS, type Connection } from '#shared/domain/connection.ts'
import { toIso } from '#shared/domain/time.ts'

import { isMask, maskSecret } from './mask-secret.ts'
import type { FieldError } from './problem.ts'
import { unknownMask } from './restore-secrets.ts'
import { timestampOut } from './scalars.ts'
import { withoutServerSet } from './without-server-set.ts'

const SERVER_SET = ['id', 'organization_id', 'created_at', 'updated_at']

const entryName = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'Expected lowercase_snake_case')
const entries = (value: z.ZodString) => z.record(entryName, value.max(8_192))

const fields = {
  kind: z.enum(CONNECTION_KINDS),
  name: z.string().min(1).max(100),
  /** What everybody may see, such as `base_url`. */
  settings: entries(z.string()),
  /** Tokens and passwords: written, and answered masked. */
  secrets: entries(z.string().min(1)),
}

/** An account in another system, as it is answered (decisions 5). */
export const connectionSchema = z.strictObject({
  ...fields,
  id: z.string(),
  organization_id: z.string(),
  created_at: timestampOut,
  updated_at: timestampOut,
})
export type ConnectionWire = z.output<typeof connectionSchema>

export const createConnectionBody = withoutServerSet(
  SERVER_SET,
  z.strictObject({ ...fields, settings: fields.settings.default({}) }),
)

/** The kind of a connection stays; sent back as it is, it is ignored. */
export const updateConnectionBody = withoutServerSet(
  [...SERVER_SET, 'kind'],
  z
    .strictObject({ name: fields.name, settings: fields.settings, secrets: fields.secrets })
    .partial(),
)

/** A connection as it is answered: its secrets masked. */
export function connectionToWire(connection: Connection): ConnectionWire {
  const { id, kind, name, settings, secrets, organizationId } = connection
  return {
    id,
    organization_id: organizationId,
    kind,
    name,
    settings: { ...settings },
    secrets: Object.fromEntries(
      Object.entries(secrets).map(([key, secret]) => [key, maskSecret(secret)]),
    ),
    created_at: toIso(connection.createdAt),
    updated_at: toIso(connection.updatedAt),
  }
}

/** Puts stored secrets back where their masks were sent; says which masks stand for none. */
export function restoreConnectionSecrets(
  sent: Readonly<Record<string, string>>,
  stored: Readonly<Record<string, string>>,
): { readonly secrets: Readonly<Record<string, string>>; readonly errors: readonly FieldError[] } {
  const isKept = (name: string, value: string) =>
    Object.hasOwn(stored, name) && maskSecret(stored[name] ?? '') === value
  const unknown = Object.entries(sent).filter(
    ([name, value]) => isMask(value) && !isKept(name, value),
  )
  const secrets = Object.entries(sent).map(([name, value]): [string, string] => [
    name,
    isMask(value) ? (stored[name] ?? value) : value,
  ])
  return {
    secrets: Object.fromEntries(secrets),
    errors: unknown.map(([name]) => unknownMask(`/secrets/${name}`)),
  }
}
