import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { recordedCalleeSound } from '#infra/local/carrier/callee-sound.ts'
import type { CallRecord } from '#infra/local/carrier/line-call.ts'
import {
  simulatedCarrier,
  type SimulatedCarrierOptions,
} from '#infra/local/carrier/simulated-carrier.ts'

import { fakeRuntime, type FakeRuntime, type MediaPeer } from './fake-runtime.ts'
import { virtualTime, type VirtualTime } from './virtual-time.ts'

export const TOKEN = 'carrier-token'
export const EVENT_SECRET = 'event-secret'
export const PERSON = '+12025550100'

const SOUND = recordedCalleeSound()

export interface CarrierStage extends AsyncDisposable {
  readonly url: string
  readonly time: VirtualTime
  readonly runtime: FakeRuntime
  ask(
    method: string,
    path: string,
    body?: unknown,
    token?: string,
  ): Promise<{
    readonly status: number
    readonly body: Readonly<Record<string, unknown>>
  }>
  /** Dials with sensible fields except for these; gives the call id. */
  dial(fields?: Readonly<Record<string, unknown>>): Promise<string>
  calls(): Promise<readonly CallRecord[]>
  /** Dials, lets it ring and be answered; gives the media socket once its stream has started. */
  answeredCall(to?: string): Promise<MediaPeer>
  /** When somebody next calls the service (epoch ms), and those calls made that are due. */
  nextCallAt(): number | null
  takeDue(now: number): Promise<number>
  /** Closes the carrier, and leaves the rest standing. */
  closeCarrier(): void
}

/** A carrier on loopback in virtual time, with the service's end played by the test. */
export async function carrierStage(
  options: Partial<SimulatedCarrierOptions> = {},
): Promise<CarrierStage> {
  const time = virtualTime()
  const runtime = await fakeRuntime()
  const carrier = simulatedCarrier({
    basePath: '/carrier',
    token: TOKEN,
    eventSecret: EVENT_SECRET,
    sound: SOUND,
    ...time,
    ...options,
  })
  const server = createServer((request, response) => carrier.handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/carrier`
  let dials = 0

  const ask: CarrierStage['ask'] = async (method, path, body, token = TOKEN) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const dial: CarrierStage['dial'] = async (fields = {}) => {
    dials += 1
    const { status, body } = await ask('POST', '/calls', dialBody(runtime, dials, fields))
    if (status !== 201) throw new Error(`the dial was answered ${status}`)
    return body['call_id'] as string
  }
  return {
    url,
    time,
    runtime,
    ask,
    dial,
    calls: async () => (await ask('GET', '/calls')).body['calls'] as CallRecord[],
    answeredCall: async (to = PERSON) => {
      const earlier = runtime.peers.items.length
      await dial({ to })
      time.advance(2_000)
      const peer = (await runtime.peers.count(earlier + 1))[earlier]!
      await peer.frames.count(2)
      return peer
    },
    nextCallAt: () => carrier.nextAt(),
    takeDue: (now) => carrier.takeDue(now),
    closeCarrier: () => carrier.close(),
    [Symbol.asyncDispose]: async () => {
      carrier.close()
      server.closeAllConnections()
      server.close()
      await runtime.close()
    },
  }
}

/** The fields of the `n`th dial. */
export function dialBody(
  runtime: Pick<FakeRuntime, 'mediaUrl' | 'statusUrl'>,
  n: number,
  fields: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    attempt_id: `att_${n}`,
    order_id: 'call_1',
    attempt_number: n,
    to: PERSON,
    from: '+12025550199',
    media_url: runtime.mediaUrl,
    status_url: runtime.statusUrl,
    ring_timeout_secs: 60,
    ...fields,
  }
}
