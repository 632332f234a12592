/** Which language model conducts a call: spec 2.3, one of four shapes. */

export const DEDICATED_MODELS = ['dedicated_model_1', 'dedicated_model_2'] as const
export const REALTIME_PROVIDERS = ['realtime_provider_1', 'realtime_provider_2'] as const

export type LlmModel =
  | { readonly type: 'dedicated-instance'; readonly name: (typeof DEDICATED_MODELS)[number] }
  | { readonly type: 'router'; readonly routerModelId: string; readonly routerProvider: string }
  | {
      readonly type: 'custom'
      readonly apiKey: string
      readonly apiUrl: string
      readonly modelName: string
    }
  | {
      readonly type: 'realtime'
      readonly provider: (typeof REALTIME_PROVIDERS)[number]
      readonly realtimeModelId: string
      readonly realtimeVoiceId?: string | undefined
    }

/** Used where an assistant names no model. */
export const DEFAULT_LLM_MODEL: LlmModel = { type: 'dedicated-instance', name: 'dedicated_model_1' }
