/**
 * `npm run alarm-drill`: has every alarm's metric reach its threshold on this machine and follows its page of the runbook to the
 * end. Prints a line for each; exit code 0 if all did.
 * With ids of alarms as arguments it plays their scenarios only.
 */
import { join } from 'node:path';
import { readCloudAssembly } from '../../../local/cloudformation/cloud-assembly.ts';
import { startForwardReceiver } from '../../engine/forward-receiver.ts';
import { startLocalPipeline } from '../../support/local-pipeline.ts';
import { readAlarms, readFunctions } from './alarms.ts';
import { drillSettings, groups } from './drill-plan.ts';
import { Monitor } from './monitor.ts';
import { playScenario } from './scenario.ts';
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
let failed = 0;
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
          console.log(`${seconds()}: ${scenario.alarms.join(', ')}: ${scenario.how}`);
          for (const { alarm, value, failure } of await playScenario(scenario, site, alarms)) {
            const { id, threshold, page } = alarm;
            const verdict = failure === undefined ? 'ok' : `FAILED: ${failure}`;
            console.log(`${seconds()}: ${id} reached ${value} of ${threshold}, page "${page}": ${verdict}`);
            if (failure !== undefined) failed += 1;
          }
        }
      }),
    );
  await monitor.stop();
} finally {
  await pipeline.stop();
  await receiver[Symbol.asyncDispose]();
}

console.log(`${failed} alarms failed, ${seconds()}`);
process.exitCode = failed === 0 ? 0 : 1;
