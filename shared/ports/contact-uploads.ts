/** Files with the contacts of campaigns: uploaded by a customer, or stored from a request. */
export interface ContactUploads {
  /** Where a customer may PUT one file, once, within `expiresInSecs`, with these header fields. */
  offer(
    key: string,
    expiresInSecs: number,
  ): Promise<{ readonly url: string; readonly headers: Readonly<Record<string, string>> }>
  put(key: string, bytes: Uint8Array): Promise<void>
  /**
   * Up to `length` bytes from `offset` on: fewer only at the end of the file, none behind it. Null
   * when there is no such file.
   */
  read(
    key: string,
    range: { readonly offset: number; readonly length: number },
  ): Promise<Uint8Array | null>
  /** Harmless when repeated. */
  erase(key: string): Promise<void>
}
