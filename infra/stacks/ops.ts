import { Duration, Stack, type StackProps } from 'aws-cdk-lib'
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import type { Construct } from 'constructs'

import type { StageConfig } from '../config.ts'
import type { AppStack } from './app.ts'

export interface OpsStackProps extends StackProps {
  readonly config: StageConfig
  readonly service: AppStack
}

const MINUTE = Duration.minutes(1)
/** An admitted attempt that nobody starts keeps its permits: runtimes are missing or stuck. */
const CALL_START_AGE_SECS = 30
const SILENT_MINUTES = 3

/** Who is told when the service needs a person. Each alarm has its heading in RUNBOOK.md. */
export class OpsStack extends Stack {
  readonly #stage: string
  readonly #topic: Topic

  constructor(scope: Construct, id: string, props: OpsStackProps) {
    super(scope, id, props)
    const { config, service } = props
    this.#stage = config.stage
    this.#topic = new Topic(this, 'Alarms', { enforceSSL: true })
    this.#topic.addSubscription(new EmailSubscription(config.alarmEmail))

    for (const { name, dead } of service.queues.all) {
      this.#alarm(`${name}-dead`, {
        metric: dead.metricApproximateNumberOfMessagesVisible({ period: MINUTE }),
        threshold: 1,
        evaluationPeriods: 1,
      })
    }
    const callStart = service.queues.get('call-start').queue
    this.#alarm('call-start-age', {
      metric: callStart.metricApproximateAgeOfOldestMessage({ period: MINUTE }),
      threshold: CALL_START_AGE_SECS,
      evaluationPeriods: 2,
    })
    this.#alarm('sweep-silence', {
      metric: new MathExpression({
        expression: 'ticks - failures',
        usingMetrics: {
          ticks: service.sweepTick.metricInvocations(),
          failures: service.sweepTick.metricErrors(),
        },
        period: MINUTE,
      }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: SILENT_MINUTES,
      treatMissingData: TreatMissingData.BREACHING,
    })
  }

  #alarm(name: string, props: AlarmProps): void {
    const alarm = new Alarm(this, name, {
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...props,
      alarmName: `parley-${this.#stage}-${name}`,
      alarmDescription: `What to do: infra/RUNBOOK.md, "${name}"`,
    })
    alarm.addAlarmAction(new SnsAction(this.#topic))
  }
}
