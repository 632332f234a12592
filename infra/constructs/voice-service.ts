import path from 'node:path'

import { Duration, Validations } from 'aws-cdk-lib'
import type { IVpc } from 'aws-cdk-lib/aws-ec2'
import { Platform } from 'aws-cdk-lib/aws-ecr-assets'
import {
  AlternateTarget,
  Cluster,
  ContainerImage,
  ContainerInsights,
  CpuArchitecture,
  DeploymentStrategy,
  FargateService,
  FargateTaskDefinition,
  ListenerRuleConfiguration,
  LogDrivers,
  OperatingSystemFamily,
  Secret,
} from 'aws-cdk-lib/aws-ecs'
import { Construct } from 'constructs'

import type { MediaEntrance } from './media-entrance.ts'
import type { Need, ServiceAccess } from './service-access.ts'
import { serviceLog } from './service-log.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../voice-runtime')
const CONTAINER = 'voice-runtime'
export const MEDIA_PORT = 8_080
/** Fargate kills a task this long after it asked it to end. */
const STOP_TIMEOUT_SECS = 120
/** What is left of that for farewells and storing. */
const STOP_MARGIN_SECS = 20
/** A task whose frames are later, or whose events wait longer, takes no further calls. */
const LATENESS_MAX_MS = 10
const LOOP_DELAY_MAX_MS = 50

const NEEDS: readonly Need[] = [
  'table',
  'limits',
  'customer-secrets',
  'queues',
  'wake-ups',
  'new-recordings',
  'carrier',
  'language-models',
]

export interface VoiceServiceProps {
  readonly vpc: IVpc
  readonly access: ServiceAccess
  readonly entrance: MediaEntrance
}

/**
 * The voice runtimes. A deployment starts new tasks beside the old ones and moves new media to
 * them; the old ones are stopped when the bake time is over, and with it the longest call.
 */
export class VoiceService extends Construct {
  constructor(scope: Construct, id: string, props: VoiceServiceProps) {
    super(scope, id)
    const { vpc, access, entrance } = props
    const { voice } = access.resources.config
    const service = new FargateService(this, 'Service', {
      cluster: new Cluster(this, 'Cluster', {
        vpc,
        containerInsightsV2: ContainerInsights.ENABLED,
      }),
      taskDefinition: this.#task(access, entrance.url),
      desiredCount: voice.tasks,
      // Without a public address a task would need a NAT gateway for every byte of media and speech.
      assignPublicIp: true,
      minHealthyPercent: 100,
      maxHealthyPercent: 200,
      deploymentStrategy: DeploymentStrategy.BLUE_GREEN,
      bakeTime: Duration.minutes(voice.bakeMins),
    })
    attach(service, entrance)
    acknowledgeService(service)
  }

  #task(access: ServiceAccess, mediaBaseUrl: string): FargateTaskDefinition {
    const { config, secret, queues } = access.resources
    const task = new FargateTaskDefinition(this, 'Task', {
      cpu: config.voice.cpu,
      memoryLimitMiB: config.voice.memoryMib,
      runtimePlatform: {
        cpuArchitecture: CpuArchitecture.ARM64,
        operatingSystemFamily: OperatingSystemFamily.LINUX,
      },
    })
    const secretFields = [...access.secretFields(NEEDS), 'MEDIA_TOKEN_SECRET']
    task.addContainer(CONTAINER, {
      image: ContainerImage.fromAsset(FOLDER, { platform: Platform.LINUX_ARM64 }),
      portMappings: [{ containerPort: MEDIA_PORT }],
      readonlyRootFilesystem: true,
      stopTimeout: Duration.seconds(STOP_TIMEOUT_SECS),
      environment: {
        ...access.environment(NEEDS),
        MEDIA_PORT: String(MEDIA_PORT),
        MEDIA_BASE_URL: mediaBaseUrl,
        SESSIONS_MAX: String(config.voice.sessionsPerTask),
        LATENESS_MAX_MS: String(LATENESS_MAX_MS),
        LOOP_DELAY_MAX_MS: String(LOOP_DELAY_MAX_MS),
        DRAIN_SECS: String(STOP_TIMEOUT_SECS - STOP_MARGIN_SECS),
      },
      secrets: Object.fromEntries(
        secretFields.map((field) => [field, Secret.fromSecretsManager(secret, field)]),
      ),
      logging: LogDrivers.awsLogs({
        streamPrefix: CONTAINER,
        logGroup: serviceLog(this, 'Log', config),
      }),
    })
    access.grant(task.taskRole, NEEDS)
    queues.get('call-start').queue.grantConsumeMessages(task.taskRole)
    acknowledgeTask(task)
    return task
  }
}

function attach(service: FargateService, entrance: MediaEntrance): void {
  const target = service.loadBalancerTarget({
    containerName: CONTAINER,
    containerPort: MEDIA_PORT,
    alternateTarget: new AlternateTarget('AlternateTarget', {
      alternateTargetGroup: entrance.green,
      productionListener: ListenerRuleConfiguration.applicationListenerRule(entrance.rule),
    }),
  })
  entrance.blue.addTarget(target)
}

function acknowledgeTask(task: FargateTaskDefinition): void {
  Validations.of(task).acknowledge(
    {
      id: 'AwsSolutions-ECS2',
      reason: 'Only what is no secret stands in the environment; the rest comes from the secret',
    },
    {
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'ecr:GetAuthorizationToken takes no resource',
    },
  )
}

function acknowledgeService(service: FargateService): void {
  Validations.of(service).acknowledge(
    {
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/AmazonECSInfrastructureRolePolicyForLoadBalancers]',
      reason: 'The policy that AWS keeps for moving traffic between target groups',
    },
    {
      id: 'Annotation::@aws-cdk/aws-ecs:shouldUseCircuitBreaker',
      reason: 'ECS has it for rolling updates only',
    },
  )
}
