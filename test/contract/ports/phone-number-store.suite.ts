import { beforeEach, describe, expect, test } from 'vitest'

import type { PhoneNumber } from '#shared/domain/phone-number.ts'
import type { PhoneNumberStore } from '#shared/ports/phone-number-store.ts'

import { next, NOON } from './sample-records.ts'

export function samplePhoneNumber(changes: Partial<PhoneNumber> = {}): PhoneNumber {
  return {
    id: 'num_1',
    organizationId: 'org_1',
    version: 1,
    phoneNumber: '+12025550150',
    label: '',
    type: 'owned_number',
    source: 'user_imported',
    provider: 'sip',
    healthStatus: 'unknown',
    healthCheckedAt: null,
    spamScore: 0.5,
    inboundAssistantId: null,
    inboundSipUri: null,
    outboundTrunkId: null,
    createdBy: { id: 'user_1', email: 'z@example.org', firstName: 'Zoë', lastName: null },
    createdAt: NOON,
    ...changes,
  }
}

/** What every store of phone numbers must do, beyond keeping records. */
export function phoneNumberStoreSuite(open: () => Promise<PhoneNumberStore>): void {
  let numbers: PhoneNumberStore
  const number = samplePhoneNumber()
  const { id, organizationId, phoneNumber } = number
  const reference = { id, organizationId, phoneNumber }
  beforeEach(async () => {
    numbers = await open()
    expect(await numbers.save({ before: null, after: number })).toEqual({ kind: 'saved' })
  })

  test('a number is found by its organization, and its owner by the number', async () => {
    expect(await numbers.find('org_1', 'num_1')).toEqual(number)
    expect(await numbers.find('org_2', 'num_1')).toBeNull()
    expect(await numbers.findOwner(phoneNumber)).toEqual(reference)
    expect(await numbers.findOwner('+12025550151')).toBeNull()
  })

  test.each([
    ['in another organization', { organizationId: 'org_2', id: 'num_2' }],
    ['twice in the same one', { id: 'num_2' }],
    ['with the id of another', { phoneNumber: '+12025550151' }],
  ])('a number cannot be %s', async (_, changes) => {
    const after = samplePhoneNumber(changes)
    expect(await numbers.save({ before: null, after })).toEqual({ kind: 'conflict' })
    expect(await numbers.findOwner(phoneNumber)).toEqual(reference)
    expect(await numbers.findOwner('+12025550151')).toBeNull()
    const page = { limit: 10, cursor: null }
    expect((await numbers.list('org_1', page)).records).toEqual([number])
    expect((await numbers.list('org_2', page)).records).toEqual([])
  })

  test('a change is stored once; the owner stays', async () => {
    const after = next(number, { label: 'Desk' })
    expect(await numbers.save({ before: number, after })).toEqual({ kind: 'saved' })
    expect(await numbers.save({ before: number, after })).toEqual({ kind: 'conflict' })
    expect(await numbers.find('org_1', 'num_1')).toEqual(after)
    expect(await numbers.findOwner(phoneNumber)).toEqual(reference)
  })

  test('a number that was removed is free for others', async () => {
    expect(await numbers.remove('org_2', 'num_1')).toBe(false)
    expect(await numbers.remove('org_1', 'num_1')).toBe(true)
    expect(await numbers.remove('org_1', 'num_1')).toBe(false)
    expect(await numbers.findOwner(phoneNumber)).toBeNull()
    const after = samplePhoneNumber({ organizationId: 'org_2', id: 'num_2' })
    expect(await numbers.save({ before: null, after })).toEqual({ kind: 'saved' })
  })

  describe('the default', () => {
    const other = { id: 'num_2', organizationId: 'org_1', phoneNumber: '+12025550151' }

    test('is none, or the last that was named', async () => {
      expect(await numbers.findDefault('org_1')).toBeNull()
      await numbers.setDefault(number)
      await numbers.setDefault(other)
      expect(await numbers.findDefault('org_1')).toEqual(other)
      expect(await numbers.findDefault('org_2')).toBeNull()
    })

    test('ends only by its own number', async () => {
      await numbers.unsetDefault(other)
      await numbers.setDefault(number)
      await numbers.unsetDefault(other)
      expect(await numbers.findDefault('org_1')).toEqual(reference)
      await numbers.unsetDefault(number)
      expect(await numbers.findDefault('org_1')).toBeNull()
      await numbers.setDefault(other)
      expect(await numbers.findDefault('org_1')).toEqual(other)
    })
  })
}
