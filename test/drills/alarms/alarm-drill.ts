/**
 * `npm run alarm-drill`: has every alarm's metric reach its threshold on this machine and follows its page of the runbook to the
 * end. Prints a table; exit code 0 if all did.
 * With ids of alarms as arguments it plays their scenarios only.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readCloudAssembly } from '../../../local/assembly/cloud-assembly.ts';
import { startLocalPipeline } from '../../support/local-pipeline.ts';
import { readAlarms, readFunctions, unmatched } from './alarms.ts';
import { Monitor } from './monitor.ts';
import { startReceiver } from './receiver.ts';
import { playScenario, type Row, type Scenario } from './scenario.ts';
import { automationsBroken } from './scenarios/automations-broken.ts';
import { queuesDeleted } from './scenarios/automations-undelivered.ts';
import { automationsNotReceived, automationsWaiting } from './scenarios/automations-waiting.ts';
import {
  contractOutdated,
  eventsNotReceived,
  parkedRefused,
  storeFailing,
  workerBroken,
} from './scenarios/events.ts';
import { foreignAddress, forgeries, queueUnavailable } from './scenarios/ingest.ts';
import {
  publisherBehind,
  publisherBroken,
  publisherThrottled,
  recordUnreadable,
} from './scenarios/publisher.ts';
import { queryBroken, queryThrottled } from './scenarios/query.ts';
import { setupBroken, webhookDrifted } from './scenarios/setup.ts';
import { sweepBroken, sweepThrottled } from './scenarios/sweep.ts';
import { Site } from './site.ts';
import { renderRows } from './table.ts';

/** One group after the other; in a group all lanes at once, in a lane one scenario after the other. */
const groups: readonly (readonly (readonly Scenario[])[])[] = [
  [[workerBroken]],
  [[contractOutdated], ...automationsBroken.map((scenario) => [scenario])],
  automationsWaiting.map((scenario) => [scenario]),
  [[parkedRefused], [queuesDeleted, publisherBroken, publisherThrottled, recordUnreadable]],
  [[automationsNotReceived]],
  [[storeFailing]],
  // Nobody's event is accepted meanwhile.
  [[queueUnavailable]],
  [
    [publisherBehind],
    [eventsNotReceived],
    [
      ...[forgeries, foreignAddress, webhookDrifted, setupBroken],
      ...[queryThrottled, queryBroken, sweepBroken, sweepThrottled],
    ],
  ],
];

const only = new Set(process.argv.slice(2));
const wanted = groups.map((lanes) =>
  lanes.map((lane) => lane.filter(({ alarms }) => only.size === 0 || alarms.some((id) => only.has(id)))),
);

const startedAt = Date.now();
const seconds = () => `${((Date.now() - startedAt) / 1000).toFixed(0)} s`;
const receiver = await startReceiver();
const pipeline = await startLocalPipeline({
  'sms:optOutContacts': 'on',
  'sms:contactSync': 'on',
  'sms:failureAlert': 'on',
  'sms:failureAlertMinutes': 5,
  'sms:forwardUrl': receiver.url,
  'sms:billingWatch': 'on',
  'sms:allowedSourceIps': '127.0.0.1/32',
  'sms:workerTimeoutSeconds': 10,
});
const rows: Row[] = [];
try {
  const stacks = readCloudAssembly(join(pipeline.directory, 'cdk.out'));
  const alarms = readAlarms(stacks);
  const runbook = readFileSync(resolve(import.meta.dirname, '../../../docs/runbook.md'), 'utf8');
  const problems = [
    ...unmatched(
      alarms.map(({ id }) => id),
      groups.flat(2).flatMap((scenario) => scenario.alarms),
    ),
    ...[...only]
      .filter((wrong) => alarms.every(({ id }) => id !== wrong))
      .map((wrong) => `there is no alarm ${wrong}`),
    ...alarms
      .filter(({ page }) => page === '' || !runbook.includes(`\n## ${page}`))
      .map(({ id, page }) => `alarm ${id} names the page "${page}", which there is not`),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  console.log(`${alarms.length} alarms; the pipeline is up after ${seconds()}`);
  const monitor = new Monitor({
    port: pipeline.port,
    logDirectory: join(pipeline.directory, 'logs'),
    alarms,
    functions: readFunctions(stacks),
  });
  monitor.start();
  const site = new Site(pipeline, monitor, receiver);
  for (const lanes of wanted)
    await Promise.all(
      lanes.map(async (lane) => {
        for (const scenario of lane) {
          const played = await playScenario(scenario, site, alarms);
          for (const { alarm, failure } of played)
            console.log(`${seconds()}: ${alarm.id} ${failure ?? 'ok'}`);
          rows.push(...played);
        }
      }),
    );
  await monitor.stop();
} finally {
  await pipeline.stop();
  receiver.close();
}

const failed = rows.filter(({ failure }) => failure !== undefined).length;
console.log(`\n${renderRows(rows)}\n\n${rows.length} alarms, ${failed} failed, ${seconds()}`);
process.exitCode = failed === 0 ? 0 : 1;
