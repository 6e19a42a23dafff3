/**
 * `npm run bench:pipeline -- [--events N] [--batch N] [--json FILE]`: how many events a second the stacks take, store and publish on this
 * machine, what that costs, and how it compares with what DynamoDB Local alone could do. Exit code 1 if a
 * target is missed or an event is not stored once; 2 if it failed.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { limits } from '../../../lib/props/limits.ts';
import { printVerdict } from '../../engine/print.ts';
import { type Arrangement, eventsPerMessage } from '../../engine/reports.ts';
import { Run } from '../../engine/run.ts';
import { settle } from '../../engine/settle.ts';
import { startLocalPipeline, unthrottled } from '../../support/local-pipeline.ts';
import { runScript, wholeNumber } from '../../support/run-script.ts';
import { type Pass, type PassResult, runPass } from './pass.ts';
import { judge, render } from './report.ts';
import { measureUpdates, type Updates } from './update-rate.ts';

const arrangements: readonly Arrangement[] = ['apart', 'together'];
const workerHosts = [1, 2];

/** Starts a pipeline for as long as it is used. @returns the promises that it has broken in the end */
async function withRun(
  settings: Readonly<Record<string, string>>,
  use: (run: Run) => Promise<void>,
): Promise<string[]> {
  await using run = new Run(await startLocalPipeline({ ...unthrottled, ...settings }));
  await use(run);
  const options = { patienceMs: 180_000, mustHaveLogged: ['worker', 'publisher'] };
  const { broken } = await settle(run, { published: 'changes' }, options);
  return broken.map(({ what }) => what);
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      events: { type: 'string', default: '50000' },
      batch: { type: 'string', default: String(limits.batchSize.preset) },
      json: { type: 'string' },
    },
  });
  const asked = wholeNumber('events', values.events, 600);
  const batchSize = wholeNumber('batch', values.batch, 1);
  const batches = { 'sms:workerBatchSize': String(batchSize) };
  // In each pass, half of each load is queued first, and half arrives while it is stored.
  const messages = Math.floor(asked / 2 / eventsPerMessage);
  const warmUp = { name: 'warm', arrangement: 'apart', isQueuedFirst: false } as const;
  const updates: Updates[] = [];
  const passes: PassResult[] = [];
  const scaling: PassResult[] = [];

  async function measure({ pipeline }: Run): Promise<void> {
    const calls = Math.min(6000, Math.ceil(asked / 8));
    const measured = await measureUpdates(calls, Number(pipeline.outputs.WorklistShards));
    updates.push(measured);
    console.log(`UpdateItems a second: ${measured.perSecond.toFixed(0)}`);
  }

  async function play(run: Run, pass: Pass): Promise<PassResult> {
    const result = await runPass(run, pass);
    const { name, accepted, stored, published } = result;
    const [a, s, p] = [accepted, stored, published].map(Math.round);
    console.log(`${name}: ${a} accepted, ${s} stored, ${p} published a second`);
    return result;
  }

  const broken = await withRun(batches, async (run) => {
    await runPass(run, { ...warmUp, messages: Math.ceil(messages / 20) });
    await measure(run);
    for (const arrangement of arrangements) {
      for (const isQueuedFirst of [true, false]) {
        const name = `${arrangement}, ${isQueuedFirst ? 'queued first' : 'all at once'}`;
        passes.push(await play(run, { name, arrangement, isQueuedFirst, messages }));
      }
      await measure(run);
    }
  });
  for (const hosts of workerHosts) {
    const name = `apart, queued first, worker hosts ${hosts}`;
    const pass = { name, arrangement: 'apart', isQueuedFirst: true } as const;
    const brokenByHosts = await withRun({ ...batches, 'local:hosts': `worker:${hosts}` }, async (run) => {
      await runPass(run, { ...warmUp, messages: Math.ceil(messages / 20) });
      scaling.push(await play(run, { ...pass, messages: Math.ceil(messages / 3) }));
    });
    broken.push(...brokenByHosts);
  }
  const verdicts = judge(updates, passes);
  const cores = availableParallelism();
  console.log(`\n${render({ cores, batchSize, updates, passes: [...passes, ...scaling], verdicts })}\n`);
  if (values.json !== undefined) {
    const machine = { cores, memoryBytes: totalmem(), node: process.version };
    const measured = { batchSize, updates, passes, scaling, verdicts, broken };
    const figures = { date: new Date().toISOString(), machine, ...measured };
    writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`);
  }
  const code = printVerdict(broken);
  return verdicts.every(({ isReached }) => isReached) ? code : 1;
}

await runScript(main);
