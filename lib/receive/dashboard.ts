import { Duration } from 'aws-cdk-lib';
import {
  AlarmBase,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { PipelineApi } from '../api/pipeline-api.ts';
import type { LambdaFunction } from '../building-blocks/lambda-function.ts';
import type { PublisherFunction } from '../publish/publisher.ts';
import type { EventsQueue } from './events-queue.ts';
import type { IngestFunction } from './ingest-function.ts';

export interface PipelineDashboardProps {
  readonly api: PipelineApi;
  readonly ingest: IngestFunction;
  readonly events: EventsQueue;
  readonly setup: LambdaFunction;
  readonly query: LambdaFunction;
  readonly publisher: PublisherFunction;
  readonly historyTable: Table;
  /** Below it are the alarms that the dashboard shows. */
  readonly alarmsBelow: Construct;
}

const period = Duration.minutes(5);
const sum = { period, statistic: 'Sum' };
const maximum = { period, statistic: 'Maximum' };

/** Two graphs fit into a row. */
const size = { width: 12, height: 6 };

/**
 * Shows the path of an event on one page, from top to bottom, below the alarms of the pipeline. It has at most 50 metrics, the free limit
 * of each of the first three dashboards of an account (CloudWatch pricing).
 */
export class PipelineDashboard extends Construct {
  private readonly alarms: IAlarm[] = [];

  constructor(scope: Construct, id: string, props: PipelineDashboardProps) {
    super(scope, id);
    const { api, ingest, events, setup, query, publisher, historyTable, alarmsBelow } = props;
    const worker = events.consumer;
    this.addAlarmsOf(alarmsBelow);
    // The widget reads its alarms at synthesis.
    const alarmStates = new AlarmStatusWidget({ title: 'Alarms', alarms: this.alarms, width: 24, height: 4 });
    const graphs = [
      graph('Webhook requests', [
        api.stage.metricCount({ ...sum, label: 'All requests of the API' }),
        worker.metricCounted('RequestsAccepted'),
        ...counts(ingest, 'RequestsParked', 'RequestsCaptured'),
      ]),
      graph('Webhook requests not accepted', [
        ...counts(
          ingest,
          'RejectedSignatureMissing',
          'RejectedSignatureMismatch',
          'RejectedTimestamp',
          'RejectedTooLarge',
          'RejectedSource',
          'Unavailable',
        ),
        ...throttledRequests(ingest),
      ]),
      graph(
        'Events processed by the worker',
        counts(
          worker,
          'EventsStored',
          'EventsRepeated',
          'EventsQuarantined',
          'UnmappedStatus',
          'ParkedRefused',
          'StoreFailures',
        ),
      ),
      graph('New reports by status', [
        ...counts(publisher, 'ReportsAccepted', 'ReportsQueued', 'ReportsSent', 'ReportsDelivered'),
        ...counts(publisher, 'ReportsRead', 'ReportsFailed', 'ReportsUndelivered', 'ReportsRejected'),
        ...counts(publisher, 'ReportsExpired', 'ReportsUnknown', 'ReportsUnmapped'),
      ]),
      graph(
        'Out-of-order and conflicting reports',
        counts(publisher, 'ReportsSuperseded', 'MessagesConflicting'),
      ),
      graph('Events on the bus', counts(publisher, 'EventsPublished', 'PublishFailures', 'PublishRefused')),
      graph(
        'Maximum lag from an event to storing and publishing it',
        [
          worker.metricCounted('LagToStored').with(maximum),
          publisher.metricCounted('LagToPublished').with(maximum),
          publisher.function.metric('IteratorAge', { ...maximum, label: 'Age of the stream' }),
        ],
        'ms',
      ),
      graph(
        'Age of the oldest event in the queue',
        [events.queue.metricApproximateAgeOfOldestMessage({ ...maximum, label: 'Age' })],
        's',
      ),
      graph('Waiting events', [
        events.queue.metricApproximateNumberOfMessagesVisible({ ...maximum, label: 'In the queue' }),
      ]),
      graph('Dead letters', [
        events.deadLetterQueue.metricApproximateNumberOfMessagesVisible({
          ...maximum,
          label: 'Dead letters of the worker',
        }),
        publisher.failures.metricApproximateNumberOfMessagesVisible({
          ...maximum,
          label: 'Failures of the publisher',
        }),
      ]),
      graph(
        'Errors of functions',
        [ingest, worker, publisher, setup, query].map(({ function: each, service }) =>
          each.metricErrors({ ...sum, label: service }),
        ),
      ),
      graph('Throttles', [
        ...[ingest, worker, publisher].map(({ function: each, service }) =>
          each.metricThrottles({ ...sum, label: service }),
        ),
        historyTable.metric('WriteThrottleEvents', { ...sum, label: 'writes to history' }),
      ]),
    ];
    new Dashboard(this, 'Dashboard', {
      defaultInterval: Duration.hours(3),
      widgets: [[alarmStates], graphs],
    });
  }

  /** Shows also the alarms that are below this construct now. */
  addAlarmsOf(scope: Construct): void {
    this.alarms.push(...scope.node.findAll().filter((construct) => construct instanceof AlarmBase));
  }
}

/** @param metrics names of functions/base/metrics.ts */
function counts(fn: LambdaFunction, ...metrics: readonly string[]): IMetric[] {
  return metrics.map((metric) => fn.metricCounted(metric));
}

/** API Gateway throttles these requests before any function runs. */
function throttledRequests({ requestsThrottled }: IngestFunction): IMetric[] {
  return requestsThrottled === undefined ? [] : [requestsThrottled.with({ ...sum, label: 'Throttled' })];
}

function graph(title: string, left: IMetric[], unit?: string): GraphWidget {
  return new GraphWidget({
    ...size,
    title,
    left,
    leftYAxis: { min: 0, showUnits: false, ...(unit === undefined ? {} : { label: unit }) },
  });
}
