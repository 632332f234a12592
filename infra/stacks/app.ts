/* oxlint-disable no-new -- a construct adds itself to its scope */

import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib'
import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'

import type { Group } from '#shared/contract/route.ts'
import { routes } from '#shared/contract/routes.ts'
import type { QUEUE_DEFINITIONS } from '#shared/ports/queue-definitions.ts'

import type { StageConfig } from '../config.ts'
import { HttpGateway } from '../constructs/http-gateway.ts'
import { QueueWorker } from '../constructs/queue-worker.ts'
import { type Need, ServiceAccess } from '../constructs/service-access.ts'
import { type FunctionSource, ServiceFunction } from '../constructs/service-function.ts'
import { type QueueName, ServiceQueues } from '../constructs/service-queues.ts'
import { WakeUps } from '../constructs/wake-ups.ts'
import type { DataStack } from './data.ts'

export interface AppStackProps extends StackProps {
  readonly config: StageConfig
  readonly data: DataStack
}

type PulledQueue = {
  [Q in QueueName]: (typeof QUEUE_DEFINITIONS)[Q]['maxConcurrency'] extends null ? Q : never
}[QueueName]

/** What the page that shows the API is made of, with its licences. */
const REFERENCE_FILES = [
  'node_modules/swagger-ui-dist/{package.json,LICENSE,NOTICE,swagger-ui.css}',
  'node_modules/swagger-ui-dist/{swagger-ui-bundle.js,swagger-ui-bundle.js.LICENSE.txt}',
]

/** What every operation of the API needs. */
const API: readonly Need[] = ['table', 'limits']

const API_FUNCTIONS: Readonly<Record<Group | 'authorizer' | 'unrouted', FunctionSource>> = {
  assistants: {
    entry: 'functions/api/assistants/handler.ts',
    needs: [...API, 'customer-secrets'],
  },
  calls: {
    entry: 'functions/api/calls/handler.ts',
    needs: [...API, 'customer-secrets', 'queues', 'wake-ups', 'recordings'],
  },
  campaigns: {
    entry: 'functions/api/campaigns/handler.ts',
    needs: [...API, 'customer-secrets', 'queues', 'wake-ups', 'recordings', 'contacts'],
  },
  'carrier-events': {
    entry: 'functions/dialer/carrier-event.ts',
    needs: ['table', 'queues', 'wake-ups', 'carrier-events'],
  },
  'inbound-calls': {
    entry: 'functions/inbound/inbound-call.ts',
    needs: ['table', 'limits', 'customer-secrets', 'queues', 'wake-ups', 'carrier-events'],
  },
  docs: { entry: 'functions/api/docs/handler.ts', needs: [], files: REFERENCE_FILES },
  'phone-numbers': {
    entry: 'functions/api/phone-numbers/handler.ts',
    needs: [...API, 'customer-secrets'],
  },
  users: { entry: 'functions/api/users/handler.ts', needs: API },
  voices: { entry: 'functions/api/voices/handler.ts', needs: API },
  'api-keys': {
    entry: 'functions/api/api-keys/handler.ts',
    needs: [...API, 'customer-secrets'],
  },
  connections: {
    entry: 'functions/api/connections/handler.ts',
    needs: [...API, 'customer-secrets'],
  },
  'webhook-endpoints': { entry: 'functions/api/webhook-endpoints/handler.ts', needs: API },
  suppressions: { entry: 'functions/api/suppressions/handler.ts', needs: API },
  authorizer: { entry: 'functions/api/authorizer.ts', needs: ['table'] },
  unrouted: { entry: 'functions/api/unrouted.ts', needs: [] },
}

