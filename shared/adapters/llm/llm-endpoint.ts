import type { DEDICATED_MODELS, LlmModel } from '#shared/domain/llm-model.ts'

/** Where and under which name a chat model is reached. */
export interface LlmEndpoint {
  /** Up to and without `/chat/completions`. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly modelName: string
  /** Added to every request: what only this server understands. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined
}

export interface LlmEndpointConfig {
  /** Models that the operator runs or rents; a missing one cannot be used. */
  readonly dedicated: Partial<Record<(typeof DEDICATED_MODELS)[number], LlmEndpoint>>
  readonly router: { readonly baseUrl: string; readonly apiKey: string } | null
}

/**
 * The endpoint of an assistant's model, null when this installation has none. The router is asked
 * for exactly the provider the assistant names, without fallback (reference/protocols-media.md 10).
 */
export function endpointFor(model: LlmModel, config: LlmEndpointConfig): LlmEndpoint | null {
  switch (model.type) {
    case 'dedicated-instance':
      return config.dedicated[model.name] ?? null
    case 'router':
      if (config.router === null) return null
      return {
        ...config.router,
        modelName: model.routerModelId,
        extraBody: { provider: { order: [model.routerProvider], allow_fallbacks: false } },
      }
    case 'custom':
      return { baseUrl: model.apiUrl, apiKey: model.apiKey, modelName: model.modelName }
    case 'realtime':
      return null
  }
}
