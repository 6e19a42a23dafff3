import { AlarmRule, AlarmState, CfnCompositeAlarm, CompositeAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Construct } from 'constructs';
import type { Incident } from '../options/alarm-names.ts';
import type { AlarmRecipients } from '../options/alarm-recipients.ts';
import { alarmDescription } from './alarm-description.ts';
import { OperatorAlarm } from './operator-alarm.ts';
import { sourceAround } from './source-scope.ts';

export interface IncidentAlarmProps {
  /** The heading of its page in docs/operate/alarms.md. */
  readonly runbook: string;
  /** The consequence for the users of the pipeline. */
  readonly impact: string;
  readonly alarms: AlarmRecipients | false;
}

/** Pages while an alarm of the incident is on: once for all of them. Make it after its members, which are below the same scope. */
export class IncidentAlarm extends Construct {
  /** The heading of its page in the runbook. */
  readonly page: string;

  constructor(scope: Construct, id: Incident, props: IncidentAlarmProps) {
    super(scope, id);
    this.page = props.runbook;
    const { alarms } = props;
    const override = alarms === false ? undefined : alarms.overrides[id];
    if (alarms === false || override?.enabled === false) return;
    const members = scope.node
      .findAll()
      .filter((node) => node instanceof OperatorAlarm)
      .filter(({ severity, alarm }) => severity === id && alarm !== undefined);
    const rules = members
      .flatMap(({ alarm = [] }) => alarm)
      .map((one) => AlarmRule.fromAlarm(one, AlarmState.ALARM));
    if (rules.length === 0) return;
    const composite = new CompositeAlarm(this, 'Alarm', {
      alarmRule: AlarmRule.anyOf(...rules),
      alarmDescription: alarmDescription({
        ...props,
        source: sourceAround(this),
        severity: 'page',
        cause: `One or more of these alarms are on: ${members.map(({ node }) => node.id).join(', ')}.`,
        firstStep: 'Follow the description of the alarm that is on.',
        runbookUrl: alarms.runbookUrl,
      }),
    });
    // CDK's name has no stack name in it: two deployments of a stack under two names would have the same. CloudFormation's is unique.
    const { defaultChild } = composite.node;
    if (!(defaultChild instanceof CfnCompositeAlarm))
      throw new Error('CDK made the composite alarm in an unexpected way');
    defaultChild.alarmName = undefined;
    const topic = override?.topic ?? alarms.page;
    if (topic === undefined) return;
    const notify = new SnsAction(topic);
    composite.addAlarmAction(notify);
    if (members.every(({ reportsEnd }) => reportsEnd)) composite.addOkAction(notify);
  }
}
