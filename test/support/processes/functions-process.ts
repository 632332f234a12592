import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { parseArgs } from 'node:util'

import type { SQSEvent } from 'aws-lambda'

import { localConsumers, localGateway } from '#infra/local/local-handlers.ts'
import { localPorts } from '#infra/local/local-ports.ts'
import { sqsClient } from '#infra/local/local-queues.ts'
import { localRuntimeSettings } from '#infra/local/local-runtime-settings.ts'
import { openLocalStores } from '#infra/local/local-stores.ts'
import { followClock } from '#infra/local/remote-clock.ts'
import { sqsQueues } from '#shared/adapters/aws/sqs-queues.ts'
import { consoleLogger } from '#shared/adapters/local/console-logger.ts'
import { localScheduler } from '#shared/adapters/local/local-scheduler.ts'
import { systemTimers } from '#shared/adapters/local/timers.ts'
import type { QueueName } from '#shared/ports/queues.ts'

/**
 * Every function of the service in one process that may be killed at any moment: what it has in its
 * memory, wake-ups included, is lost then. Functions of the API answer HTTP; those of queues are
 * invoked at `/invoke/<queue>` with a batch. Prints its port when it is ready.
 */

const WAKES_EVERY_MS = 100

const { values } = parseArgs({ options: { 'local-url': { type: 'string', default: '' } } })
const localUrl = values['local-url']
const answer = await fetch(`${localUrl}/runtime`)
const settings = localRuntimeSettings.parse(await answer.json())
const clock = await followClock({ localUrl, speed: settings.speed, timers: systemTimers })
// Nobody else ends it when those who started it are gone.
void clock.lost.then(() => process.exit(1))

const client = sqsClient(settings.sqsEndpoint)
const urls = settings.queueUrls as Readonly<Record<QueueName, string>>
const queues = sqsQueues({ client, urls })
const scheduler = localScheduler({ queues })
const logger = consoleLogger({ clock, level: 'error' })
const ports = localPorts({
  stores: openLocalStores(settings),
  clock,
  timers: clock,
  logger,
  queues,
  scheduler,
  settings,
  localUrl,
})
setInterval(() => void scheduler.takeDue(clock.now()).catch(() => {}), WAKES_EVERY_MS)

const gateway = localGateway(ports)
const consumers = localConsumers(ports)
const INVOKE = /^\/invoke\/([\w-]+)$/

async function invoke(queue: QueueName, request: IncomingMessage): Promise<string> {
  const batch = (await json(request)) as SQSEvent
  return JSON.stringify(await consumers[queue]?.(batch))
}

const server = createServer((request, response) => {
  const queue = INVOKE.exec(request.url ?? '')?.[1] as QueueName | undefined
  if (queue === undefined) return gateway(request, response)
  invoke(queue, request).then(
    (answer) => response.end(answer),
    () => response.destroy(),
  )
}).listen(0, '127.0.0.1')
await once(server, 'listening')
process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`)
