import type { IRole } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager'

import type { StageConfig } from '../config.ts'
import type { ContactsBucket } from './contacts-bucket.ts'
import { grantSealing } from './encryption-key.ts'
import type { RecordingsBucket } from './recordings-bucket.ts'
import type { RecordsTable } from './records-table.ts'
import type { ServiceQueues } from './service-queues.ts'
import type { WakeUps } from './wake-ups.ts'

/** A part of the world that a process of the service may reach. */
export type Need =
  | 'table'
  | 'limits'
  | 'queues'
  | 'wake-ups'
  | 'recordings'
  | 'new-recordings'
  | 'contacts'
  | 'carrier'
  | 'carrier-events'
  | 'customer-secrets'
  | 'language-models'

export interface ServiceResources {
  readonly config: StageConfig
  readonly table: RecordsTable
  readonly recordings: RecordingsBucket
  readonly contacts: ContactsBucket
  readonly secretsKey: IKey
  readonly queues: ServiceQueues
  readonly wakeUps: WakeUps
  /** Its fields are named like the environment variables that they become. */
  readonly secret: ISecret
  /** Where the carrier reports what becomes of dials. */
  readonly carrierStatusUrl: string
}

interface Provision {
  readonly environment?: (resources: ServiceResources) => Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly grant?: (resources: ServiceResources, role: IRole) => void
}

/** What each need puts into the environment (`ServiceEnvironment`), and what it allows. */
const PROVISIONS: Readonly<Record<Need, Provision>> = {
  table: {
    environment: ({ table }) => ({ TABLE_NAME: table.name }),
    grant: ({ table }, role) => table.grantUse(role),
  },
  limits: {
    environment: ({ config: { trunk, ringTimeoutSecs, numberPool, requestsPerMinute } }) => ({
      LIMITS: JSON.stringify({
        trunk: { id: 'simulated', ...trunk },
        ringTimeoutSecs,
        numberPool,
        requestsPerMinute,
      }),
    }),
  },
  queues: {
    environment: ({ queues }) => ({
      QUEUE_URLS: queueMap(queues, ({ queue }) => queue.queueUrl),
    }),
    grant: ({ queues }, role) => {
      for (const { queue } of queues.all) queue.grantSendMessages(role)
    },
  },
  'wake-ups': {
    environment: ({ queues, wakeUps }) => ({
      QUEUE_ARNS: queueMap(queues, ({ queue }) => queue.queueArn),
      SCHEDULE_GROUP: wakeUps.groupName,
      SCHEDULE_ROLE_ARN: wakeUps.role.roleArn,
    }),
    grant: ({ wakeUps }, role) => wakeUps.grantSchedule(role),
  },
  recordings: {
    environment: ({ recordings }) => ({ RECORDINGS_BUCKET: recordings.name }),
    grant: ({ recordings }, role) => role.addManagedPolicy(recordings.mayRead),
  },
  'new-recordings': {
    environment: ({ recordings }) => ({ RECORDINGS_BUCKET: recordings.name }),
    grant: ({ recordings }, role) => role.addManagedPolicy(recordings.mayStore),
  },
  contacts: {
    environment: ({ contacts }) => ({ CONTACTS_BUCKET: contacts.name }),
    grant: ({ contacts }, role) => role.addManagedPolicy(contacts.mayUse),
  },
  carrier: {
    environment: ({ config, carrierStatusUrl }) => ({
      CARRIER_URL: config.carrierUrl,
      CARRIER_STATUS_URL: carrierStatusUrl,
    }),
    secrets: ['CARRIER_TOKEN'],
  },
  'carrier-events': { secrets: ['CARRIER_EVENT_SECRET'] },
  'customer-secrets': {
    environment: ({ secretsKey }) => ({ SECRETS_KEY_ARN: secretsKey.keyArn }),
    grant: ({ secretsKey }, role) => grantSealing(secretsKey, role),
  },
  'language-models': { secrets: ['LLM_ENDPOINTS'] },
}

/** Gives every process of the service what it needs of the resources, and no more. */
export class ServiceAccess {
  readonly resources: ServiceResources

  constructor(resources: ServiceResources) {
    this.resources = resources
  }

  environment(needs: readonly Need[]): Record<string, string> {
    return Object.assign(
      {},
      ...needs.map((need) => PROVISIONS[need].environment?.(this.resources)),
    ) as Record<string, string>
  }

  /** Fields of the secret, which become environment variables of the same name. */
  secretFields(needs: readonly Need[]): string[] {
    return needs.flatMap((need) => PROVISIONS[need].secrets ?? [])
  }

  grant(role: IRole, needs: readonly Need[]): void {
    for (const need of needs) PROVISIONS[need].grant?.(this.resources, role)
  }
}

function queueMap(
  queues: ServiceQueues,
  value: (queue: ServiceQueues['all'][number]) => string,
): string {
  return JSON.stringify(Object.fromEntries(queues.all.map((queue) => [queue.name, value(queue)])))
}
