import { readFileSync } from 'node:fs'
import path from 'node:path'

import type { CfnFunction } from 'aws-cdk-lib/aws-lambda'
import { Bucket } from 'aws-cdk-lib/aws-s3'
import { describe, expect, test } from 'vitest'

import type { compose } from '#functions/compose.ts'
import { stageConfig } from '#infra/config.ts'
import { ServiceFunction } from '#infra/constructs/service-function.ts'
import { QUEUE_DEFINITIONS } from '#shared/ports/queue-definitions.ts'
import type { ServiceLimits } from '#shared/ports/service-ports.ts'

import { checkedApp, ROOT, synthesize } from './synthesize.ts'

const { stacks, templates, resourcesOf } = synthesize('dev')

describe('the stages', () => {
  test.each(['dev', 'prod'])('%s passes every rule', (stage) => {
    expect(() => checkedApp(stage).app.synth()).not.toThrow()
  })

  test('a planted fault is found', () => {
    const { app, stacks } = checkedApp('dev')
    void new Bucket(stacks.ops, 'Open')
    expect(() => app.synth()).toThrow(/does not require requests to use SSL/)
  })

  test('an unknown one is refused', () => {
    expect(() => stageConfig('prd')).toThrow('STAGE is prd; it can be dev, prod')
  })

  test('stacks hold no exports that would tie them to one another', () => {
    const text = JSON.stringify(templates)
    expect(text).not.toContain('"Export"')
    expect(text).not.toContain('Fn::ImportValue')
    expect(text).toContain('Fn::GetStackOutput')
  })
})

describe('alarms', () => {
  const alarms = resourcesOf('ops', 'AWS::CloudWatch::Alarm').map(({ Properties }) => Properties)
  const names: string[] = alarms.map(({ AlarmName }) => AlarmName.replace('parley-dev-', ''))

  test('there is one for every dead-letter queue, the age of call starts and a silent sweep', () => {
    const dead = Object.keys(QUEUE_DEFINITIONS).map((name) => `${name}-dead`)
    expect(names.toSorted()).toEqual([...dead, 'call-start-age', 'sweep-silence'].toSorted())
  })

  test('each tells somebody', () => {
    const [topic] = resourcesOf('ops', 'AWS::SNS::Topic')
    for (const { AlarmActions } of alarms) expect(AlarmActions).toEqual([{ Ref: topic!.id }])
  })

  test('the runbook has a heading for each alarm, and for nothing else', () => {
    const runbook = readFileSync(path.join(ROOT, 'infra/RUNBOOK.md'), 'utf8')
    const headings = [...runbook.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading ?? '')
    expect(headings.toSorted()).toEqual(names.toSorted())
  })

  test('a sweep that does not report is as bad as one that fails', () => {
    const silence = alarms.find(({ AlarmName }) => AlarmName.endsWith('sweep-silence'))
    expect(silence).toMatchObject({ TreatMissingData: 'breaching', EvaluationPeriods: 3 })
  })
})

describe('the environment', () => {
  /** Every function of the service, with the names of what stands in its environment. */
  const functions = stacks.app.node.findAll().filter((node) => node instanceof ServiceFunction)
  const environmentOf = ({ node }: ServiceFunction): string[] => {
    const { logicalId } = node.defaultChild as CfnFunction
    const id = stacks.app.resolve(logicalId) as string
    const found = resourcesOf('app', 'AWS::Lambda::Function').find((lambda) => lambda.id === id)
    return Object.keys(found!.Properties.Environment.Variables)
  }
  const [task] = resourcesOf('runtime', 'AWS::ECS::TaskDefinition')
  const [container] = task!.Properties.ContainerDefinitions

  test.each(functions.map((lambda) => [lambda.entry, lambda] as const))(
    'of %s holds what its ports read, and no more',
    async (entry, lambda) => {
      const module = (await import(path.join(ROOT, entry))) as {
        readonly ports?: ReturnType<typeof compose>
      }
      const read = new Set(['NODE_OPTIONS'])
      const environment = new Proxy({}, { get: (_, name: string) => read.add(name) && '{}' })
      for (const port of Object.values(module.ports?.(environment) ?? {})) {
        expect(port).toBeTypeOf('object')
      }
      expect(environmentOf(lambda).toSorted()).toEqual([...read].toSorted())
    },
  )

  test('limits are those of the stage', () => {
    const [{ Properties } = { Properties: null }] = resourcesOf(
      'app',
      'AWS::Lambda::Function',
    ).filter((lambda) => lambda.id.startsWith('calls'))
    const limits = JSON.parse(Properties.Environment.Variables.LIMITS) as ServiceLimits
    expect(limits).toEqual({
      trunk: { id: 'simulated', maxConcurrentCalls: 10, callsPerSecond: 1 },
      ringTimeoutSecs: 30,
      numberPool: ['+12025550190', '+12025550191'],
      requestsPerMinute: { default: 1_000, calls: 500, campaigns: 10 },
    })
  })

  test('of the voice runtime holds every name that it reads itself', () => {
    const given: string[] = [...container.Environment, ...container.Secrets].map(({ Name }) => Name)
    const source = readFileSync(path.join(ROOT, 'voice-runtime/main.ts'), 'utf8')
    const read = [...source.matchAll(/\bread\('(\w+)'\)/g)].map(([, name]) => name)
    expect(read).toContain('QUEUE_URLS')
    expect(given).toEqual(expect.arrayContaining(read))
  })
})
