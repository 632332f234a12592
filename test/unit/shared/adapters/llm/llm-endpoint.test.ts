import { expect, it } from 'vitest'

import { endpointFor } from '#shared/adapters/llm/llm-endpoint.ts'

const OWN = { baseUrl: 'https://own.example/v1', apiKey: 'k1', modelName: 'small' }
const ROUTER = { baseUrl: 'https://router.example/api/v1', apiKey: 'k2' }
const CONFIG = { dedicated: { dedicated_model_1: OWN }, router: ROUTER }

it.each([
  [{ type: 'dedicated-instance', name: 'dedicated_model_1' } as const, OWN],
  [{ type: 'dedicated-instance', name: 'dedicated_model_2' } as const, null],
  [
    { type: 'router', routerModelId: 'vendor/large', routerProvider: 'vendor' } as const,
    {
      ...ROUTER,
      modelName: 'vendor/large',
      extraBody: { provider: { order: ['vendor'], allow_fallbacks: false } },
    },
  ],
  [
    { type: 'custom', apiKey: 'k3', apiUrl: 'https://user.example/v1', modelName: 'm' } as const,
    { baseUrl: 'https://user.example/v1', apiKey: 'k3', modelName: 'm' },
  ],
  [{ type: 'realtime', provider: 'realtime_provider_1', realtimeModelId: 'r' } as const, null],
])('the endpoint of %j', (model, expected) => {
  expect(endpointFor(model, CONFIG)).toEqual(expected)
})

it('has no router where none is configured', () => {
  const model = { type: 'router', routerModelId: 'a', routerProvider: 'b' } as const
  expect(endpointFor(model, { ...CONFIG, router: null })).toBeNull()
})
