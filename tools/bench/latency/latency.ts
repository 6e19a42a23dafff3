/**
 * `npm run bench:latency [-- --seconds 30] [--messages 300] [--simulate MODEL.json] [--svg FILE]`: from post to stored and to published, by rate
 * and by the windows of queue and stream. Measures a cost model and latencies on the local stacks, prints them beside the simulation of the same, then
 * simulates AWS, and draws that. `--simulate` takes the cost model that an earlier run wrote to build/latency/model.json, and measures nothing.
 * Exit code 1 if the defaults miss a target; 2 if it failed.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readSettings } from '../../../lib/app/read-settings.ts';
import { printVerdict } from '../../engine/print.ts';
import { Run } from '../../engine/run.ts';
import { startLocalPipeline } from '../../support/local-pipeline.ts';
import { runScript, wholeNumber } from '../../support/run-script.ts';
import { type CostModel, costModel } from '../cost/model.ts';
import { takeSample } from '../cost/sample.ts';
import { type Scenario, scenarioOf } from '../cost/scenario.ts';
import { onThisMachine, type Windows } from './mappings.ts';
import { measure } from './measure.ts';
import { plot } from './plot.ts';
import { type Compared, chart, choiceTable, comparedTable, missed, thrifty } from './report.ts';
import { simulate } from './simulate.ts';

interface Costs {
  readonly model: CostModel;
  readonly scenario: Scenario;
}

const modelFile = resolve('build/latency/model.json');
const localRates = [1, 10, 50] as const;

async function sampleCosts(messages: number): Promise<Costs> {
  const sample = await takeSample(messages, {});
  const costs = { model: costModel(sample), scenario: scenarioOf(readSettings({}), sample.facts) };
  mkdirSync(dirname(modelFile), { recursive: true });
  writeFileSync(modelFile, JSON.stringify(costs, null, 2));
  return costs;
}

/** Measures the local stacks with these windows at each rate, and prints that beside the simulation. That of the stream is no setting: it is always the default. */
async function compare(windows: Windows, seconds: number): Promise<void> {
  const settings = {
    'sms:workerBatchSize': windows.batchSize,
    'sms:workerBatchWindowSeconds': windows.queueSeconds,
  };
  await using run = new Run(await startLocalPipeline(settings));
  const prefix = `w${windows.queueSeconds}`;
  await measure(run, { perSecond: 20, events: 200, series: `${prefix}-warm` });
  const compared: Compared[] = [];
  for (const perSecond of localRates) {
    const events = Math.max(60, perSecond * seconds);
    const measured = await measure(run, { perSecond, events, series: `${prefix}-${perSecond}` });
    const simulated = simulate(onThisMachine(perSecond, windows, measured.times));
    compared.push({ windows, perSecond, measured, simulated });
  }
  console.log(`${comparedTable(compared)}\n`);
}

await runScript(async () => {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '30' },
      messages: { type: 'string', default: '300' },
      simulate: { type: 'string' },
      svg: { type: 'string', default: 'docs/images/latency.svg' },
    },
  });
  const seconds = wholeNumber('seconds', values.seconds);
  const messages = wholeNumber('messages', values.messages, 10);
  const costs: Costs =
    values.simulate === undefined
      ? await sampleCosts(messages)
      : JSON.parse(readFileSync(values.simulate, 'utf8'));
  const { worker, publisher } = costs.scenario;
  const streamSeconds = publisher.windowSeconds;
  const defaults = { batchSize: worker.batchSize, queueSeconds: worker.windowSeconds, streamSeconds };
  if (values.simulate === undefined) {
    for (const windows of [
      { batchSize: 10, queueSeconds: 0, streamSeconds },
      defaults,
      { batchSize: 100, queueSeconds: 1, streamSeconds },
      { batchSize: 100, queueSeconds: 5, streamSeconds },
    ])
      await compare(windows, seconds);
  }
  const choices = chart(
    [
      { batchSize: 10, queueSeconds: 0, streamSeconds: 0 },
      defaults,
      { batchSize: 10, queueSeconds: 1, streamSeconds: 0 },
      { batchSize: 100, queueSeconds: 1, streamSeconds: 0 },
      thrifty,
      { batchSize: 100, queueSeconds: 5, streamSeconds: 0 },
      { batchSize: 100, queueSeconds: 5, streamSeconds: 5 },
    ],
    defaults,
    costs,
  );
  console.log(`${choiceTable(choices)}\n`);
  const sizes = [2, 3, 4, 6, 8, 10, 100].map((batchSize) => ({ ...defaults, batchSize }));
  mkdirSync(dirname(values.svg), { recursive: true });
  writeFileSync(values.svg, plot(choices, chart(sizes, defaults, costs)));
  return printVerdict(missed(choices));
});
