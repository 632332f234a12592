import { chatCompletions } from '#shared/adapters/llm/chat-completions.ts'
import { endpointFor, type LlmEndpoint } from '#shared/adapters/llm/llm-endpoint.ts'
import { simulatedLanguageModel } from '#shared/adapters/llm/simulated.ts'
import { guardedFetch } from '#shared/adapters/notify/guarded-fetch.ts'
import type { LlmModel } from '#shared/domain/llm-model.ts'
import type { Timers } from '#shared/ports/clock.ts'
import type { LanguageModel } from '#shared/ports/language-model.ts'

/**
 * The simulated model, unless the environment names a real one: `LLM_BASE_URL`, `LLM_API_KEY` and
 * `LLM_MODEL` for the dedicated models, `ROUTER_API_KEY` (and `ROUTER_BASE_URL`) for the router. An
 * assistant's `custom` model is always reached where its owner says.
 */
export function localLanguageModel(timers: Timers, environment = process.env): LanguageModel {
  const { LLM_BASE_URL, LLM_API_KEY, LLM_MODEL, ROUTER_API_KEY, ROUTER_BASE_URL } = environment
  const dedicated: LlmEndpoint | null =
    LLM_BASE_URL && LLM_MODEL
      ? { baseUrl: LLM_BASE_URL, apiKey: LLM_API_KEY ?? '', modelName: LLM_MODEL }
      : null
  const config = {
    dedicated: dedicated ? { dedicated_model_1: dedicated, dedicated_model_2: dedicated } : {},
    router: ROUTER_API_KEY
      ? { baseUrl: ROUTER_BASE_URL ?? 'https://openrouter.ai/api/v1', apiKey: ROUTER_API_KEY }
      : null,
  }
  const resolve = (model: LlmModel) => endpointFor(model, config)
  const real = chatCompletions({
    resolve,
    fetch: (url, init) => fetch(url, init),
    guardedFetch: guardedFetch({ allowLoopback: true }),
    timers,
  })
  return {
    stream: (request, signal) =>
      (resolve(request.model) === null ? simulatedLanguageModel : real).stream(request, signal),
  }
}
