import type { App } from 'aws-cdk-lib'

import type { StageConfig } from '../config.ts'
import { AppStack } from './app.ts'
import { DataStack } from './data.ts'
import { OpsStack } from './ops.ts'
import { RuntimeStack } from './runtime.ts'

/** The whole service of one stage: what remembers, what decides, what speaks, what watches. */
export function addService(app: App, config: StageConfig) {
  const stack = (name: string) => ({
    stackName: `parley-${config.stage}-${name}`,
    env: { account: config.account, region: config.region },
    config,
  })
  const data = new DataStack(app, 'Data', stack('data'))
  const service = new AppStack(app, 'App', { ...stack('app'), data })
  const runtime = new RuntimeStack(app, 'Runtime', { ...stack('runtime'), access: service.access })
  const ops = new OpsStack(app, 'Ops', { ...stack('ops'), service })
  return { data, app: service, runtime, ops }
}
