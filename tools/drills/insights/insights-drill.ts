import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pMap from 'p-map';
import { createHistoryWriter } from '../../../functions/history/io.ts';
import { createRandom } from '../../../local/sms-service/random.ts';
import type { Fault } from '../../engine/fault-control.ts';
import { printVerdict } from '../../engine/print.ts';
import { Run } from '../../engine/run.ts';
import { startLocalPipeline } from '../../support/local-pipeline.ts';
import { wholeNumber } from '../../support/run-script.ts';
import { renderTable } from '../../support/table.ts';
import { until } from '../../support/until.ts';
import { countsIn, differences, readCounters } from './compare.ts';
import { recount } from './recount.ts';
import { makeTraffic } from './traffic.ts';

/** The function is killed so many times, and then invoked twice with every batch until the end. */
const kills = 5;
const writers = 16;
/** Counters that do not change for this long are final. */
const quietMs = 120_000;
const pollMs = 2000;

/** Of five transactions one is throttled; of fifty another one loses its answer after it was written. */
const faults: Fault[] = Array.from({ length: 400 }, (_, index) => {
  const call = { caller: 'insights', service: 'dynamodb', operation: 'TransactWriteItems' } as const;
  return { ...call, kind: index % 10 === 9 ? 'drop' : 'throttle', after: index * 5 + 4, calls: 1 };
});

/** Counts events while the function is killed and its calls fail: is every counter that of an independent recount? @returns the exit code */
export async function playInsights(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { seed: { type: 'string', default: '1' }, events: { type: 'string', default: '100000' } },
  });
  const events = wholeNumber('events', values.events, 500);
  const seed = wholeNumber('seed', values.seed, 0);
  const startedAt = Date.now();
  const traffic = makeTraffic(events, createRandom(seed), Math.floor(startedAt / 86_400_000) * 86_400_000);
  const expected = recount(traffic);
  const { arrivals } = traffic;
  console.log(`${arrivals.length} arrivals of ${traffic.messages.length} messages, shuffled (seed ${seed})`);
  await using run = new Run(await startLocalPipeline());
  const { dynamoDb, outputs } = run.pipeline;
  const { HistoryTableName = '', InsightsTableName = '' } = outputs;
  const settings = { retentionDays: 400, listShards: Number(outputs.ListShards) };
  const writer = createHistoryWriter(dynamoDb, HistoryTableName, settings);
  await run.faults.set(faults);

  let written = 0;
  const part = Math.ceil(arrivals.length / (kills + 1));
  for (let kill = 0; kill <= kills; kill++) {
    const killing = kill === 0 ? undefined : killAtWork(run);
    await pMap(
      arrivals.slice(kill * part, (kill + 1) * part),
      async (arrival) => {
        if (arrival.kind === 'message') await writer.storeMessage(arrival.view);
        else await writer.storeReply(arrival.view);
        written += 1;
        if (written % 10_000 === 0) console.log(`${written} stored after ${seconds(startedAt)} s`);
      },
      { concurrency: writers },
    );
    await killing;
    // Every batch of the second half is processed twice at once.
    if (kill === Math.floor(kills / 2)) await run.faults.setFunctions({ insights: { invokeTwice: true } });
  }
  const storedAfter = seconds(startedAt);

  let left: string[] = [];
  let changedAt = Date.now();
  await until(
    'all is counted, or nothing changes any more',
    async () => {
      await delay(pollMs);
      const now = differences(await readCounters(dynamoDb, InsightsTableName), expected);
      if (now.length !== left.length) changedAt = Date.now();
      left = now;
      return now.length === 0 || Date.now() - changedAt > quietMs;
    },
    3_600_000,
  );
  const { invocations, errors, doubled } = await run.faults.functionCounts('insights');
  const spoiled = await run.faults.hits();
  const rows: readonly (readonly [string, number])[] = [
    ['events', traffic.messages.reduce((sum, { reports }) => sum + reports.length, 0)],
    ['messages', traffic.messages.length],
    ['replies', traffic.replies.length],
    ['sends', new Set(traffic.messages.map(({ send }) => send)).size],
    ['arrivals, with repeats', arrivals.length],
    ['invocations of insights', invocations],
    ['of these failed: killed, and halved by Lambda', errors],
    ['of these invoked twice at once', doubled],
    ['transactions throttled', spoiled.get('throttle') ?? 0],
    ['transactions whose answer was lost', spoiled.get('drop') ?? 0],
    ['items of counters', expected.size],
    ['counts compared with the recount', countsIn(expected)],
    ['counts that differ', left.length],
    ['seconds to store', storedAfter],
    ['seconds in all', seconds(startedAt)],
  ];
  console.log(renderTable(rows.map(([name, figure]) => [name, String(figure)])));
  return printVerdict(left);
}

/** Kills the function in the middle of a batch. */
async function killAtWork(run: Run): Promise<void> {
  await until(
    'insights works',
    async () => (await run.faults.functionCounts('insights')).running > 0,
    600_000,
  );
  await run.kill('insights');
}

const seconds = (since: number) => Math.round((Date.now() - since) / 1000);
