/**
 * `npm run bench:pipeline -- [--events N] [--json FILE]`: how many events a second the stacks take, store and publish on this
 * machine, what that costs, and how it compares with what DynamoDB Local alone could do. Exit code 1 if a
 * target is missed or an event is not stored once; 2 if it failed.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { printVerdict } from '../../engine/print.ts';
import { type Arrangement, eventsPerMessage } from '../../engine/reports.ts';
import { Run } from '../../engine/run.ts';
import { settle } from '../../engine/settle.ts';
import { type LocalPipeline, startLocalPipeline, unthrottled } from '../../support/local-pipeline.ts';
import { runScript, wholeNumber } from '../../support/run-script.ts';
import { type Pass, type PassResult, runPass } from './pass.ts';
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

function progress({ arrangement, isQueuedFirst, accepted, stored, published }: PassResult): void {
  const [a, s, p] = [accepted, stored, published].map(Math.round);
  console.log(
    `${arrangement}, ${isQueuedFirst ? 'queued first' : 'all at once'}: ${a} accepted, ${s} stored, ${p} published a second`,
  );
}

/** Starts a pipeline for as long as it is used, and judges in the end. */
async function withRun(
  settings: Readonly<Record<string, string>>,
  use: (run: Run) => Promise<void>,
): Promise<void> {
  await using run = new Run(await startLocalPipeline({ ...unthrottled, ...settings }));
  await use(run);
  const options = { patienceMs: 180_000, mustHaveLogged: ['worker', 'publisher'] };
  const settled = await settle(run, { published: 'changes' }, options);
  broken.push(...settled.broken.map(({ what }) => what));
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
    await withRun({ 'local:hosts': `worker:${hosts}` }, async (run) => {
      await runPass(run, warmUp(messages), false);
      const pass: Pass = {
        arrangement: 'apart',
        series: `hosts-${hosts}`,
        messages: Math.ceil(messages / 3),
      };
      scaling.push({ hosts, ...(await runPass(run, pass, true)) });
    });
  }
  await withRun({}, async (run) => {
    await runPass(run, warmUp(messages), false);
    await measure(run.pipeline, updateCalls);
    for (const arrangement of arrangements) {
      for (const isQueuedFirst of [true, false]) {
        const pass = { arrangement, series: `${arrangement}-${isQueuedFirst}`, messages };
        const result = await runPass(run, pass, isQueuedFirst);
        passes.push(result);
        progress(result);
      }
      await measure(run.pipeline, updateCalls);
    }
  });
  const verdicts = judge(updates, passes);
  const cores = availableParallelism();
  console.log(`\n${render({ cores, updates, passes, scaling, verdicts })}\n`);
  const code = printVerdict(broken);
  if (values.json !== undefined) {
    const machine = { cores, memoryBytes: totalmem(), node: process.version };
    const figures = { date: new Date().toISOString(), machine, updates, passes, scaling, verdicts, broken };
    writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`);
  }
  return verdicts.every(({ isReached }) => isReached) ? code : 1;
}

await runScript(main);
