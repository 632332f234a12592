/**
 * Secrets at rest: envelope encryption with AES-256-GCM (decisions 2). `context` says whose secret
 * it is; a sealed text opens under the same context only.
 */
export interface SecretBox {
  seal(text: string, context: string): Promise<Uint8Array>
  /** Throws AdapterError when the text was changed, or sealed elsewhere. */
  open(sealed: Uint8Array, context: string): Promise<string>
}
