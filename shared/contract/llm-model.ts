import * as z from 'zod'

import { DEDICATED_MODELS, REALTIME_PROVIDERS } from '#shared/domain/llm-model.ts'

import { webUrl } from './scalars.ts'

export const dedicatedInstanceSchema = z.strictObject({
  type: z.literal('dedicated-instance'),
  name: z.enum(DEDICATED_MODELS),
})

export const routerSchema = z.strictObject({
  type: z.literal('router'),
  router_model_id: z.string(),
  router_provider: z.string(),
})

export const customModelSchema = z.strictObject({
  type: z.literal('custom'),
  api_key: z.string().min(1),
  api_url: webUrl,
  model_name: z.string().min(1),
})

export const realtimeSchema = z.strictObject({
  type: z.literal('realtime'),
  provider: z.enum(REALTIME_PROVIDERS),
  realtime_model_id: z.string(),
  realtime_voice_id: z.string().min(1).optional(),
})

/** Spec 2.3: one of four shapes. */
export const llmModelSchema = z.discriminatedUnion('type', [
  dedicatedInstanceSchema,
  routerSchema,
  customModelSchema,
  realtimeSchema,
])

/** The reduced shape of POST /call allows only these two. */
export const reducedLlmModelSchema = z.discriminatedUnion('type', [
  dedicatedInstanceSchema,
  routerSchema,
])
