import { RemovalPolicy } from 'aws-cdk-lib'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'

import type { StageConfig } from '../config.ts'

/** A log of the service: kept as long as the stage says, and no part of what must outlive it. */
export function serviceLog(scope: Construct, id: string, config: StageConfig): LogGroup {
  return new LogGroup(scope, id, {
    retention: config.logRetention,
    removalPolicy: RemovalPolicy.DESTROY,
  })
}
