import { Stack, Validations } from 'aws-cdk-lib'
import { type IRole, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler'
import { Construct } from 'constructs'

import type { ServiceQueues } from './service-queues.ts'

export interface WakeUpsProps {
  readonly groupName: string
  readonly queues: ServiceQueues
}

/** Where the service keeps its one-time schedules, and as whom they send: to its own queues only. */
export class WakeUps extends Construct {
  /** Named by us, because it is a part of the address of every schedule. */
  readonly groupName: string
  readonly role: Role

  constructor(scope: Construct, id: string, props: WakeUpsProps) {
    super(scope, id)
    this.groupName = props.groupName
    const group = new ScheduleGroup(this, 'Group', { scheduleGroupName: props.groupName })
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: {
          StringEquals: {
            'aws:SourceAccount': Stack.of(this).account,
            'aws:SourceArn': group.scheduleGroupArn,
          },
        },
      }),
    })
    for (const { queue } of props.queues.all) queue.grantSendMessages(this.role)
  }

  /** Lets somebody make schedules of the group, which act as the role. */
  grantSchedule(role: IRole): void {
    const schedules = Stack.of(this).formatArn({
      service: 'scheduler',
      resource: 'schedule',
      resourceName: `${this.groupName}/*`,
    })
    role.addToPrincipalPolicy(
      new PolicyStatement({ actions: ['scheduler:CreateSchedule'], resources: [schedules] }),
    )
    role.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['iam:PassRole'],
        resources: [this.role.roleArn],
        conditions: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
      }),
    )
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${schedules}]`,
      reason: 'Every schedule of the group is a wake-up of this service',
    })
  }
}
