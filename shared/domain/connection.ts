/** Access to an account of the customer's in another system (spec 2.1, decisions 5). */

export const CONNECTION_KINDS = ['chat', 'crm_a', 'crm_b', 'scheduling'] as const
export type ConnectionKind = (typeof CONNECTION_KINDS)[number]

export interface Connection {
  readonly id: string
  readonly organizationId: string
  readonly version: number
  readonly kind: ConnectionKind
  readonly name: string
  /** What the adapter must know and everybody may see, such as a base URL or an account's id. */
  readonly settings: Readonly<Record<string, string>>
  /** Tokens and passwords by name: sealed where they are stored, never answered. */
  readonly secrets: Readonly<Record<string, string>>
  /** Epoch ms. */
  readonly createdAt: number
  readonly updatedAt: number
}
