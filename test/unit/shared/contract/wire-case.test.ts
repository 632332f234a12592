import * as fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'

import { ASSISTANT_DEFAULTS } from '#shared/contract/assistant.ts'
import { callOrderSchema } from '#shared/contract/call-order.ts'
import {
  type CamelKeys,
  camelKeys,
  OPAQUE_MAPS,
  type SnakeKeys,
  snakeKeys,
} from '#shared/contract/wire-case.ts'
import type { CallRetryConfig } from '#shared/domain/retry/call-retry-config.ts'
import { assistantSettings } from '#test/support/assistant-settings.ts'

describe('wire case', () => {
  test.each([
    ['crm_a', 'crmA'],
    ['first_sentence_delay_ms', 'firstSentenceDelayMs'],
    ['stt_transcription_delay_ms', 'sttTranscriptionDelayMs'],
    ['is_realestate_assistant', 'isRealestateAssistant'],
    ['id', 'id'],
  ])('%s is %s', (wire, domain) => {
    expect(camelKeys({ [wire]: 1 })).toEqual({ [domain]: 1 })
    expect(snakeKeys({ [domain]: 1 })).toEqual({ [wire]: 1 })
  })

  test('goes into arrays and objects, and leaves every other value', () => {
    const wire = { a_b: [{ c_d: null }, 'e_f', 1], g_h: { i_j: true } }
    const domain = { aB: [{ cD: null }, 'e_f', 1], gH: { iJ: true } }
    expect(camelKeys(wire)).toEqual(domain)
    expect(snakeKeys(domain)).toEqual(wire)
  })

  test.each(OPAQUE_MAPS)('leaves what is inside %s', (name) => {
    const inner = { some_key: { otherKey: [{ third_key: 1 }] } }
    const domain = camelKeys({ [name]: inner })
    expect(Object.values(domain)).toEqual([inner])
    expect(snakeKeys(domain)).toEqual({ [name]: inner })
  })

  test('there and back is where it was, whatever the customer calls things', () => {
    const variables = fc.dictionary(fc.string(), fc.string())
    const record = fc.record({
      prompt_variables: variables,
      call_attempts: fc.array(fc.record({ tool_arguments: variables, end_reason: fc.string() })),
    })
    fc.assert(
      fc.property(record, (wire) => {
        expect(snakeKeys(camelKeys(wire))).toEqual(wire)
      }),
    )
  })

  test('every field name of the wire survives the way there and back', () => {
    const names = [...Object.keys(ASSISTANT_DEFAULTS), ...Object.keys(callOrderSchema.shape)]
    for (const name of names) {
      expect(Object.keys(snakeKeys(camelKeys({ [name]: 1 })))).toEqual([name])
    }
  })

  test('the defaults are named as the domain names its settings', () => {
    const domainNames = Object.keys(assistantSettings())
    const optional = ['isInboundReceptionist', 'isRealestateAssistant']
    expect(['name', 'prompt', ...Object.keys(camelKeys(ASSISTANT_DEFAULTS))].toSorted()).toEqual(
      [...domainNames, ...optional].toSorted(),
    )
  })

  test('the types tell the same', () => {
    expectTypeOf<CamelKeys<{ a_b: { c_d: string }[]; e_f?: number }>>().toEqualTypeOf<{
      readonly aB: readonly { readonly cD: string }[]
      readonly eF?: number
    }>()
    expectTypeOf<SnakeKeys<CallRetryConfig>>().toHaveProperty('call_twice_in_a_row')
    expectTypeOf<SnakeKeys<{ toolArguments: { someKey: 1 } }>>().toEqualTypeOf<{
      tool_arguments: { someKey: 1 }
    }>()
  })
})
