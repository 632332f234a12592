import { describe, expect, test } from 'vitest'

import { KMS_CONTEXT } from '#shared/adapters/aws/kms-secret-box.ts'
import type { Route } from '#shared/contract/route.ts'
import { routes } from '#shared/contract/routes.ts'
import { QUEUE_DEFINITIONS } from '#shared/ports/queue-definitions.ts'

import { type Resource, synthesize } from './synthesize.ts'

const { resourcesOf, everyResource } = synthesize('dev')
const functions = resourcesOf('app', 'AWS::Lambda::Function')
const queues = resourcesOf('app', 'AWS::SQS::Queue')
const policies = resourcesOf('app', 'AWS::IAM::Policy')

interface Statement {
  readonly Action: string | readonly string[]
  readonly Resource: unknown
}

const queueNamed = (name: string): Resource => {
  const pattern = new RegExp(`^Queues${name.replaceAll('-', '')}[0-9A-F]{8}$`)
  return queues.find(({ id }) => pattern.test(id))!
}
const functionNamed = (name: string): Resource => {
  const pattern = new RegExp(`^${name.replaceAll('-', '')}[0-9A-F]{8}$`)
  return functions.find(({ id }) => pattern.test(id))!
}
const policyOf = ({ Properties }: Resource): readonly Statement[] => {
  const role: unknown = Properties.Role['Fn::GetAtt'][0]
  return policies.find((policy) => policy.Properties.Roles[0].Ref === role)!.Properties
    .PolicyDocument.Statement
}

describe('the API', () => {
  test('has the routes of the route table and $default, and no other', () => {
    const keys: string[] = resourcesOf('app', 'AWS::ApiGatewayV2::Route').map(
      ({ Properties }) => Properties.RouteKey,
    )
    const expected = Object.values<Route>(routes).map(({ method, path }) => `${method} ${path}`)
    expect(keys.toSorted()).toEqual([...expected, '$default'].toSorted())
  })

  test('asks the authorizer on every route that takes a key, and on no other', () => {
    const open: string[] = resourcesOf('app', 'AWS::ApiGatewayV2::Route')
      .filter(({ Properties }) => Properties.AuthorizationType !== 'CUSTOM')
      .map(({ Properties }) => `${Properties.RouteKey} ${Properties.AuthorizationType}`)
    const withoutKey = Object.values<Route>(routes).filter(({ auth }) => auth !== 'key')
    const expected = [
      ...withoutKey.map(({ method, path }) => `${method} ${path} NONE`),
      '$default NONE',
    ]
    expect(open.toSorted()).toEqual(expected.toSorted())
  })

  test('keeps the answer of the authorizer for a minute', () => {
    const [authorizer] = resourcesOf('app', 'AWS::ApiGatewayV2::Authorizer')
    expect(authorizer!.Properties).toMatchObject({
      AuthorizerPayloadFormatVersion: '2.0',
      AuthorizerResultTtlInSeconds: 60,
      EnableSimpleResponses: true,
      IdentitySource: ['$request.header.Authorization'],
    })
  })

  test('stands on its own domain only, under the base path of the contract', () => {
    const [stage] = resourcesOf('app', 'AWS::ApiGatewayV2::Stage')
    const [mapping] = resourcesOf('app', 'AWS::ApiGatewayV2::ApiMapping')
    const [api] = resourcesOf('app', 'AWS::ApiGatewayV2::Api')
    expect(stage!.Properties.StageName).toBe('v1')
    expect(mapping!.Properties.ApiMappingKey).toBe('v1')
    expect(api!.Properties.DisableExecuteApiEndpoint).toBe(true)
  })
})

