import { readFileSync } from 'node:fs'
import path from 'node:path'

import { Bucket } from 'aws-cdk-lib/aws-s3'
import { describe, expect, test } from 'vitest'

import { compose } from '#functions/compose.ts'
import { stageConfig } from '#infra/config.ts'
import { QUEUE_DEFINITIONS } from '#shared/ports/queue-definitions.ts'
import type { ServicePorts } from '#shared/ports/service-ports.ts'

import { checkedApp, ROOT, synthesize } from './synthesize.ts'

const { templates, resourcesOf } = synthesize('dev')

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
  const functions = resourcesOf('app', 'AWS::Lambda::Function')
  const [task] = resourcesOf('runtime', 'AWS::ECS::TaskDefinition')
  const [container] = task!.Properties.ContainerDefinitions
  test('is all that the ports of the service ask for, under the names they ask for', () => {
    const given = Object.assign(
      {},
      ...functions.map(({ Properties }) => Properties.Environment.Variables),
    ) as object
    const environment = Object.fromEntries(Object.keys(given).map((name) => [name, '{}']))
    const ports = compose(environment)
    const names = Object.keys(ports) as (keyof ServicePorts)[]
    expect(names).toEqual(expect.arrayContaining(['calls', 'queues', 'telephony']))
    for (const name of names) expect(ports[name]).toBeTypeOf('object')
  })

  test.each([
    [
      'functions/compose.ts',
      functions.flatMap(({ Properties }) => Object.keys(Properties.Environment.Variables)),
    ],
    [
      'voice-runtime/main.ts',
      [...container.Environment, ...container.Secrets].map(({ Name }) => Name),
    ],
  ])('holds every name that %s reads', (file, given) => {
    const source = readFileSync(path.join(ROOT, file), 'utf8')
    const read = [...source.matchAll(/\bread\('(\w+)'\)/g)].map(([, name]) => name)
    expect(read).toContain('QUEUE_URLS')
    expect(given).toEqual(expect.arrayContaining(read))
  })
})
