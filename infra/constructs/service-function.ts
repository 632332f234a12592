import path from 'node:path'

import { AssetHashType, DockerImage, Duration, Validations } from 'aws-cdk-lib'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'

import { bundleFunction, copyFiles, ROOT } from '../generate/function-bundle.ts'
import type { Need, ServiceAccess } from './service-access.ts'
import { serviceLog } from './service-log.ts'

export interface FunctionSource {
  /** The handler's file, from the root of the project. */
  readonly entry: string
  readonly needs: readonly Need[]
  /** What it reads as it is, such as files of packages: patterns from the root of the project. */
  readonly files?: readonly string[]
}

export interface ServiceFunctionProps extends FunctionSource {
  readonly access: ServiceAccess
  readonly timeoutSecs: number
  readonly memoryMib: number
}

/** A Lambda function of the service: how each of them is built, logged, traced and allowed. */
export class ServiceFunction extends LambdaFunction {
  readonly entry: string

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const { access, needs } = props
    const { secret, config } = access.resources
    const logGroup = serviceLog(scope, `${id}-logs`, config)
    const role = new Role(scope, `${id}-role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    })
    super(scope, id, {
      handler: 'index.handler',
      code: bundledCode(props),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      timeout: Duration.seconds(props.timeoutSecs),
      memorySize: props.memoryMib,
      tracing: Tracing.ACTIVE,
      role,
      logGroup,
      environment: {
        NODE_OPTIONS: '--enable-source-maps',
        ...access.environment(needs),
        // Resolved by CloudFormation: the template holds only where the value stands.
        ...Object.fromEntries(
          access
            .secretFields(needs)
            .map((field) => [field, secret.secretValueFromJson(field).unsafeUnwrap()]),
        ),
      },
    })
    this.entry = props.entry
    logGroup.grantWrite(role)
    access.grant(role, needs)
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray takes no resource in its permissions',
    })
  }
}

/** The functions folder with `entry` bundled in its place, and `files` beside it; made on this machine, never in a container. */
function bundledCode({ entry, files = [] }: FunctionSource): Code {
  return Code.fromAsset(path.join(ROOT, 'functions'), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('unused'),
      // By this CDK tells the bundles of one folder apart.
      environment: { entry },
      local: {
        tryBundle(outputFolder) {
          bundleFunction(entry, outputFolder)
          copyFiles(files, outputFolder)
          return true
        },
      },
    },
  })
}
