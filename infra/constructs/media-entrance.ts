/* oxlint-disable no-new -- a construct adds itself to its scope */

import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib'
import { Certificate, CertificateValidation } from 'aws-cdk-lib/aws-certificatemanager'
import type { IVpc } from 'aws-cdk-lib/aws-ec2'
import {
  ApplicationListenerRule,
  ApplicationLoadBalancer,
  ApplicationProtocol,
  ApplicationTargetGroup,
  ListenerAction,
  ListenerCondition,
  SslPolicy,
  TargetGroupLoadBalancingAlgorithmType,
  TargetType,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2'
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53'
import { LoadBalancerTarget } from 'aws-cdk-lib/aws-route53-targets'
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'

import type { StageConfig } from '../config.ts'

/** Media flows fifty times a second; a socket that is silent for so long has lost its call. */
const SILENT_SOCKET = Duration.minutes(5)
/** The longest that a load balancer lets open sockets of a removed task live. */
const DEREGISTRATION = Duration.hours(1)
const ACCESS_LOG_KEPT = Duration.days(30)

export interface MediaEntranceProps {
  readonly config: StageConfig
  readonly vpc: IVpc
  readonly port: number
}

/** Where carriers bring their media: `wss://media.<zone>/media/...`, and nothing else is answered. */
export class MediaEntrance extends Construct {
  readonly url: string
  /** Deployments move between the two. */
  readonly blue: ApplicationTargetGroup
  readonly green: ApplicationTargetGroup
  readonly rule: ApplicationListenerRule

  constructor(scope: Construct, id: string, props: MediaEntranceProps) {
    super(scope, id)
    const { config, vpc } = props
    const domainName = `media.${config.hostedZone.name}`
    const zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', {
      hostedZoneId: config.hostedZone.id,
      zoneName: config.hostedZone.name,
    })
    const balancer = new ApplicationLoadBalancer(this, 'Balancer', {
      vpc,
      internetFacing: true,
      idleTimeout: SILENT_SOCKET,
      dropInvalidHeaderFields: true,
    })
    balancer.logAccessLogs(this.#logBucket())
    Validations.of(balancer).acknowledge({
      id: 'AwsSolutions-EC23',
      reason: 'Carriers come from anywhere; a signed token in the path lets them in',
    })
    new ARecord(this, 'Alias', {
      zone,
      recordName: `${domainName}.`,
      target: RecordTarget.fromAlias(new LoadBalancerTarget(balancer)),
    })
    this.blue = this.#targets('Blue', props)
    this.green = this.#targets('Green', props)
    this.url = `wss://${domainName}`
    const listener = balancer.addListener('Tls', {
      protocol: ApplicationProtocol.HTTPS,
      sslPolicy: SslPolicy.RECOMMENDED_TLS,
      certificates: [
        new Certificate(this, 'Certificate', {
          domainName,
          validation: CertificateValidation.fromDns(zone),
        }),
      ],
      defaultAction: ListenerAction.fixedResponse(404),
    })
    this.rule = new ApplicationListenerRule(this, 'Media', {
      listener,
      priority: 1,
      conditions: [ListenerCondition.pathPatterns(['/media/*'])],
      action: ListenerAction.weightedForward([
        { targetGroup: this.blue, weight: 100 },
        { targetGroup: this.green, weight: 0 },
      ]),
    })
  }

  #targets(id: string, { vpc, port }: MediaEntranceProps): ApplicationTargetGroup {
    return new ApplicationTargetGroup(this, id, {
      vpc,
      port,
      protocol: ApplicationProtocol.HTTP,
      targetType: TargetType.IP,
      deregistrationDelay: DEREGISTRATION,
      // An open socket counts as one request.
      loadBalancingAlgorithmType: TargetGroupLoadBalancingAlgorithmType.LEAST_OUTSTANDING_REQUESTS,
      // Says that the process lives, never that it is busy: an unhealthy target loses its calls.
      healthCheck: { path: '/health', interval: Duration.seconds(10) },
    })
  }

  #logBucket(): Bucket {
    const bucket = new Bucket(this, 'AccessLogs', {
      // Load balancers write to no other kind of encryption.
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      lifecycleRules: [{ expiration: ACCESS_LOG_KEPT }],
      removalPolicy: RemovalPolicy.RETAIN,
    })
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'It holds the access logs themselves',
    })
    return bucket
  }
}
