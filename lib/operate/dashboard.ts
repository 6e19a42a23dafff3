import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type GraphWidgetProps,
  type IMetric,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { PipelineApi } from '../api/pipeline-api.ts';
import type { LambdaFunction } from '../building-blocks/lambda-function.ts';
import type { IngestFunction } from '../ingest/ingest-function.ts';
import type { Publisher } from '../publish/publisher.ts';
import type { EventsConsumer } from '../store/events-consumer.ts';

export interface PipelineDashboardProps {
  readonly api: PipelineApi;
  readonly ingest: IngestFunction;
  readonly events: EventsConsumer;
  readonly setup: LambdaFunction;
  readonly query: LambdaFunction;
  readonly publisher: Publisher;
  readonly historyTable: Table;
}

const period = Duration.minutes(5);
const summed = { period, statistic: 'Sum' };
const greatest = { period, statistic: 'Maximum' };

/** Graphs stand two in a row. */
const size = { width: 12, height: 6 };

/**
 * The way of an event on one page, from top to bottom, and above it the alarms of its stack. With at most 50 metrics: so many are
 * free on the first three dashboards of an account (CloudWatch pricing).
 */
export class PipelineDashboard extends Construct {
  constructor(scope: Construct, id: string, props: PipelineDashboardProps) {
    super(scope, id);
    const { api, ingest, events, setup, query, publisher, historyTable } = props;
    const worker = events.consumer;
    const alarms = Stack.of(this)
      .node.findAll()
      .filter((construct) => construct instanceof Alarm);
    const alarmStates = new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24, height: 4 });
    const graphs = [
      graph('Webhook requests', [
        api.stage.metricCount({ ...summed, label: 'All requests of the API' }),
        ...counted(worker, 'RequestsAccepted'),
        ...counted(ingest, 'RequestsParked', 'RequestsCaptured'),
      ]),
      graph('Webhook requests not accepted', [
        ...counted(
          ingest,
          'RejectedSignatureMissing',
          'RejectedSignatureMismatch',
          'RejectedTimestamp',
          'RejectedTooLarge',
          'RejectedSource',
          'Unavailable',
        ),
        ...throttled(ingest),
      ]),
      graph('Events taken from the queue', [
        ...counted(
          worker,
          'EventsStored',
          'EventsRepeated',
          'EventsQuarantined',
          'UnmappedStatus',
          'ParkedRefused',
        ),
        ...counted(worker, 'StoreFailures'),
      ]),
      graph('New reports by status', [
        ...counted(publisher, 'ReportsAccepted', 'ReportsQueued', 'ReportsSent', 'ReportsDelivered'),
        ...counted(publisher, 'ReportsRead', 'ReportsFailed', 'ReportsUndelivered', 'ReportsRejected'),
        ...counted(publisher, 'ReportsExpired', 'ReportsUnknown', 'ReportsUnmapped'),
      ]),
      graph('Out of order and contradictory', [
        ...counted(publisher, 'ReportsSuperseded', 'MessagesConflicting'),
      ]),
      graph('Events on the bus', [
        ...counted(publisher, 'EventsPublished', 'PublishFailures', 'PublishRefused'),
      ]),
      graph(
        'Longest lag from an event to its storing and publishing',
        [
          ...longest(worker, 'LagToStored'),
          ...longest(publisher, 'LagToPublished'),
          publisher.function.metric('IteratorAge', { ...greatest, label: 'Age of the stream' }),
        ],
        'ms',
      ),
      graph(
        'Age of the oldest event in the queue',
        [events.queue.metricApproximateAgeOfOldestMessage({ ...greatest, label: 'Age' })],
        's',
      ),
      graph('Events that wait', [
        events.queue.metricApproximateNumberOfMessagesVisible({ ...greatest, label: 'In the queue' }),
      ]),
      graph('What nobody could take', [
        events.deadLetterQueue.metricApproximateNumberOfMessagesVisible({
          ...greatest,
          label: 'Dead letters of the worker',
        }),
        publisher.failures.metricApproximateNumberOfMessagesVisible({
          ...greatest,
          label: 'Failures of the publisher',
        }),
      ]),
      graph(
        'Errors of functions',
        [ingest, worker, publisher, setup, query].map(({ function: each, service }) =>
          each.metricErrors({ ...summed, label: service }),
        ),
      ),
      graph('Throttles', [
        ...[ingest, worker, publisher].map(({ function: each, service }) =>
          each.metricThrottles({ ...summed, label: service }),
        ),
        historyTable.metric('WriteThrottleEvents', { ...summed, label: 'writes to history' }),
      ]),
    ];
    new Dashboard(this, 'Dashboard', {
      defaultInterval: Duration.hours(3),
      widgets: [[alarmStates], graphs],
    });
  }
}

/** @param metrics names of functions/runtime/instrumentation.ts */
function counted(by: LambdaFunction, ...metrics: readonly string[]): IMetric[] {
  return metrics.map((metric) => by.metricCounted(metric));
}

/** Refused by API Gateway, before any function. */
function throttled({ requestsThrottled }: IngestFunction): IMetric[] {
  return requestsThrottled === undefined ? [] : [requestsThrottled.with({ ...summed, label: 'Throttled' })];
}

function longest(by: LambdaFunction, metric: string): IMetric[] {
  return [by.metricCounted(metric).with(greatest)];
}

function graph(title: string, left: GraphWidgetProps['left'], unit?: string): GraphWidget {
  return new GraphWidget({
    ...size,
    title,
    ...(left === undefined ? {} : { left }),
    leftYAxis: { min: 0, showUnits: false, ...(unit === undefined ? {} : { label: unit }) },
  });
}
