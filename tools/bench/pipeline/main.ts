/**
 * `npm run bench:pipeline -- [--events N] [--json FILE]`: how many events a second the stacks take, store and publish on this
 * machine, what that costs, and how it compares with what DynamoDB Local alone could do. Exit code 1 if a
 * target is missed or an event is not stored once; 2 if it failed.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { storedHistory } from '../../drills/volume/outcome.ts';
import { type LocalPipeline, unthrottled, withPipeline } from '../../support/local-pipeline.ts';
import { runScript, wholeNumber } from '../../support/run-script.ts';
import { type Arrangement, arrivalsOf, brokenHistory, eventsPerMessage } from './arrivals.ts';
import { createLoad, type Load } from './load.ts';
import { type Pass, type PassResult, queueThenStore, stream } from './pass.ts';
import { judge, render } from './report.ts';
import { measureUpdates, type UpdateRates } from './update-rate.ts';

const arrangements: readonly Arrangement[] = ['apart', 'together'];
const workerHosts = [1, 2];

const updates: UpdateRates[] = [];
const passes: PassResult[] = [];
const scaling: (PassResult & { readonly hosts: number })[] = [];
const broken: string[] = [];

async function measure(pipeline: LocalPipeline, updateCalls: number): Promise<void> {
  const rates = await measureUpdates(pipeline, updateCalls);
  updates.push(rates);
  const [direct, folded] = [rates.direct, rates.folded].map(Math.round);
  const { database, client } = rates.cores.direct;
  console.log(
    `UpdateItems a second: ${direct} (cores: DynamoDB Local ${database.toFixed(2)}, the client ${client.toFixed(2)}), ${folded} with three events in each`,
  );
}

async function check(pipeline: LocalPipeline, done: readonly Pass[]): Promise<void> {
  const history = await storedHistory(pipeline);
  for (const { arrangement, series, messages: count } of done)
    broken.push(...brokenHistory(arrivalsOf(arrangement, series, count), history, series));
}

function progress({ arrangement, isQueuedFirst, accepted, stored, published }: PassResult): void {
  const [a, s, p] = [accepted, stored, published].map(Math.round);
  console.log(
    `${arrangement}, ${isQueuedFirst ? 'queued first' : 'all at once'}: ${a} accepted, ${s} stored, ${p} published a second`,
  );
}

async function withLoad(
  settings: Readonly<Record<string, string>>,
  use: (pipeline: LocalPipeline, load: Load) => Promise<void>,
): Promise<void> {
  await withPipeline({ ...unthrottled, ...settings }, async (pipeline) => {
    const load = await createLoad(pipeline);
    try {
      await use(pipeline, load);
    } finally {
      load.close();
    }
  });
}

const warmUp = (messages: number): Pass => ({
  arrangement: 'apart',
  series: 'warm',
  messages: Math.ceil(messages / 20),
});

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { events: { type: 'string', default: '50000' }, json: { type: 'string' } },
  });
  const asked = wholeNumber('events', values.events, 600);
  // In each pass, half of each load is queued first, and half arrives while it is stored.
  const messages = Math.floor(asked / 2 / eventsPerMessage);
  const updateCalls = Math.min(6000, Math.ceil(asked / 8));
  for (const hosts of workerHosts) {
    await withLoad({ 'local:hosts': `worker:${hosts}` }, async (pipeline, load) => {
      const pass: Pass = {
        arrangement: 'apart',
        series: `hosts-${hosts}`,
        messages: Math.ceil(messages / 3),
      };
      const warm = warmUp(messages);
      await stream(pipeline, load, warm);
      const result = await queueThenStore(pipeline, load, pass);
      scaling.push({ hosts, ...result });
      await check(pipeline, [warm, pass]);
    });
  }
  await withLoad({}, async (pipeline, load) => {
    const warm = warmUp(messages);
    const done = [warm];
    await stream(pipeline, load, warm);
    await measure(pipeline, updateCalls);
    for (const arrangement of arrangements) {
      for (const run of [queueThenStore, stream]) {
        const pass = { arrangement, series: `${arrangement}-${run.name}`, messages };
        const result = await run(pipeline, load, pass);
        passes.push(result);
        done.push(pass);
        progress(result);
      }
      await measure(pipeline, updateCalls);
    }
    await check(pipeline, done);
  });
  const verdicts = judge(updates, passes);
  const cores = availableParallelism();
  console.log(`\n${render({ cores, updates, passes, scaling, verdicts })}\n`);
  for (const line of broken.slice(0, 20)) console.error(`BROKEN: ${line}`);
  if (broken.length > 20) console.error(`BROKEN: ${broken.length - 20} more`);
  if (broken.length === 0) console.log('Every event is stored, once.');
  if (values.json !== undefined) {
    const machine = { cores, memoryBytes: totalmem(), node: process.version };
    const figures = { date: new Date().toISOString(), machine, updates, passes, scaling, verdicts, broken };
    writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`);
  }
  return broken.length === 0 && verdicts.every(({ isReached }) => isReached) ? 0 : 1;
}

await runScript(main);