describe('queues', () => {
  test.each(Object.entries(QUEUE_DEFINITIONS))('%s is as it is defined', (name, definition) => {
    const { Properties } = queueNamed(name)
    expect(Properties).toMatchObject({
      VisibilityTimeout: definition.visibilitySecs,
      DelaySeconds: definition.delaySecs,
      MessageRetentionPeriod: 1_209_600,
      ReceiveMessageWaitTimeSeconds: 20,
      RedrivePolicy: {
        deadLetterTargetArn: { 'Fn::GetAtt': [queueNamed(`${name}-dead`).id, 'Arn'] },
        maxReceiveCount: definition.maxReceives,
      },
    })
  })

  test('take messages over TLS only, dead-letter queues too', () => {
    const guarded: string[] = resourcesOf('app', 'AWS::SQS::QueuePolicy')
      .filter(({ Properties }) =>
        Properties.PolicyDocument.Statement.some(
          (statement: { Effect: string; Condition?: unknown }) =>
            statement.Effect === 'Deny' &&
            JSON.stringify(statement.Condition) === '{"Bool":{"aws:SecureTransport":"false"}}',
        ),
      )
      .flatMap(({ Properties }) => Properties.Queues.map((queue: { Ref: string }) => queue.Ref))
    expect(guarded.toSorted()).toEqual(queues.map(({ id }) => id).toSorted())
    expect(queues).toHaveLength(Object.keys(QUEUE_DEFINITIONS).length * 2)
  })

  test.each(Object.entries(QUEUE_DEFINITIONS).filter(([, { maxConcurrency }]) => maxConcurrency))(
    '%s has a worker that answers for each message alone',
    (name, definition) => {
      const mapping = resourcesOf('app', 'AWS::Lambda::EventSourceMapping').find(
        ({ Properties }) => Properties.EventSourceArn['Fn::GetAtt'][0] === queueNamed(name).id,
      )
      const worker = functionNamed(`${name}-worker`)
      expect(mapping!.Properties).toMatchObject({
        FunctionName: { Ref: worker.id },
        BatchSize: definition.batchSize,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: definition.maxConcurrency },
      })
      expect(worker.Properties.Timeout * 6).toBe(definition.visibilitySecs)
    },
  )
})

