import {
  type CostLine,
  customMetrics,
  estimate,
  eventsOf,
  secretReadsPerMonth,
  type Traffic,
} from '../cost/estimate.ts';
import usage from '../cost/measured-usage.json' with { type: 'json' };
import { costOf } from '../cost/prices.ts';
import { type CostSettings, settingRules } from '../cost/settings.ts';

/** The sizes: what a reader knows about a month, and its events. */
const sizes = [
  { name: '20,000 messages', events: eventsOf(20_000) },
  { name: '100,000 messages', events: eventsOf(100_000) },
  { name: '**1 million messages**', events: eventsOf(1e6) },
  { name: '**5 million events**', events: 5e6 },
  { name: '10 million messages', events: eventsOf(10e6) },
];

/** Settings whose differences the page lists, in its order. */
const changes: readonly Partial<CostSettings>[] = [
  { retentionDays: 90 },
  { retentionDays: 30 },
  { recoveryDays: 0 },
  { historyTableClass: 'infrequent-access' },
  { insights: 'off' },
  { accessLog: 'off' },
  { invocationLogs: 'on' },
  { tracing: 'on' },
  { everyEvent: 'on' },
  { forwardUrl: 'on' },
  { lookups: 'on' },
  { deliveryWatch: 'on' },
  { registration: 'off' },
  { encryptionKey: 'customer' },
  { dashboard: 'off' },
];

const inSends = (events: number): Traffic => ({ events, inSends: 1 });
const spread = (events: number): Traffic => ({ events, inSends: 0 });
const number = (value: number) => new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }).format(value);
const table = (...rows: readonly (readonly string[])[]) => {
  const [head = [], ...body] = rows.map((cells) =>
    `| ${cells.join(' | ')} |`.replaceAll(/\| {2}(?=\|)/g, '| '),
  );
  return [head, `|${'---|'.repeat(rows[0]?.length ?? 0)}`, ...body].join('\n');
};

/** What each of the sizes costs. */
export function sizesTable(): string {
  const rows = sizes.map(({ name, events }) => [
    name,
    number(events),
    number(estimate(inSends(events)).dollars),
    number(estimate(spread(events)).dollars),
    number(estimate(inSends(events), { retentionDays: 90 }).dollars),
    number(estimate(inSends(events)).dollarsWithAlwaysFree),
  ]);
  return table(
    [
      'traffic a month',
      'events a month',
      'dollars a month, in large sends',
      'dollars a month, spread evenly, at most',
      'dollars a month, in large sends, if messages are kept for 90 days',
      'dollars a month, in large sends, with what AWS gives each account free for good',
    ],
    ...rows,
  );
}

