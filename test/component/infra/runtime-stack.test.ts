import { describe, expect, test } from 'vitest'

import { assistantFields } from '#shared/contract/assistant-fields.ts'

import { synthesize } from './synthesize.ts'

const { resourcesOf } = synthesize('prod')
const [service] = resourcesOf('runtime', 'AWS::ECS::Service')
const [task] = resourcesOf('runtime', 'AWS::ECS::TaskDefinition')
const [container] = task!.Properties.ContainerDefinitions
const [balancer] = resourcesOf('runtime', 'AWS::ElasticLoadBalancingV2::LoadBalancer')

const attributesOf = (properties: { Key: string; Value: unknown }[]) =>
  Object.fromEntries(properties.map(({ Key, Value }) => [Key, Value]))

describe('a deployment', () => {
  test('lets the longest call end on the old tasks, with a quarter of an hour to spare', () => {
    const longestSecs = assistantFields.max_call_duration_secs.maxValue!
    const { Strategy, BakeTimeInMinutes } = service!.Properties.DeploymentConfiguration
    expect(Strategy).toBe('BLUE_GREEN')
    expect(BakeTimeInMinutes * 60).toBeGreaterThanOrEqual(longestSecs + 15 * 60)
  })

  test('moves new media from one group of tasks to the other', () => {
    const [rule] = resourcesOf('runtime', 'AWS::ElasticLoadBalancingV2::ListenerRule')
    const [target] = service!.Properties.LoadBalancers
    expect(target.AdvancedConfiguration.ProductionListenerRule).toEqual({ Ref: rule!.id })
    const groups = rule!.Properties.Actions[0].ForwardConfig.TargetGroups.map(
      (group: { TargetGroupArn: unknown }) => group.TargetGroupArn,
    )
    expect(groups).toEqual([
      target.TargetGroupArn,
      target.AdvancedConfiguration.AlternateTargetGroupArn,
    ])
  })
})

describe('the task', () => {
  test('runs on arm64, cannot write to its disk, and gets all the time there is to end', () => {
    expect(task!.Properties.RuntimePlatform.CpuArchitecture).toBe('ARM64')
    expect(container.ReadonlyRootFilesystem).toBe(true)
    expect(container.StopTimeout).toBe(120)
  })

  test('drains in less time than it is given', () => {
    const { Value } = container.Environment.find(
      ({ Name }: { Name: string }) => Name === 'DRAIN_SECS',
    )
    // After that come ten seconds for farewells and storing (voice-runtime/session/runtime.ts).
    expect(Number(Value) + 10).toBeLessThan(container.StopTimeout)
  })

  test('gets its secrets from the secret', () => {
    const names = container.Secrets.map(({ Name }: { Name: string }) => Name)
    expect(names.toSorted()).toEqual(['CARRIER_TOKEN', 'LLM_ENDPOINTS', 'MEDIA_TOKEN_SECRET'])
  })

  test('is reached by the load balancer only', () => {
    const [own] = service!.Properties.NetworkConfiguration.AwsvpcConfiguration.SecurityGroups
    const entries = resourcesOf('runtime', 'AWS::EC2::SecurityGroupIngress').filter(
      ({ Properties }) => JSON.stringify(Properties.GroupId) === JSON.stringify(own),
    )
    expect(entries).toHaveLength(1)
    expect(entries[0]!.Properties.SourceSecurityGroupId['Fn::GetAtt'][0]).toBe(
      balancer!.Properties.SecurityGroups[0]['Fn::GetAtt'][0],
    )
    const groupId: unknown = own['Fn::GetAtt'][0]
    const group = resourcesOf('runtime', 'AWS::EC2::SecurityGroup').find(({ id }) => id === groupId)
    expect(group!.Properties.SecurityGroupIngress).toBeUndefined()
  })
})

describe('the entrance', () => {
  test('is TLS, and leads nowhere but to media', () => {
    const [listener, ...others] = resourcesOf('runtime', 'AWS::ElasticLoadBalancingV2::Listener')
    expect(others).toEqual([])
    expect(listener!.Properties).toMatchObject({
      Port: 443,
      Protocol: 'HTTPS',
      DefaultActions: [{ Type: 'fixed-response', FixedResponseConfig: { StatusCode: '404' } }],
    })
    const [rule] = resourcesOf('runtime', 'AWS::ElasticLoadBalancingV2::ListenerRule')
    expect(rule!.Properties.Conditions[0].PathPatternConfig.Values).toEqual(['/media/*'])
  })

  test('keeps sockets that are silent for minutes, and logs', () => {
    const attributes = attributesOf(balancer!.Properties.LoadBalancerAttributes)
    expect(attributes).toMatchObject({
      'idle_timeout.timeout_seconds': '300',
      'routing.http.drop_invalid_header_fields.enabled': 'true',
      'access_logs.s3.enabled': 'true',
    })
  })

  test.each(
    resourcesOf('runtime', 'AWS::ElasticLoadBalancingV2::TargetGroup').map(
      (group) => [group.id, group] as const,
    ),
  )('%s asks for life only, and is left slowly', (_, { Properties }) => {
    expect(Properties.HealthCheckPath).toBe('/health')
    expect(attributesOf(Properties.TargetGroupAttributes)).toMatchObject({
      'deregistration_delay.timeout_seconds': '3600',
      'load_balancing.algorithm.type': 'least_outstanding_requests',
    })
  })
})
