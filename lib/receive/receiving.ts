import { Annotations, Fn, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { mainSource } from '../../contract/events/source-id.ts';
import { PipelineApi } from '../api/pipeline-api.ts';
import { envNumber } from '../building-blocks/lambda-function.ts';
import { OperatorAlarm } from '../building-blocks/operator-alarm.ts';
import { addOutput } from '../building-blocks/output.ts';
import type { OutputName } from '../building-blocks/output-meanings.ts';
import { StaleSweepFunction } from '../history/stale-sweep.ts';
import type { Storage } from '../history/storage.ts';
import type { PipelineOptions } from '../options/options.ts';
import type { Publishing } from '../publish/publishing.ts';
import { QueryFunction } from '../query/query-function.ts';
import { addSource, type Source, type SourceContext } from './source.ts';

/** The source `main`, the query function, which answers from the history table, and the sweep, which marks stale messages in it. */
export interface Receiving extends Source, SourceContext {
  readonly query: QueryFunction;
  /** The names of all sources. Those that are added later are answered for, too. */
  readonly sources: string[];
}

export function addReceiving(
  scope: Construct,
  options: PipelineOptions,
  storage: Storage,
  { eventBus, publisher }: Publishing,
): Receiving {
  const { historyTable, quarantineTable, insightsTable } = storage;
  // The HTTP API of webhook and queries. Another id would make another API, and so another URL of the webhook.
  const api = new PipelineApi(scope, 'Webhook', options);
  warnOfHotLists(scope, options);

  // Queries of the history table, and its sweep.
  const sources = [mainSource];
  const query = new QueryFunction(scope, 'Query', {
    options,
    api,
    historyTable,
    quarantineTable,
    insightsTable,
    sources,
  });
  const sweep = new StaleSweepFunction(scope, 'Sweep', { options, historyTable });
  const context = { api, storage, eventBus, readers: [publisher, query, sweep] };
  const source = addSource(scope, options, context, storage.webhookSecret);

  const output = (name: OutputName, value: string) => addOutput(scope, options, name, value);
  output('QueryUrl', query.url);
  output('ApiId', api.apiId);
  output('ListShards', envNumber(options.listShards));
  if (options.optOutsBySource) output('OptOutsBySource', 'on');
  output('RetentionDays', envNumber(options.retention.toDays()));
  output('MetricsNamespace', options.metricsNamespace);
  const { topic, page } = options.alarms || {};
  if (topic !== undefined) {
    output('AlarmTopicArn', topic.topicArn);
    output('TicketAlarmNames', someAlarms(scope, 'ticket'));
  }
  if (page !== undefined && page !== topic) {
    output('PageTopicArn', page.topicArn);
    output('PageAlarmNames', someAlarms(scope, 'page'));
  }
  output('SweepFunctionName', sweep.function.functionName);
  return { ...source, ...context, query, sources };
}

/** One key of an index accepts 1,000 writes a second, and an event rarely writes into a list more than once. */
const eventsPerListKey = 1000;

function warnOfHotLists(scope: Construct, { webhook, listShards }: PipelineOptions): void {
  // Values that are known at deployment only cannot be compared here.
  if (Token.isUnresolved(webhook.ratePerSecond) || Token.isUnresolved(listShards)) return;
  const accepted = listShards * eventsPerListKey;
  if (webhook.ratePerSecond > accepted)
    Annotations.of(scope).addWarningV2(
      'sms-pipeline:hot-lists',
      `The webhook accepts ${webhook.ratePerSecond} requests a second (webhook.ratePerSecond, setting sms:throttleRatePerSecond), but the lists of messages accept ${accepted} events a second. Above that DynamoDB throttles the worker, and events wait in the queue. Set listShards (setting sms:listShards) to ${Math.ceil(webhook.ratePerSecond / eventsPerListKey)}: docs/reference/data-model.md#shards.`,
    );
}

/** Returns the names of three alarms, which `sms doctor --test-alarm` may set off: an output has at most 1024 characters, a name 255. */
function someAlarms(scope: Construct, severity: 'ticket' | 'page'): string {
  const alarms = scope.node.findAll().filter((node) => node instanceof OperatorAlarm);
  const names = alarms
    .filter((one) => one.severity === severity && !one.hasOwnTopic)
    .flatMap(({ alarm }) => alarm?.alarmName ?? []);
  return Fn.join(',', names.slice(0, 3));
}
