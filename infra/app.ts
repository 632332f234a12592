import { App, Tags, Validations } from 'aws-cdk-lib'
import { AwsSolutionsChecks } from 'cdk-nag'

import { stageConfig } from './config.ts'
import { addService } from './stacks/service.ts'

const app = new App()
const config = stageConfig(process.env['STAGE'] ?? 'dev')
Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
Tags.of(app).add('service', 'parley')
Tags.of(app).add('stage', config.stage)
addService(app, config)
