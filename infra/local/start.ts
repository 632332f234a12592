import { parseArgs } from 'node:util'

import { StartFailure } from './failure.ts'
import type { LocalStack } from './local-stack.ts'
import { runLocalStack } from './run-local-stack.ts'
import { runProgram } from './run-program.ts'
import { TEST_NUMBERS } from './test-number-list.ts'

const USAGE = `npm start -- [options]
  --port N               port of the API (default 8787; 0 takes a free one)
  --data DIR             where records and recordings are kept (default .parley)
  --json                 print one line of JSON when ready, and nothing else
  --voice speech|tones   words for people, or tones for tests (default speech)
  --speed N              let everything go N times as fast (default 1)
  --ring-timeout SECS    how long the simulated carrier lets a phone ring (default 5)
  --no-voice-runtime     start none: run \`npm run voice-runtime\` yourself`

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: '8787' },
        data: { type: 'string' },
        json: { type: 'boolean', default: false },
        voice: { type: 'string', default: 'speech' },
        speed: { type: 'string', default: '1' },
        'ring-timeout': { type: 'string', default: '5' },
        'no-voice-runtime': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    return values
  } catch (error) {
    throw new StartFailure(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`)
  }
}

function numberOf(name: string, text: string, isGood: (value: number) => boolean): number {
  const value = Number(text)
  if (text.trim() === '' || !isGood(value))
    throw new StartFailure(`--${name} cannot be ${text}.\n${USAGE}`)
  return value
}

async function main(): Promise<number> {
  const values = readOptions()
  if (values.help) {
    process.stdout.write(`${USAGE}\n`)
    return 0
  }
  const { voice } = values
  if (voice !== 'speech' && voice !== 'tones')
    throw new StartFailure(`--voice cannot be ${voice}.\n${USAGE}`)
  const options = {
    port: numberOf(
      'port',
      values.port,
      (port) => Number.isInteger(port) && port >= 0 && port < 65_536,
    ),
    dataFolder: values.data,
    voice,
    speed: numberOf('speed', values.speed, (speed) => speed > 0 && speed <= 20),
    ringTimeoutSecs: numberOf(
      'ring-timeout',
      values['ring-timeout'],
      (secs) => secs > 0 && secs <= 600,
    ),
    voiceRuntime: values['no-voice-runtime'] ? 'none' : 'own',
    notice: (sentence: string) => process.stderr.write(`${sentence}\n`),
  } as const
  await runLocalStack(options, async (stack, signal) => {
    process.stdout.write(values.json ? `${readyLine(stack)}\n` : welcome(stack))
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  })
  return 0
}

function readyLine(stack: LocalStack): string {
  return JSON.stringify({
    base_url: stack.baseUrl,
    api_key: stack.apiKey,
    webhook_inbox_url: stack.webhookInboxUrl,
    webhook_secret: stack.webhookSecret,
    local_url: stack.localUrl,
  })
}

function welcome(stack: LocalStack): string {
  const numbers = TEST_NUMBERS.map(({ number, behaviour }) => `  ${number}  ${behaviour}`)
  const body = JSON.stringify({
    phone_number: '+12025550100',
    force_now: true,
    assistant: {
      prompt: 'You are Ava from Northwind Dental. Offer a check-up and ask which day suits best.',
      webhook_url: stack.webhookInboxUrl,
    },
  })
  return `
Parley is ready.

  API             ${stack.baseUrl}
  API reference   ${stack.baseUrl}/docs
  API key         ${stack.apiKey}
  Webhook inbox   ${stack.webhookInboxUrl}
  Webhook secret  ${stack.webhookSecret}
  Test clock      curl -X POST ${stack.localUrl}/clock -d '{"advance_seconds": 7200}'
  Dials           curl ${stack.localUrl}/carrier/calls
  Recordings      ${stack.recordingsFolder}

Test numbers (everything else answers like the first):
${numbers.join('\n')}

Place a call:

curl -sS ${stack.baseUrl}/call -H 'Authorization: Bearer ${stack.apiKey}' -H 'Content-Type: application/json' -d '${body}'

Ctrl-C stops everything.
`
}

runProgram(main)
