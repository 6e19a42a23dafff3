import { paginateScan } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { openMessagesOf } from '../../../functions/history/open-batch.ts';
import { localBus } from '../../support/local-bus.ts';
import type { LocalPipeline } from '../../support/local-pipeline.ts';
import { until } from '../../support/until.ts';
import { cpuMsOf } from '../pipeline/cpu-time.ts';
import { sizeOf } from './write-rules.ts';

const callsSchema = z.object({
  calls: z.array(
    z.object({
      caller: z.string(),
      operation: z.string(),
      calls: z.number(),
      failed: z.number(),
      requestBytes: z.number(),
      requestChunks: z.number(),
    }),
  ),
});
const functionsSchema = z.object({
  functions: z.record(
    z.string(),
    z.object({ invocations: z.number(), billedMs: z.number(), running: z.number() }),
  ),
});

export const measuredFunctions = ['ingest', 'worker', 'publisher'] as const;
export type MeasuredFunction = (typeof measuredFunctions)[number];

/**
 * What a run has counted so far: `published`; of each function for example `worker invocations`, `billedMs` (each rounded up to the
 * next millisecond), `cpuMs`, `logLines` and `logBytes`; of its calls for example `worker UpdateItem calls`, `failed`,
 * `requestBytes` and `requestChunks`.
 */
export type Counters = ReadonlyMap<string, number>;

/** Reads everything that a local run counts, as soon as no function is at work. */
export async function readCounters(pipeline: LocalPipeline): Promise<Counters> {
  const { port } = pipeline;
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${port + 4}/local/${path}`)).json();
  const functions = await until('the functions are idle', async () => {
    const answer = functionsSchema.parse(await get('lambda/metrics'));
    return Object.values(answer.functions).every(({ running }) => running === 0) && answer.functions;
  });
  const { calls } = callsSchema.parse(await get('calls'));
  const { next } = await localBus(port).publishedAfter(Number.MAX_SAFE_INTEGER);
  const counters = new Map([['published', next]]);
  for (const name of measuredFunctions) {
    const { invocations = 0, billedMs = 0 } = functions[name] ?? {};
    const log = pipeline.functionLog(name);
    const logLines = log.split('\n').filter((line) => line !== '').length;
    const cpuMs = pipeline.processes(name).reduce((sum, pid) => sum + cpuMsOf(pid), 0);
    const amounts = { invocations, billedMs, cpuMs, logLines, logBytes: Buffer.byteLength(log) - logLines };
    for (const [what, amount] of Object.entries(amounts)) counters.set(`${name} ${what}`, amount);
  }
  for (const { caller, operation, ...amounts } of calls)
    for (const [what, amount] of Object.entries(amounts))
      counters.set(`${caller} ${operation} ${what}`, amount);
  for (const [what, amount] of Object.entries(await countOpenBatches(pipeline)))
    counters.set(`openBatches ${what}`, amount);
  return counters;
}

/** Counts what the worker has noted: items, their bytes and messages, and the part of the bytes that messages take. */
async function countOpenBatches({ dynamoDb, outputs }: LocalPipeline) {
  const input = { TableName: outputs.OpenBatchesTableName, ConsistentRead: true };
  const counted = { items: 0, messages: 0, bytes: 0, messageBytes: 0 };
  for await (const { Items = [] } of paginateScan({ client: dynamoDb }, input))
    for (const item of Items.filter(({ e }) => e !== undefined)) {
      // What only an archive notes is estimated from the events (usage.ts).
      const { a: _, ...open } = item;
      const { e = { L: [] } } = open;
      counted.items += 1;
      counted.messages += openMessagesOf(item).length;
      counted.bytes += sizeOf(open);
      counted.messageBytes += sizeOf({ e });
    }
  return counted;
}

/** Returns the difference between two readings. */
export function differenceOf(before: Counters, after: Counters): Counters {
  return new Map([...after].map(([name, amount]) => [name, amount - (before.get(name) ?? 0)]));
}
