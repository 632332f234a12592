/** A number that must not be called (decisions 5); `id` is the number itself, in E.164. */
export interface Suppression {
  readonly id: string
  readonly organizationId: string
  readonly version: number
  readonly reason: string | null
  /** Epoch ms. */
  readonly createdAt: number
}