/** The worked example: a million messages, with each factor. */
export function exampleTable(): string {
  const events = eventsOf(1e6);
  const { lines } = estimate(inSends(events));
  const without = estimate(inSends(0));
  const dollarsOf = (service: string) => {
    const of = (all: readonly CostLine[]) => all.find((line) => line.service.startsWith(service))?.dollars;
    const dollars = of(lines);
    if (dollars === undefined) throw new Error(`no line of the estimate is ${service}`);
    return (dollars - (of(without.lines) ?? 0)).toFixed(2);
  };
  const { invocations, tableBytes, indexBytes, writeUnits, logBytes } = usage.inSends;
  const calls = invocations.ingest + invocations.worker + invocations.publisher;
  const sqs = 1 + 3 * invocations.worker;
  const gb = (bytes: number) => `${((events * bytes * 400) / (365 / 12) / 1e9).toFixed(2)} GB`;
  const millions = (each: number) => `${((events * each) / 1e6).toFixed(2)} million`;
  const gbSeconds = (Number(dollarsOf('Lambda')) - (events * calls * 0.2) / 1e6) / 1.33334e-5 / events;
  const line = 179;
  return table(
    ['service', 'one event uses', 'all events use', 'price', 'dollars a month'],
    ['API Gateway', '1 request', `${millions(1)} requests`, '1.00 a million', dollarsOf('API Gateway')],
    ['EventBridge', '1 event', `${millions(1)} events`, '1.00 a million', dollarsOf('EventBridge')],
    [
      'DynamoDB, writes to the history',
      `${writeUnits} write units`,
      `${millions(writeUnits)} write units`,
      '0.625 a million',
      dollarsOf('DynamoDB, writes'),
    ],
    [
      'DynamoDB, storage for 400 days',
      `${tableBytes} bytes in the table and ${indexBytes} in its indexes, for 13.15 months`,
      gb(tableBytes + indexBytes),
      '0.25 a GB',
      dollarsOf('DynamoDB, storage'),
    ],
    [
      'DynamoDB, backups',
      `${tableBytes} bytes, for 13.15 months`,
      gb(tableBytes),
      '0.20 a GB',
      dollarsOf('DynamoDB, backups'),
    ],
    ['SQS', `${sqs.toFixed(2)} requests`, `${millions(sqs)} requests`, '0.40 a million', dollarsOf('SQS')],
    [
      'Lambda',
      `${calls.toFixed(2)} invocations and ${gbSeconds.toFixed(4)} GB-seconds`,
      `${millions(calls)} invocations and ${number(events * gbSeconds)} GB-seconds`,
      '0.20 a million invocations, 13.33 a million GB-seconds',
      dollarsOf('Lambda'),
    ],
    [
      'Insights',
      'a share of a write of counts',
      'counts',
      'at most 0.21 a million events',
      dollarsOf('Insights'),
    ],
    [
      'CloudWatch, log lines',
      `${number(logBytes + line)} bytes`,
      `${((events * (logBytes + line)) / 1e9).toFixed(2)} GB`,
      '0.50 a GB',
      dollarsOf('CloudWatch, log lines'),
    ],
    [
      'CloudWatch, metrics',
      'nothing after the first of an hour',
      `${customMetrics} metrics`,
      `${costOf('customMetrics', 1).toFixed(2)} a metric`,
      dollarsOf('CloudWatch, metrics'),
    ],
    [
      'Secrets Manager',
      'nothing after the first of a minute',
      `${number(secretReadsPerMonth)} reads`,
      `${costOf('secretCalls', 1e4).toFixed(2)} for 10,000`,
      dollarsOf('Secrets Manager'),
    ],
    ['the part that needs no event', '', '', '', without.dollars.toFixed(2)],
    ['**all**', '', '', '', `**${estimate(inSends(events)).dollars.toFixed(2)}**`],
  );
}

/** What a pipeline costs without any event. */
export function fixedTable(): string {
  const { lines, dollars, dollarsWithAlwaysFree } = estimate(inSends(0));
  const rows = lines
    .filter((line) => line.dollars > 0)
    .map((line) => [line.service, line.use, line.dollars.toFixed(2)]);
  return table(
    ['service', 'use a month', 'dollars a month'],
    ...rows,
    ['**all**', '', `**${dollars.toFixed(2)}**`],
    ['**with what AWS gives each account free for good**', '', `**${dollarsWithAlwaysFree.toFixed(2)}**`],
  );
}

/** What each setting adds to a bill, or takes from it. */
export function settingsTable(): string {
  const signed = (value: number) => {
    const text = value.toFixed(2);
    return /^-?0\.00$/.test(text) ? '' : value > 0 ? `+${text}` : text;
  };
  const rows = changes.map((change) => {
    const difference = (traffic: Traffic) => estimate(traffic, change).dollars - estimate(traffic).dollars;
    const fixed = difference(inSends(0));
    const [[name, value] = []] = Object.entries(change);
    return [
      `\`${name}=${value}\``,
      settingRules[name as keyof CostSettings].meaning,
      signed(difference(inSends(1e6)) - fixed),
      signed(difference(spread(1e6)) - fixed),
      signed(fixed),
    ];
  });
  return table(
    [
      'setting',
      'what it is for',
      'dollars a million events, in large sends',
      'dollars a million events, spread evenly',
      'dollars a month, without any event',
    ],
    ...rows,
  );
}
