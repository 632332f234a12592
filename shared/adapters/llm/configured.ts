import { DEDICATED_MODELS } from '#shared/domain/llm-model.ts'
import type { LlmModel } from '#shared/domain/llm-model.ts'
import type { Timers } from '#shared/ports/clock.ts'
import type { LanguageModel } from '#shared/ports/language-model.ts'
import type { Logger } from '#shared/ports/logger.ts'

import { numberOf, textOf } from '../environment.ts'
import type { Environment } from '../environment.ts'
import { resilientLanguageModel } from './resilient.ts'

const ANY_MS = { min: 1, max: 60_000 }
/** The conversation gives a model 6 s: this leaves a fallback the other half. */
const FIRST_MS = 3_000
const NEXT_MS = 3_000

/**
 * The model as the environment wants it in live calls (`LLM_*`, README): with time limits, fallbacks
 * and, if wanted, hedged requests.
 */
export function configuredLanguageModel(
  environment: Environment,
  deps: { readonly timers: Timers; readonly logger: Logger; readonly model: LanguageModel },
): LanguageModel {
  const fallbacks = fallbacksIn(environment)
  return resilientLanguageModel(deps.model, {
    ...deps,
    fallbacksOf: (model) => fallbacksOf(model, fallbacks),
    limits: {
      firstMs: numberOf(environment, 'LLM_FIRST_CHUNK_MS', ANY_MS) ?? FIRST_MS,
      nextMs: numberOf(environment, 'LLM_NEXT_CHUNK_MS', ANY_MS) ?? NEXT_MS,
      hedgeAfterMs: numberOf(environment, 'LLM_HEDGE_AFTER_MS', ANY_MS) ?? null,
    },
  })
}

type DedicatedModel = Extract<LlmModel, { type: 'dedicated-instance' }>

function fallbacksIn(environment: Environment): DedicatedModel[] {
  const names = textOf(environment, 'LLM_FALLBACKS')?.split(',') ?? DEDICATED_MODELS
  return names.map((wanted) => {
    const name = DEDICATED_MODELS.find((one) => one === wanted.trim())
    if (name === undefined) {
      throw new RangeError(`LLM_FALLBACKS must list some of ${DEDICATED_MODELS.join(', ')}`)
    }
    return { type: 'dedicated-instance', name }
  })
}

/** A conversation whose owner brought a model of their own is sent nowhere else. */
function fallbacksOf(model: LlmModel, fallbacks: readonly DedicatedModel[]): readonly LlmModel[] {
  if (model.type === 'custom' || model.type === 'realtime') return []
  const own = model.type === 'dedicated-instance' ? model.name : null
  return fallbacks.filter(({ name }) => name !== own)
}
