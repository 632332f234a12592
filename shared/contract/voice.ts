import * as z from 'zod'

import { TTS_MODELS, VOICE_PROVIDERS } from '#shared/domain/assistant.ts'

const id = z.string().min(1)
const volume = z.number().min(0.5).max(2)
const speed = (bounds: { min: number; max: number }) =>
  z.number().min(bounds.min).max(bounds.max).default(1)

export const voice1Schema = z.strictObject({
  id,
  provider: z.literal('voice_provider_1'),
  model: z.enum(TTS_MODELS).default('tts_model_3'),
  speed: speed({ min: 0.6, max: 1.5 }),
  volume: volume.default(1),
})

/** `model` and `volume` are accepted and have no effect with the other providers. */
const ignoredByProvider = { model: z.enum(TTS_MODELS).optional(), volume: volume.optional() }

export const voice2Schema = z.strictObject({
  id,
  provider: z.literal('voice_provider_2'),
  speed: speed({ min: 0.7, max: 1.2 }),
  ...ignoredByProvider,
})

export const voice3Schema = z.strictObject({
  id,
  provider: z.literal('voice_provider_3'),
  speed: speed({ min: 0.6, max: 1.5 }),
  ...ignoredByProvider,
})

/** Spec 2.2: each provider has its own range of speeds. */
export const voiceSchema = z.discriminatedUnion('provider', [
  voice1Schema,
  voice2Schema,
  voice3Schema,
])

/** The reduced shape of POST /call allows only the first two providers. */
export const reducedVoiceSchema = z.discriminatedUnion('provider', [voice1Schema, voice2Schema])

/** A voice as it is answered. */
export const voiceAnswerSchema = z.strictObject({
  id,
  provider: z.enum(VOICE_PROVIDERS),
  model: z.enum(TTS_MODELS).optional(),
  speed: z.number().optional(),
  volume: z.number().optional(),
})
