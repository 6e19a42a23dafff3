import { Fn } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { PipelineOptions } from '../options/options.ts';
import { OperatorAlarm } from './operator-alarm.ts';
import { addOutput } from './output.ts';

/** Adds the outputs by which `sms doctor` finds the metrics, the topics and some alarms of a pipeline. */
export function addAlarmOutputs(pipeline: Construct, options: PipelineOptions): void {
  addOutput(pipeline, options, 'MetricsNamespace', options.metricsNamespace);
  const { topic, page } = options.alarms || {};
  if (topic !== undefined) {
    addOutput(pipeline, options, 'AlarmTopicArn', topic.topicArn);
    addOutput(pipeline, options, 'TicketAlarmNames', someAlarms(pipeline, 'ticket'));
  }
  if (page !== undefined && page !== topic) {
    addOutput(pipeline, options, 'PageTopicArn', page.topicArn);
    addOutput(pipeline, options, 'PageAlarmNames', someAlarms(pipeline, 'page'));
  }
}

/** Returns the names of three alarms, which `sms doctor --test-alarm` may set off: an output has at most 1024 characters, a name 255. */
function someAlarms(pipeline: Construct, severity: 'ticket' | 'page'): string {
  const alarms = pipeline.node.findAll().filter((node) => node instanceof OperatorAlarm);
  const names = alarms
    .filter((one) => one.severity === severity && !one.hasOwnTopic)
    .flatMap(({ alarm }) => alarm?.alarmName ?? []);
  return Fn.join(',', names.slice(0, 3));
}
