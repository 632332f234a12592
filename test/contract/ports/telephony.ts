import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { DialRequest, Telephony } from '#shared/ports/telephony.ts'

/** A carrier under test, and what can be seen and done on its side of the port. */
export interface TelephonyStage {
  readonly telephony: Telephony
  /** The same port, when nobody listens at the carrier's address. */
  readonly unreachable: Telephony
  /** A port whose dials reach the carrier and whose answers are lost. */
  readonly answerLost: Telephony
  readonly mediaUrl: string
  /** A number that answers, and one that the carrier refuses at once. */
  readonly person: string
  readonly invalidNumber: string
  /** The attempts that the carrier rang for, in order. */
  dialled(): Promise<readonly string[]>
  close(): Promise<void>
}

/** What every telephony adapter must do (shared/ports/telephony.ts). */
export function telephonyContract(name: string, open: () => Promise<TelephonyStage>): void {
  describe(`${name} as a telephony port`, () => {
    let stage: TelephonyStage
    beforeEach(async () => {
      stage = await open()
    })
    afterEach(() => stage.close())

    const request = (fields: Partial<DialRequest> = {}): DialRequest => ({
      attemptId: 'att_1',
      orderId: 'call_1',
      number: 1,
      to: stage.person,
      from: '+12025550199',
      mediaUrl: stage.mediaUrl,
      ringTimeoutSecs: 30,
      ...fields,
    })
    const placedId = async (fields: Partial<DialRequest> = {}) => {
      const result = await stage.telephony.dial(request(fields))
      if (result.kind !== 'placed') throw new Error('the dial was refused')
      return result.carrierCallId
    }

    it('places a call and finds it live by its attempt', async () => {
      const carrierCallId = await placedId()
      expect(carrierCallId).not.toBe('')
      expect(await stage.telephony.find('att_1')).toEqual({ carrierCallId, isLive: true })
      expect(await stage.dialled()).toEqual(['att_1'])
    })

    it('rings once for an attempt that is dialled twice, and names the same call', async () => {
      const first = await placedId()
      expect(await placedId()).toBe(first)
      expect(await stage.dialled()).toEqual(['att_1'])
    })

    it('gives every attempt a call of its own', async () => {
      const ids = [await placedId(), await placedId({ attemptId: 'att_2', number: 2 })]
      expect(new Set(ids).size).toBe(2)
      expect(await stage.dialled()).toEqual(['att_1', 'att_2'])
    })

    it('tells a refusal from an error', async () => {
      const result = await stage.telephony.dial(request({ to: stage.invalidNumber }))
      expect(result.kind).toBe('refused')
      expect(await stage.dialled()).toEqual([])
    })

    it('hangs up, harmlessly when repeated', async () => {
      const carrierCallId = await placedId()
      await stage.telephony.hangUp(carrierCallId)
      expect(await stage.telephony.find('att_1')).toEqual({ carrierCallId, isLive: false })
      await stage.telephony.hangUp(carrierCallId)
      await stage.telephony.hangUp('a-call-that-never-was')
    })

    it('finds nothing of an attempt that was never dialled', async () => {
      expect(await stage.telephony.find('att_1')).toBeNull()
    })

    it('calls a dial that surely was not placed retryable', async () => {
      await expect(stage.unreachable.dial(request())).rejects.toMatchObject({
        name: 'AdapterError',
        retryable: true,
      })
      expect(await stage.dialled()).toEqual([])
    })

    it('never calls a dial retryable that may have been placed; find tells', async () => {
      await expect(stage.answerLost.dial(request())).rejects.toMatchObject({
        name: 'AdapterError',
        retryable: false,
      })
      expect(await stage.telephony.find('att_1')).toMatchObject({ isLive: true })
    })
  })
}
