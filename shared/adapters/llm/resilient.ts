import type { LlmModel } from '#shared/domain/llm-model.ts'
import type { Timers } from '#shared/ports/clock.ts'
import type { LanguageModel, LlmDelta } from '#shared/ports/language-model.ts'
import type { Logger } from '#shared/ports/logger.ts'

import { firstUseful } from '../first-useful.ts'
import type { ChunkLimits } from '../first-useful.ts'

export interface ResilientLanguageModelOptions {
  /** The models that may answer in the place of this one, the best first. */
  readonly fallbacksOf: (model: LlmModel) => readonly LlmModel[]
  readonly limits: ChunkLimits
  readonly timers: Timers
  readonly logger: Logger
}

/**
 * A model whose silence or failure is made up for by others, until the first word: what has begun to
 * be said is not said again by somebody else.
 */
export function resilientLanguageModel(
  model: LanguageModel,
  options: ResilientLanguageModelOptions,
): LanguageModel {
  return {
    stream(request, signal) {
      const models = [request.model, ...options.fallbacksOf(request.model)]
      const candidates = models.map((candidate) => ({
        name: nameOf(candidate),
        start: (signal: AbortSignal) => model.stream({ ...request, model: candidate }, signal),
      }))
      return firstUseful({ ...options, candidates, isUseful }, signal)
    },
  }
}

function isUseful(delta: LlmDelta): boolean {
  return delta.type === 'text' ? delta.text.trim() !== '' : true
}

function nameOf(model: LlmModel): string {
  return model.type === 'dedicated-instance' ? model.name : model.type
}
