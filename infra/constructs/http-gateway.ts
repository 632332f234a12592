/* oxlint-disable no-new -- a construct adds itself to its scope */

import { Duration, Validations } from 'aws-cdk-lib'
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import {
  DomainName,
  HttpApi,
  HttpMethod,
  HttpNoneAuthorizer,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2'
import {
  HttpLambdaAuthorizer,
  HttpLambdaResponseType,
} from 'aws-cdk-lib/aws-apigatewayv2-authorizers'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { Certificate, CertificateValidation } from 'aws-cdk-lib/aws-certificatemanager'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53'
import { ApiGatewayv2DomainProperties } from 'aws-cdk-lib/aws-route53-targets'
import { Construct } from 'constructs'

import { BASE_PATH, type Group, type Route } from '#shared/contract/route.ts'
import { routes } from '#shared/contract/routes.ts'

import type { StageConfig } from '../config.ts'
import { serviceLog } from './service-log.ts'

export interface HttpGatewayProps {
  readonly config: StageConfig
  readonly domainName: string
  readonly groups: Readonly<Record<Group, IFunction>>
  readonly authorizer: IFunction
  /** Answers what no route takes. */
  readonly unrouted: IFunction
}

/** Stage and mapping carry the base path, so route keys are without it, as the handlers know them. */
const STAGE_NAME = BASE_PATH.slice(1)
/** How long a revoked key may go on being taken. */
const AUTHORIZER_CACHE = Duration.seconds(60)

/** Who asked for what, and how it went; no path, because paths of carriers may hold anything. */
const ACCESS_LOG_FIELDS = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  routeKey: '$context.routeKey',
  status: '$context.status',
  latencyMs: '$context.responseLatency',
  organizationId: '$context.authorizer.organizationId',
  keyId: '$context.authorizer.keyId',
  error: '$context.error.message',
}

/** The HTTP API of the route table, on a domain of its own. */
export class HttpGateway extends Construct {
  /** Where a route is reached. */
  static urlOf(
    domainName: string,
    route: Pick<Route, 'path'>,
    params: Readonly<Record<string, string>>,
  ): string {
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
    return `https://${domainName}${BASE_PATH}${path}`
  }

  constructor(scope: Construct, id: string, props: HttpGatewayProps) {
    super(scope, id)
    const api = new HttpApi(this, 'Api', {
      createDefaultStage: false,
      disableExecuteApiEndpoint: true,
    })
    this.#addRoutes(api, props)
    this.#addStage(api, props)
  }

  #addRoutes(httpApi: HttpApi, props: HttpGatewayProps): void {
    const authorizer = new HttpLambdaAuthorizer('Authorizer', props.authorizer, {
      responseTypes: [HttpLambdaResponseType.SIMPLE],
      identitySource: ['$request.header.Authorization'],
      resultsCacheTtl: AUTHORIZER_CACHE,
    })
    const open = new HttpNoneAuthorizer()
    const add = (
      routeId: string,
      routeKey: HttpRouteKey,
      handler: IFunction,
      auth: Route['auth'],
    ) => {
      const route = new HttpRoute(this, routeId, {
        httpApi,
        routeKey,
        integration: new HttpLambdaIntegration(`${routeId}-integration`, handler),
        authorizer: auth === 'key' ? authorizer : open,
      })
      if (auth !== 'key') acknowledgeOpenRoute(route)
    }
    for (const [operation, route] of Object.entries<Route>(routes)) {
      const key = HttpRouteKey.with(route.path, HttpMethod[route.method])
      add(operation, key, props.groups[route.group], route.auth)
    }
    add('unrouted', HttpRouteKey.DEFAULT, props.unrouted, 'carrier')
  }

  #addStage(httpApi: HttpApi, { config, domainName }: HttpGatewayProps): void {
    const zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', {
      hostedZoneId: config.hostedZone.id,
      zoneName: config.hostedZone.name,
    })
    const domain = new DomainName(this, 'Domain', {
      domainName,
      certificate: new Certificate(this, 'Certificate', {
        domainName,
        validation: CertificateValidation.fromDns(zone),
      }),
    })
    const accessLog = serviceLog(this, 'AccessLog', config)
    new HttpStage(this, 'Stage', {
      httpApi,
      stageName: STAGE_NAME,
      autoDeploy: true,
      detailedMetricsEnabled: true,
      throttle: { rateLimit: config.api.requestsPerSecond, burstLimit: config.api.burst },
      domainMapping: { domainName: domain, mappingKey: STAGE_NAME },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG_FIELDS)),
      },
    })
    new ARecord(this, 'Alias', {
      zone,
      recordName: `${domainName}.`,
      target: RecordTarget.fromAlias(
        new ApiGatewayv2DomainProperties(domain.regionalDomainName, domain.regionalHostedZoneId),
      ),
    })
  }
}

function acknowledgeOpenRoute(route: HttpRoute): void {
  Validations.of(route).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason: 'Carriers sign their callbacks, which the handler checks; $default only refuses',
  })
}
