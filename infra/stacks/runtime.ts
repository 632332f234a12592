/* oxlint-disable no-new -- a construct adds itself to its scope */

import { Fn, Stack, type StackProps } from 'aws-cdk-lib'
import {
  FlowLogDestination,
  GatewayVpcEndpointAwsService,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2'
import type { Construct } from 'constructs'

import type { StageConfig } from '../config.ts'
import { MediaEntrance } from '../constructs/media-entrance.ts'
import type { ServiceAccess } from '../constructs/service-access.ts'
import { serviceLog } from '../constructs/service-log.ts'
import { MEDIA_PORT, VoiceService } from '../constructs/voice-service.ts'

const ZONES = 3

export interface RuntimeStackProps extends StackProps {
  readonly config: StageConfig
  readonly access: ServiceAccess
}

/** Everything that speaks: the voice runtimes and the way that media takes to them. */
export class RuntimeStack extends Stack {
  constructor(scope: Construct, id: string, props: RuntimeStackProps) {
    super(scope, id, props)
    const { config, access } = props
    const vpc = new Vpc(this, 'Vpc', {
      maxAzs: ZONES,
      natGateways: 0,
      subnetConfiguration: [{ name: 'public', subnetType: SubnetType.PUBLIC }],
      gatewayEndpoints: {
        table: { service: GatewayVpcEndpointAwsService.DYNAMODB },
        recordings: { service: GatewayVpcEndpointAwsService.S3 },
      },
      flowLogs: {
        rejected: {
          destination: FlowLogDestination.toCloudWatchLogs(serviceLog(this, 'FlowLog', config)),
        },
      },
    })
    const entrance = new MediaEntrance(this, 'Media', { config, vpc, port: MEDIA_PORT })
    new VoiceService(this, 'Voice', { vpc, access, entrance })
  }

  /** Chosen by CloudFormation: naming them would need a look-up at synthesis. */
  override get availabilityZones(): string[] {
    return Array.from({ length: ZONES }, (_, index) => Fn.select(index, Fn.getAzs()))
  }
}
