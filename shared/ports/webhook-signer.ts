/** Standard Webhooks 1.0: the three headers of one try. */
export interface WebhookSigner {
  /** Signs with every valid secret. The timestamp is the transport's own, that of the machine. */
  sign(message: {
    readonly id: string
    readonly body: string
    readonly secrets: readonly string[]
  }): Readonly<Record<string, string>>
}
