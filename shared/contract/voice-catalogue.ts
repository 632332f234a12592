import * as z from 'zod'

import { TTS_MODELS, VOICE_PROVIDERS } from '#shared/domain/assistant.ts'
import { VOICE_GENDERS } from '#shared/domain/voice-catalogue.ts'

/** One voice of GET /voices (decisions 2). */
export const catalogueVoiceSchema = z.strictObject({
  id: z.string(),
  provider: z.enum(VOICE_PROVIDERS),
  name: z.string(),
  gender: z.enum(VOICE_GENDERS),
  /** BCP 47. */
  languages: z.array(z.string()),
  preview_url: z.string().nullable(),
  models: z.array(z.enum(TTS_MODELS)),
  is_custom: z.boolean(),
})

/** `language` is BCP 47: `en` finds `en-US` and `en-GB`, `en-GB` finds itself. */
export const voicesQuery = z.strictObject({
  provider: z.enum(VOICE_PROVIDERS).optional(),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i, 'Expected a language such as en or en-US')
    .optional(),
})
