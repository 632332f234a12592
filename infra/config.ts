import { RetentionDays } from 'aws-cdk-lib/aws-logs'

/** What differs between installations of the service. Nothing secret stands here. */
export interface StageConfig {
  readonly stage: string
  readonly account: string
  readonly region: string
  /** A public hosted zone of this account. The API becomes `api.<name>`, media `media.<name>`. */
  readonly hostedZone: { readonly id: string; readonly name: string }
  /** The complete ARN of the secret that README.md tells to create. */
  readonly secretArn: string
  /** Of the carrier, without a slash at the end. */
  readonly carrierUrl: string
  readonly trunk: { readonly maxConcurrentCalls: number; readonly callsPerSecond: number }
  readonly ringTimeoutSecs: number
  /** Numbers of the trunk that organizations may take (POST /phone-numbers), in E.164. */
  readonly numberPool: readonly string[]
  /** What one organization may ask for in a minute. */
  readonly requestsPerMinute: {
    readonly default: number
    /** POST /call */
    readonly calls: number
    /** POST /campaigns */
    readonly campaigns: number
  }
  /** What the whole API takes, for all organizations together. */
  readonly api: { readonly requestsPerSecond: number; readonly burst: number }
  readonly voice: {
    readonly tasks: number
    /** Calls per task (reference: 20 on 2 processors until a load test says more). */
    readonly sessionsPerTask: number
    readonly cpu: number
    readonly memoryMib: number
    /** How long a deployment lets calls on old tasks go on: the longest call and a margin. */
    readonly bakeMins: number
  }
  readonly logRetention: RetentionDays
  readonly recordingDays: number
  readonly alarmEmail: string
}

const dev: StageConfig = {
  stage: 'dev',
  account: '111111111111',
  region: 'eu-west-1',
  hostedZone: { id: 'Z00000000000000000DEV', name: 'dev.parley.example' },
  secretArn: 'arn:aws:secretsmanager:eu-west-1:111111111111:secret:parley-dev-AbCdEf',
  carrierUrl: 'https://carrier.dev.parley.example',
  trunk: { maxConcurrentCalls: 10, callsPerSecond: 1 },
  ringTimeoutSecs: 30,
  numberPool: ['+12025550190', '+12025550191'],
  requestsPerMinute: { default: 1_000, calls: 500, campaigns: 10 },
  api: { requestsPerSecond: 20, burst: 40 },
  voice: { tasks: 1, sessionsPerTask: 10, cpu: 1024, memoryMib: 2048, bakeMins: 1 },
  logRetention: RetentionDays.ONE_WEEK,
  recordingDays: 7,
  alarmEmail: 'alarms@dev.parley.example',
}

const prod: StageConfig = {
  ...dev,
  stage: 'prod',
  account: '222222222222',
  hostedZone: { id: 'Z0000000000000000PROD', name: 'parley.example' },
  secretArn: 'arn:aws:secretsmanager:eu-west-1:222222222222:secret:parley-prod-AbCdEf',
  carrierUrl: 'https://carrier.parley.example',
  trunk: { maxConcurrentCalls: 100, callsPerSecond: 5 },
  api: { requestsPerSecond: 500, burst: 1_000 },
  voice: { tasks: 3, sessionsPerTask: 20, cpu: 2048, memoryMib: 4096, bakeMins: 255 },
  logRetention: RetentionDays.ONE_MONTH,
  recordingDays: 90,
  alarmEmail: 'alarms@parley.example',
}

const STAGES: readonly StageConfig[] = [dev, prod]

/** The pool stands in the environment of a function, for which Lambda has 4 KB. */
const NUMBER_POOL_MAX = 100

/** The configuration that `STAGE` names. Throws when there is none, or it asks for too much. */
export function stageConfig(stage: string): StageConfig {
  const found = STAGES.find((config) => config.stage === stage)
  if (found === undefined) {
    const known = STAGES.map((config) => config.stage).join(', ')
    throw new Error(`STAGE is ${stage}; it can be ${known}`)
  }
  if (found.numberPool.length > NUMBER_POOL_MAX) {
    throw new Error(`numberPool has ${found.numberPool.length} numbers; ${NUMBER_POOL_MAX} fit`)
  }
  return found
}
