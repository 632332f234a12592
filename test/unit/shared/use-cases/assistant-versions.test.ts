import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { formatApiKey } from '#shared/domain/api-key.ts'
import type { Assistant } from '#shared/domain/assistant.ts'
import { organizationScope } from '#shared/domain/scope.ts'
import { createAssistant } from '#shared/use-cases/create-assistant.ts'
import { createOrganization } from '#shared/use-cases/create-organization.ts'
import { dispatchScope } from '#shared/use-cases/dispatch-scope.ts'
import { findAssistantOf } from '#shared/use-cases/find-assistant-of.ts'
import { placeCall } from '#shared/use-cases/place-call.ts'
import { updateAssistant } from '#shared/use-cases/update-assistant.ts'
import { ALWAYS, NOON } from '#test/support/an-order.ts'
import { assistantSettings } from '#test/support/assistant-settings.ts'
import { useCasePorts } from '#test/support/use-case-ports.ts'

const ORG = 'org_1'
const KEY = formatApiKey({ mode: 'test', entropy: '0'.repeat(30) })

async function openStage(prompt: string) {
  const stage = useCasePorts(NOON)
  const { ports } = stage
  await createOrganization(ports, {
    organization: {
      id: ORG,
      name: 'Test',
      maxConcurrentCalls: 50,
      defaultFromPhoneNumber: '+12025550199',
      webhookSecrets: [],
    },
    user: { id: 'user_1', email: 'a@b.test', firstName: '', lastName: '' },
    apiKey: { id: 'key_1', key: KEY, hash: 'hash' },
  })
  const { faqItems, ...settings } = assistantSettings({ prompt, callRetryConfig: ALWAYS })
  const assistant = await createAssistant(ports, {
    organizationId: ORG,
    userId: 'user_1',
    settings,
    faqItems,
  })
  let number = 0
  const place = async (variables: readonly string[]): Promise<string> => {
    number += 1
    const placed = await placeCall(ports, {
      organizationId: ORG,
      isTest: true,
      toPhoneNumber: `+120255501${String(number).padStart(2, '0')}`,
      fromPhoneNumber: null,
      assistant: { kind: 'stored', assistantId: assistant.id },
      concurrency: null,
      forceNow: false,
      metadata: {},
      promptVariables: Object.fromEntries(variables.map((name) => [name, 'x'])),
      scheduledAt: null,
    })
    if (placed.kind !== 'placed') throw new Error(placed.reason)
    return placed.order.id
  }
  const edit = async (changes: Partial<Omit<Assistant, 'faqItems'>>) => {
    const target = { organizationId: ORG, assistantId: assistant.id }
    const result = await updateAssistant<never>(ports, target, () => ({
      kind: 'patch',
      patch: { settings: changes },
    }))
    if (result.kind !== 'updated') throw new Error(result.kind)
    return result.unpatched
  }
  const orderOf = async (id: string) => {
    const order = await ports.calls.findOrder(id)
    if (order === null) throw new Error('no order')
    return order
  }
  /** The version that the order is conducted with, were it to begin now. */
  const versionOf = async (id: string) => {
    const found = await findAssistantOf(ports, await orderOf(id))
    return 'version' in found ? found.version : null
  }
  const begin = () => dispatchScope(ports, organizationScope(ORG))
  return { ...stage, assistant, place, edit, orderOf, versionOf, begin }
}

const NAMES = ['a', 'b', 'c'] as const
const promptWith = (names: readonly string[]) => names.map((name) => `{{${name}}}`).join(' ')

test('an edit reaches every order that has not begun and lacks nothing', async () => {
  const stage = await openStage('{{a}}')
  const [rich, poor] = [await stage.place(['a', 'b']), await stage.place(['a'])]
  expect(await stage.edit({ prompt: '{{a}} {{b}}' })).toEqual({ count: 1, variables: ['b'] })
  expect([await stage.versionOf(rich), await stage.versionOf(poor)]).toEqual([2, 1])
  await stage.begin()
  const versions = [await stage.orderOf(rich), await stage.orderOf(poor)].map(
    ({ assistant }) => assistant,
  )
  expect(versions).toMatchObject([{ version: 2 }, { version: 1 }])
})

test('an edit does not reach an order that has begun', async () => {
  const stage = await openStage('{{a}}')
  const begun = await stage.place([])
  await stage.begin()
  expect(await stage.edit({ prompt: '{{a}} {{b}}' })).toEqual({ count: 0, variables: [] })
  expect(await stage.versionOf(begun)).toBe(1)
})

test('an order that was left behind takes the first version that suits it again', async () => {
  const stage = await openStage('Hello')
  const order = await stage.place([])
  expect(await stage.edit({ prompt: '{{b}}' })).toEqual({ count: 1, variables: ['b'] })
  // Nothing new is used, but the order still keeps the version before.
  expect(await stage.edit({ name: 'New' })).toEqual({ count: 1, variables: ['b'] })
  expect(await stage.versionOf(order)).toBe(1)
  expect(await stage.edit({ prompt: 'Bye' })).toEqual({ count: 0, variables: [] })
  expect(await stage.versionOf(order)).toBe(4)
})

test('for any edits and orders, notices and versions are what a naive look says', async () => {
  const names = fc.subarray([...NAMES])
  const step = fc.oneof(
    fc.record({ kind: fc.constant('edit' as const), names }),
    fc.record({ kind: fc.constant('place' as const), names }),
  )
  await fc.assert(
    fc.asyncProperty(names, fc.array(step, { maxLength: 14 }), async (first, steps) => {
      const stage = await openStage(promptWith(first))
      /** What each version requires, from version 1. */
      const versions = [first]
      const orders: { id: string; known: Set<string>; planned: number }[] = []
      const suits = (known: Set<string>, version: number) =>
        versions[version - 1]!.every((name) => known.has(name))
      for (const { kind, names: given } of steps) {
        if (kind === 'place') {
          const known = new Set([...given, ...versions.at(-1)!])
          orders.push({ id: await stage.place(given), known, planned: versions.length })
          continue
        }
        versions.push(given)
        const left = orders.filter(({ known }) => !suits(known, versions.length))
        const lacking = given.filter((name) => left.some(({ known }) => !known.has(name)))
        const notice = await stage.edit({ prompt: promptWith(given) })
        expect(notice).toEqual({ count: left.length, variables: lacking.toSorted() })
      }
      for (const { id, known, planned } of orders) {
        let newest = versions.length
        while (newest > planned && !suits(known, newest)) newest -= 1
        expect(await stage.versionOf(id)).toBe(newest)
      }
    }),
    { numRuns: 60 },
  )
})
