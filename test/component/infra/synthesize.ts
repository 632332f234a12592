import { readFileSync } from 'node:fs'
import path from 'node:path'

import { App, Validations } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { AwsSolutionsChecks } from 'cdk-nag'

import { stageConfig } from '#infra/config.ts'
import { addService } from '#infra/stacks/service.ts'

export const ROOT = path.resolve(import.meta.dirname, '../../..')

export interface Resource {
  readonly id: string
  readonly Type: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a template is free-form JSON
  readonly Properties: any
  readonly DeletionPolicy?: string
}

export type StackName = 'data' | 'app' | 'runtime' | 'ops'
const STACK_NAMES: readonly StackName[] = ['data', 'app', 'runtime', 'ops']

/** The service of a stage as an app of its own, with every rule that `npm run synth` applies. */
export function checkedApp(stage: string) {
  const made = serviceApp(stage, { builtinCloudFormationValidation: true })
  Validations.of(made.app).addPlugins(new AwsSolutionsChecks(made.app))
  return made
}

/** The service with the code of its functions, and nothing checked. */
export function bundledApp(stage: string) {
  return serviceApp(stage, { builtinCloudFormationValidation: false, bundled: ['**'] })
}

function serviceApp(
  stage: string,
  options: {
    readonly builtinCloudFormationValidation: boolean
    /** Stacks whose functions are bundled. */
    readonly bundled?: readonly string[]
  },
) {
  const { context } = JSON.parse(readFileSync(path.join(ROOT, 'cdk.json'), 'utf8')) as {
    readonly context: Readonly<Record<string, unknown>>
  }
  const app = new App({
    builtinCloudFormationValidation: options.builtinCloudFormationValidation,
    analyticsReporting: false,
    context: { ...context, 'aws:cdk:bundling-stacks': options.bundled ?? [] },
  })
  return { app, stacks: addService(app, stageConfig(stage)) }
}

/** What CloudFormation would be given for a stage. */
export function synthesize(stage: string) {
  const { stacks } = serviceApp(stage, { builtinCloudFormationValidation: false })
  const templates = Object.fromEntries(
    STACK_NAMES.map((name) => [name, Template.fromStack(stacks[name]).toJSON()]),
  ) as Record<StackName, { readonly Resources: Readonly<Record<string, Omit<Resource, 'id'>>> }>
  const resourcesOf = (stack: StackName, type: string): Resource[] =>
    Object.entries(templates[stack].Resources)
      .filter(([, resource]) => resource.Type === type)
      .map(([id, resource]) => ({ id, ...resource }))
  return {
    stacks,
    templates,
    resourcesOf,
    /** Of all stacks. */
    everyResource: (type: string) => STACK_NAMES.flatMap((stack) => resourcesOf(stack, type)),
  }
}
