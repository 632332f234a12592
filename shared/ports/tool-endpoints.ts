/** Requests of custom tools to addresses that users gave us; guarded like `WebClient`. */
export interface ToolEndpoints {
  /**
   * `isWhole` is false when the answer was longer than `maxAnswerBytes`; then its text is not given.
   * Throws AdapterError when no whole answer came in time, or the signal's reason.
   */
  send(request: {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | null
    readonly timeoutMs: number
    readonly maxAnswerBytes: number
    readonly signal: AbortSignal
  }): Promise<{ readonly statusCode: number; readonly text: string; readonly isWhole: boolean }>
}
