import * as z from 'zod';
import { localBus } from '../../support/local-bus.ts';
import type { LocalPipeline } from '../../support/local-pipeline.ts';
import { until } from '../../support/until.ts';
import { cpuMsOf } from '../pipeline/cpu-time.ts';

const callSchema = z.object({
  caller: z.string(),
  service: z.string(),
  operation: z.string(),
  calls: z.number(),
  failed: z.number(),
  requestBytes: z.number(),
  requestChunks: z.number(),
});
const callsSchema = z.object({ calls: z.array(callSchema) });
const functionsSchema = z.object({
  functions: z.record(
    z.string(),
    z.object({ invocations: z.number(), billedMs: z.number(), running: z.number() }),
  ),
});

type Call = z.output<typeof callSchema>;

/** The counters of a function. */
export interface FunctionWork {
  readonly invocations: number;
  /** As they took here, each rounded up to the next millisecond. */
  readonly billedMs: number;
  /** The CPU time of its running processes, since they started. */
  readonly cpuMs: number;
  /** Lines it wrote, and their bytes without the line ends. */
  readonly logLines: number;
  readonly logBytes: number;
}

/** The counters of a run so far. */
export interface Counters {
  readonly calls: readonly Call[];
  readonly functions: Readonly<Record<string, FunctionWork>>;
  /** Events on the bus. */
  readonly published: number;
}

export const measuredFunctions = ['ingest', 'worker', 'publisher'] as const;
export type MeasuredFunction = (typeof measuredFunctions)[number];

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
  const works = measuredFunctions.map((name): [string, FunctionWork] => {
    const { invocations = 0, billedMs = 0 } = functions[name] ?? {};
    const lines = pipeline
      .functionLog(name)
      .split('\n')
      .filter((line) => line !== '');
    return [
      name,
      {
        ...{ invocations, billedMs },
        cpuMs: pipeline.processes(name).reduce((sum, pid) => sum + cpuMsOf(pid), 0),
        logLines: lines.length,
        logBytes: lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0),
      },
    ];
  });
  return { calls, functions: Object.fromEntries(works), published: next };
}

const callAmounts = ['calls', 'failed', 'requestBytes', 'requestChunks'] as const;
const workAmounts = ['invocations', 'billedMs', 'cpuMs', 'logLines', 'logBytes'] as const;

/** Returns the difference between two readings. */
export function differenceOf(before: Counters, after: Counters): Counters {
  const callKey = ({ caller, service, operation }: Call) => `${caller} ${service} ${operation}`;
  const known = new Map(before.calls.map((call) => [callKey(call), call]));
  return {
    published: after.published - before.published,
    calls: after.calls.map((call) => less(call, known.get(callKey(call)), callAmounts)),
    functions: Object.fromEntries(
      Object.entries(after.functions).map(([name, work]) => [
        name,
        less(work, before.functions[name], workAmounts),
      ]),
    ),
  };
}

/** Returns the later reading with its amounts less those of the earlier one. */
function less<Amount extends string, T extends Readonly<Record<Amount, number>>>(
  later: T,
  earlier: T | undefined,
  amounts: readonly Amount[],
): T {
  const differences = amounts.map((name) => [name, later[name] - (earlier?.[name] ?? 0)]);
  return { ...later, ...Object.fromEntries(differences) };
}
