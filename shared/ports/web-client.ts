/** Requests to addresses that users gave us; guarded against private networks (decisions 4). */
export interface WebClient {
  /** Never follows redirects. Throws AdapterError when no answer came in time. */
  post(request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly timeoutMs: number
    readonly maxAnswerBytes: number
  }): Promise<{ readonly statusCode: number; readonly headers: Readonly<Record<string, string>> }>
}