const WORKERS: Readonly<Record<Exclude<QueueName, PulledQueue>, FunctionSource>> = {
  dispatch: {
    entry: 'functions/dialer/dispatch.ts',
    needs: ['table', 'limits', 'customer-secrets', 'queues', 'wake-ups', 'carrier'],
  },
  import: {
    entry: 'functions/campaigns/work-on-campaign.ts',
    needs: ['table', 'customer-secrets', 'queues', 'wake-ups', 'contacts'],
  },
  'post-call': {
    entry: 'functions/after-call/conclude-call.ts',
    needs: ['table', 'customer-secrets', 'queues', 'wake-ups', 'language-models'],
  },
  notify: {
    entry: 'functions/after-call/notify.ts',
    needs: ['table', 'customer-secrets', 'queues', 'recordings'],
  },
  webhook: {
    entry: 'functions/after-call/deliver-webhook.ts',
    needs: ['table', 'queues', 'wake-ups'],
  },
}

/** API Gateway waits for 30 s. */
const API_TIMEOUT_SECS = 29

/** Everything that decides: the API, the queues and their workers, the wake-ups and the sweep. */
export class AppStack extends Stack {
  readonly queues: ServiceQueues
  readonly access: ServiceAccess
  readonly sweepTick: ServiceFunction

  constructor(scope: Construct, id: string, props: AppStackProps) {
    super(scope, id, props)
    const { config, data } = props
    const apiDomain = `api.${config.hostedZone.name}`
    this.queues = new ServiceQueues(this, 'Queues')
    this.access = new ServiceAccess({
      config,
      table: data.table,
      recordings: data.recordings,
      contacts: data.contacts,
      secretsKey: data.secretsKey,
      queues: this.queues,
      wakeUps: new WakeUps(this, 'WakeUps', {
        groupName: `parley-${config.stage}`,
        queues: this.queues,
      }),
      secret: Secret.fromSecretCompleteArn(this, 'Secret', config.secretArn),
      carrierStatusUrl: HttpGateway.urlOf(apiDomain, routes.receiveCarrierEvent, {
        provider: 'simulated',
      }),
    })
    this.#addApi(config, apiDomain)
    this.#addWorkers()
    this.sweepTick = this.#addSweep()
    this.#addBootstrap()
  }

  #addApi(config: StageConfig, domainName: string): void {
    const { authorizer, unrouted, ...groups } = mapValues(API_FUNCTIONS, this.#apiFunction)
    new HttpGateway(this, 'Api', { config, domainName, authorizer, unrouted, groups })
  }

  readonly #apiFunction = (name: string, source: FunctionSource): ServiceFunction =>
    new ServiceFunction(this, name, {
      ...source,
      access: this.access,
      timeoutSecs: API_TIMEOUT_SECS,
      memoryMib: 512,
    })

  #addWorkers(): void {
    mapValues(WORKERS, (name, source) => {
      const queue = this.queues.get(name)
      return new QueueWorker(this, `${name}-worker`, { ...source, access: this.access, queue })
    })
  }

  /** No address and no event leads to it: whoever may invoke it makes organizations by hand. */
  #addBootstrap(): void {
    const source = { entry: 'functions/bootstrap.ts', needs: ['table'] } as const
    const { functionName } = this.#apiFunction('bootstrap', source)
    new CfnOutput(this, 'BootstrapFunction', { value: functionName })
  }

  #addSweep(): ServiceFunction {
    const sweepTick = new ServiceFunction(this, 'sweep-tick', {
      entry: 'functions/dialer/sweep-tick.ts',
      needs: ['queues'],
      access: this.access,
      timeoutSecs: 20,
      memoryMib: 512,
    })
    new Rule(this, 'every-minute', {
      schedule: Schedule.rate(Duration.minutes(1)),
      // The next minute brings the next tick; one of long ago would only be in its way.
      targets: [new LambdaFunction(sweepTick, { maxEventAge: Duration.minutes(1) })],
    })
    return sweepTick
  }
}

function mapValues<Name extends string, From, To>(
  record: Readonly<Record<Name, From>>,
  map: (name: Name, value: From) => To,
): Record<Name, To> {
  const entries = Object.entries<From>(record) as [Name, From][]
  return Object.fromEntries(entries.map(([name, value]) => [name, map(name, value)])) as Record<
    Name,
    To
  >
}
