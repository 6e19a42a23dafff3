/**
 * `npm run alarm-drill`: has every alarm's metric reach its threshold on this machine and follows its page of the runbook to the
 * end. Prints a table; exit code 0 if all did.
 * With ids of alarms as arguments it plays their scenarios only.
 */
import { join } from 'node:path';
import { readCloudAssembly } from '../../../local/cloudformation/cloud-assembly.ts';
import { startForwardReceiver } from '../../engine/forward-receiver.ts';
import { startLocalPipeline } from '../../support/local-pipeline.ts';
import { renderTable } from '../../support/table.ts';
import { readAlarms, readFunctions } from './alarms.ts';
import { drillSettings, groups } from './drill-plan.ts';
import { Monitor } from './monitor.ts';
import { playScenario, type Row } from './scenario.ts';
import { Site } from './site.ts';

const only = new Set(process.argv.slice(2));
const known = groups.flat(2).flatMap(({ alarms }) => alarms);
const unknown = [...only].filter((id) => !known.includes(id));
if (unknown.length > 0) {
  console.error(`There is no alarm ${unknown.join(', ')}. There are:\n${known.toSorted().join('\n')}`);
  process.exit(1);
}
const wanted = groups.map((lanes) =>
  lanes.map((lane) => lane.filter(({ alarms }) => only.size === 0 || alarms.some((id) => only.has(id)))),
);

const startedAt = Date.now();
const seconds = () => `${((Date.now() - startedAt) / 1000).toFixed(0)} s`;
const receiver = await startForwardReceiver();
const pipeline = await startLocalPipeline(drillSettings(receiver.url));
const rows: Row[] = [];
try {
  const stacks = readCloudAssembly(join(pipeline.directory, 'cdk.out'));
  const alarms = readAlarms(stacks);
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
  await receiver[Symbol.asyncDispose]();
}

const failed = rows.filter(({ failure }) => failure !== undefined).length;
console.log(`\n${renderRows(rows)}\n\n${rows.length} alarms, ${failed} failed, ${seconds()}`);
process.exitCode = failed === 0 ? 0 : 1;

/** A line for each alarm, then how it was made to go off and what was done about it. */
function renderRows(rows: readonly Row[]): string {
  const cells = rows.map(({ alarm: { id, metric, threshold, page }, value, failure }) => [
    `${id}, ${metric}`,
    value === undefined ? 'no data' : String(value),
    String(threshold),
    page,
    failure === undefined ? 'ok' : 'FAILED',
  ]);
  const head = ['ALARM, METRIC', 'REACHED', 'THRESHOLD', 'PAGE OF docs/runbook.md', 'OUTCOME'];
  // Alarms of one scenario have one story.
  const stories = [...Map.groupBy(rows, ({ how }) => how)].map(([how, own]) => [
    own.map(({ alarm }) => alarm.id).join(', '),
    `  how: ${how}`,
    ...(own[0]?.steps.map((step, index) => `  ${index + 1}. ${step}`) ?? []),
    ...own.flatMap(({ failure }) => (failure === undefined ? [] : `  FAILED: ${failure}`)).slice(0, 1),
  ]);
  return [renderTable([head, ...cells]), '', ...stories.flat()].join('\n');
}
