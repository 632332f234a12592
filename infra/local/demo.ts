import { constants } from 'node:os'
import path from 'node:path'

import * as z from 'zod'

import { StartFailure } from './failure.ts'
import { liveLine } from './live-line.ts'
import type { LocalStack } from './local-stack.ts'
import { runLocalStack } from './run-local-stack.ts'
import { runProgram } from './run-program.ts'

const CALL_TIMEOUT_MS = 55_000
const LOOK_EVERY_MS = 200
/** What a shell adds to a signal's number for the code of a process that it ended. */
const SIGNAL_CODE = 128

const ASSISTANT = {
  name: 'Ava',
  prompt: [
    'You are Ava from Northwind Dental. You call patients whose yearly check-up is due.',
    'Find out:',
    '- wants_appointment (boolean): whether they would like to come in for a check-up',
    '- preferred_day (string): the day that suits them best',
  ].join('\n'),
  first_sentence: 'Greet the patient, say who you are and ask whether they have a moment.',
  structured_output_config: [
    {
      name: 'wants_appointment',
      type: 'boolean',
      required: false,
      description: 'whether they would like to come in for a check-up',
    },
    {
      name: 'preferred_day',
      type: 'string',
      required: false,
      description: 'the day that suits them best',
    },
  ],
}

const created = z.object({ assistant: z.object({ id: z.string() }) })
const placed = z.object({ call: z.object({ id: z.string() }) })
const shown = z.object({
  call: z.object({
    status: z.string(),
    outcome: z.string().nullable(),
    outcome_summary: z.string().nullable(),
    last_call_attempt: z
      .object({
        recording_url: z.string().nullable(),
        structured_output: z.record(z.string(), z.unknown()).nullable(),
      })
      .nullable(),
  }),
})
const inbox = z.object({
  webhooks: z.array(
    z.object({
      headers: z.record(z.string(), z.string()),
      body: z.string(),
      status_answered: z.number(),
    }),
  ),
})

const FINAL = new Set(['completed', 'cancelled', 'errored'])

/** `npm run demo`: one call from the order to the webhook, shown as it happens. */
async function main(): Promise<number> {
  say('Starting Parley on this machine...')
  const options = {
    port: 0,
    voice: 'speech',
    speed: 1,
    ringTimeoutSecs: 5,
    voiceRuntime: 'own',
    notice: say,
  } as const
  const interruptedBy = await runLocalStack(options, placeAndShow)
  return interruptedBy === null ? 0 : SIGNAL_CODE + constants.signals[interruptedBy]
}

async function placeAndShow(stack: LocalStack, signal: AbortSignal): Promise<void> {
  const { assistant } = created.parse(
    await post(stack, '/assistants', { ...ASSISTANT, webhook_url: stack.webhookInboxUrl }),
  )
  say(`Assistant ${assistant.id} created. Calling +1 202 555 0100.\n`)
  const { call } = placed.parse(
    await post(stack, '/call', {
      phone_number: '+12025550100',
      assistant_id: assistant.id,
      force_now: true,
    }),
  )
  const watching = new AbortController()
  const live = watch(stack, call.id, AbortSignal.any([signal, watching.signal]))
  const ended = await untilEnded(stack, call.id, signal)
  const webhook = await untilDelivered(stack, call.id, signal)
  watching.abort()
  await live
  report(stack, ended, webhook)
}

function report(
  stack: LocalStack,
  { call }: z.infer<typeof shown>,
  webhook: z.infer<typeof inbox>['webhooks'][number],
): void {
  const attempt = call.last_call_attempt
  const recording = attempt?.recording_url?.split('/recordings/')[1]
  say(`
Status             ${call.status}
Outcome            ${call.outcome ?? '-'}
                   ${call.outcome_summary ?? ''}
Structured output  ${JSON.stringify(attempt?.structured_output)}
Recording          ${recording === undefined ? '-' : path.join(stack.recordingsFolder, recording)}
                   (stereo: callee left, agent right)
Webhook            ${webhook.headers['webhook-id']} answered with ${webhook.status_answered}
                   webhook-signature: ${webhook.headers['webhook-signature']}
                   ${webhook.body.slice(0, 100)}...
`)
}

async function watch(stack: LocalStack, callId: string, signal: AbortSignal): Promise<void> {
  try {
    const response = await fetch(`${stack.localUrl}/calls/${callId}/live`, { signal })
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true })
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        if (!line.startsWith('data: ')) continue
        const shownLine = liveLine(line.slice('data: '.length))
        if (shownLine !== null) say(shownLine)
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function untilEnded(
  stack: LocalStack,
  callId: string,
  signal: AbortSignal,
): Promise<z.infer<typeof shown>> {
  let status = ''
  return until('The call did not end in time.', signal, async () => {
    const answer = shown.parse(await get(`${stack.baseUrl}/call/${callId}`, stack))
    if (answer.call.status !== status) {
      status = answer.call.status
      say(`   [order ${status}]`)
    }
    return FINAL.has(status) ? answer : null
  })
}

async function untilDelivered(stack: LocalStack, callId: string, signal: AbortSignal) {
  return until('The webhook did not arrive in time.', signal, async () => {
    const { webhooks } = inbox.parse(await get(stack.webhookInboxUrl, stack))
    return webhooks.find(({ body }) => body.includes(callId)) ?? null
  })
}

async function until<T>(
  complaint: string,
  signal: AbortSignal,
  look: () => Promise<T | null>,
): Promise<T> {
  const giveUpAt = performance.now() + CALL_TIMEOUT_MS
  for (;;) {
    signal.throwIfAborted()
    const found = await look()
    if (found !== null) return found
    if (performance.now() > giveUpAt) throw new StartFailure(complaint)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

async function post(stack: LocalStack, route: string, body: unknown): Promise<unknown> {
  const response = await fetch(stack.baseUrl + route, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new StartFailure(`${route} was refused: ${await response.text()}`)
  return response.json()
}

async function get(url: string, stack: LocalStack): Promise<unknown> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${stack.apiKey}` } })
  return response.json()
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

runProgram(main)