describe('functions', () => {
  test.each(functions.map((lambda) => [lambda.id, lambda] as const))(
    '%s follows the conventions',
    (_, { Properties }) => {
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        TracingConfig: { Mode: 'Active' },
      })
      expect(Properties.Timeout).toBeLessThanOrEqual(150)
      const logId: unknown = Properties.LoggingConfig.LogGroup.Ref
      const log = resourcesOf('app', 'AWS::Logs::LogGroup').find(({ id }) => id === logId)
      expect(log!.Properties.RetentionInDays).toBe(7)
    },
  )

  test('there is one for every group, worker and trigger, with a role of its own', () => {
    const groups = new Set(Object.values(routes).map(({ group }) => group))
    const workers = Object.values(QUEUE_DEFINITIONS).filter(
      ({ maxConcurrency }) => maxConcurrency !== null,
    )
    const others = ['authorizer', 'unrouted', 'sweep-tick', 'bootstrap']
    expect(functions).toHaveLength(groups.size + workers.length + others.length)
    const roles = functions.map(({ Properties }) => Properties.Role['Fn::GetAtt'][0])
    expect(new Set(roles).size).toBe(functions.length)
  })

  test('nothing but tracing is allowed on everything', () => {
    const onEverything = policies.flatMap(({ Properties }) =>
      (Properties.PolicyDocument.Statement as Statement[])
        .filter(({ Resource }) => Resource === '*')
        .map(({ Action }) => Action),
    )
    const tracing = ['xray:PutTelemetryRecords', 'xray:PutTraceSegments']
    expect(onEverything).toEqual(functions.map(() => tracing))
  })

  test('no policy of AWS is taken, whatever else it may allow', () => {
    const taken = everyResource('AWS::IAM::Role')
      .flatMap(({ Properties }) => Properties.ManagedPolicyArns ?? [])
      .filter((arn: unknown) => JSON.stringify(arn).includes(':iam::aws:policy/'))
    expect(taken.map((arn: unknown) => JSON.stringify(arn))).toEqual([
      expect.stringContaining('AmazonECSInfrastructureRolePolicyForLoadBalancers'),
    ])
  })

  test.each([
    ['authorizer', ['dynamodb', 'kms', 'logs', 'xray']],
    ['unrouted', ['logs', 'xray']],
    ['bootstrap', ['dynamodb', 'kms', 'logs', 'xray']],
    ['sweep-tick', ['logs', 'sqs', 'xray']],
    ['webhook-worker', ['dynamodb', 'iam', 'kms', 'logs', 'scheduler', 'sqs', 'xray']],
  ])('%s may use %j', (name, services) => {
    const actions = policyOf(functionNamed(name)).flatMap(({ Action }) => Action)
    expect([...new Set(actions.map((action) => action.split(':', 1).join()))].toSorted()).toEqual(
      services,
    )
  })

  test("customers' secrets are sealed by those that keep or use them, and nothing else is", () => {
    const sealing = (statement: Statement & { readonly Condition?: unknown }) =>
      JSON.stringify(statement.Condition ?? null).includes('kms:EncryptionContext')
    const keepers = functions.filter((lambda) => policyOf(lambda).some(sealing))
    expect(keepers.map(({ id }) => id.slice(0, -8)).toSorted()).toEqual([
      'apikeys',
      'assistants',
      'calls',
      'campaigns',
      'connections',
      'dispatchworker',
      'importworker',
      'inboundcalls',
      'notifyworker',
      'phonenumbers',
      'postcallworker',
    ])
    expect(policyOf(functionNamed('connections')).find(sealing)).toMatchObject({
      Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
      Condition: { StringEquals: { 'kms:EncryptionContext:purpose': KMS_CONTEXT.purpose } },
    })
  })

  test('secrets stand in the environment of those that need them, as references', () => {
    const secrets = functions.flatMap(({ id, Properties }) =>
      Object.entries<unknown>(Properties.Environment.Variables)
        .filter(([name]) => /TOKEN|SECRET|LLM/.test(name) && !name.endsWith('_ARN'))
        .map(([name, value]) => {
          expect(value).toMatch(/^\{\{resolve:secretsmanager:arn:[^{}]+\}\}$/)
          return `${id.slice(0, -8)} ${name}`
        }),
    )
    expect(secrets.toSorted()).toEqual([
      'carrierevents CARRIER_EVENT_SECRET',
      'dispatchworker CARRIER_TOKEN',
      'inboundcalls CARRIER_EVENT_SECRET',
      'postcallworker LLM_ENDPOINTS',
    ])
  })
})

describe('wake-ups', () => {
  const [role] = resourcesOf('app', 'AWS::IAM::Role').filter(({ id }) => id.startsWith('WakeUps'))

  test('may send to the queues of the service, and nothing else', () => {
    const { Statement: statements } = policies.find(
      ({ Properties }) => Properties.Roles[0].Ref === role!.id,
    )!.Properties.PolicyDocument
    expect(statements).toHaveLength(1)
    expect(statements[0].Action).toEqual([
      'sqs:GetQueueAttributes',
      'sqs:GetQueueUrl',
      'sqs:SendMessage',
    ])
    const targets = statements[0].Resource.map(
      (arn: Record<string, string[]>) => arn['Fn::GetAtt']![0],
    )
    const own = Object.keys(QUEUE_DEFINITIONS).map((name) => queueNamed(name).id)
    expect(targets.toSorted()).toEqual(own.toSorted())
  })

  test('are the schedules of one group only', () => {
    const [statement] = role!.Properties.AssumeRolePolicyDocument.Statement
    expect(statement.Principal).toEqual({ Service: 'scheduler.amazonaws.com' })
    expect(statement.Condition.StringEquals).toMatchObject({
      'aws:SourceArn': { 'Fn::GetAtt': [expect.stringMatching(/^WakeUpsGroup/), 'Arn'] },
    })
  })

  test('the sweep is asked for every minute', () => {
    const [rule] = resourcesOf('app', 'AWS::Events::Rule')
    expect(rule!.Properties.ScheduleExpression).toBe('rate(1 minute)')
    expect(rule!.Properties.Targets[0].Arn).toEqual({
      'Fn::GetAtt': [functionNamed('sweep-tick').id, 'Arn'],
    })
  })
})
