import { type Billable, costOf, nameOf } from '../cost/prices.ts';
import { percentile } from '../support/statistics.ts';
import type { AwsFigures } from './aws-figures.ts';
import type { Outcome } from './scenario.ts';

/** A pipeline that was deployed and tried. */
export interface Pass {
  /** For example `secret stored by hand`. */
  readonly name: string;
  readonly outcome: Outcome;
  /** What was used, or why that is not known. */
  readonly figures: AwsFigures | string;
  /** MiB, by function. */
  readonly memory: Readonly<Record<string, number>>;
  /** Undefined while the pipeline is not destroyed. */
  readonly left: readonly string[] | undefined;
  readonly seconds: number;
}

export interface ReportHead {
  readonly date: string;
  /** The account and region, or the emulator. */
  readonly place: string;
  readonly versions: Readonly<Record<string, string>>;
}

/** Returns the figures, or why they cannot be read: CloudWatch may be late, and a permission may be missing. */
export async function figuresOrReason(read: () => Promise<AwsFigures>): Promise<AwsFigures | string> {
  try {
    return await read();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Returns what broke in a pass, one line each. */
export function missesOf({ outcome, left }: Pick<Pass, 'outcome' | 'left'>): string[] {
  return [
    ...outcome.steps.flatMap(({ name, broken }) => broken.map((what) => `${name}: ${what}`)),
    ...(left?.map((what) => `not destroyed: ${what}`) ?? [
      'not destroyed yet: this report was written before',
    ]),
  ];
}

/** Returns the units that were measured, by what is billed. What an hour of alarms, keys and storage costs is not in it. */
export function unitsOf({ outcome, memory }: Pick<Pass, 'outcome' | 'memory'>, figures: AwsFigures) {
  const gbSeconds = figures.functions.reduce(
    (sum, { name, billedMs }) => sum + (billedMs / 1000) * ((memory[name] ?? 128) / 1024),
    0,
  );
  return {
    httpApiRequests: outcome.posts,
    lambdaRequests: figures.functions.reduce((sum, { invocations }) => sum + invocations, 0),
    lambdaGbSeconds: gbSeconds,
    dynamoDbWriteUnits: figures.writeUnits,
    eventBridgeEvents: outcome.published,
  } satisfies Partial<Record<Billable, number>>;
}

const ms = (value: number) => (Number.isNaN(value) ? '' : Math.round(value).toLocaleString('en'));
const row = (...cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;

/** Writes the report in Markdown. */
export function reportOf({ date, place, versions }: ReportHead, passes: readonly Pass[]): string {
  const misses = passes.flatMap((pass) => missesOf(pass).map((miss) => `- **${pass.name}**: ${miss}`));
  return [
    `# Acceptance, ${date}, ${place}`,
    '',
    ...Object.entries(versions).map(([name, version]) => `- ${name} ${version}`),
    '',
    misses.length === 0 ? 'Every check held.' : `## Missed\n\n${misses.join('\n')}`,
    ...passes.flatMap((pass) => ['', ...sectionOf(pass)]),
    '',
  ].join('\n');
}

function sectionOf(pass: Pass): string[] {
  const { name, outcome, figures, seconds } = pass;
  return [
    `## ${name}`,
    '',
    `${Math.round(seconds)} s with deployment and destruction.`,
    '',
    row('step', 'found', ''),
    '|---|---|---|',
    ...outcome.steps.map((step) =>
      row(step.name, step.found, step.broken.length === 0 ? 'ok' : '**missed**'),
    ),
    '',
    row('ms from a post to', 'count', 'p50', 'p95', 'p99', 'max'),
    '|---|---:|---:|---:|---:|---:|',
    ...Object.entries(outcome.latencies).map(([what, values]) => {
      const sorted = values.toSorted((a: number, b: number) => a - b);
      const at = [50, 95, 99, 100].map((percent) => ms(percentile(sorted, percent)));
      return row(latencyNames[what] ?? what, sorted.length, ...at);
    }),
    '',
    ...(typeof figures === 'string'
      ? [`What was used is not known: ${figures}`]
      : figuresSection(pass, figures)),
  ];
}

function figuresSection(pass: Pass, figures: AwsFigures): string[] {
  const units = Object.entries(unitsOf(pass, figures)) as [Billable, number][];
  const dollars = units.reduce((sum, [billable, amount]) => sum + costOf(billable, amount), 0);
  return [
    row('function', 'invocations', 'billed ms', 'cold starts', 'longest init ms'),
    '|---|---:|---:|---:|---:|',
    ...figures.functions
      .filter(({ invocations }) => invocations > 0)
      .map(({ name: label, invocations, billedMs, coldStartsMs }) => {
        const longest = coldStartsMs.length > 0 ? ms(Math.max(...coldStartsMs)) : '';
        return row(label, invocations, ms(billedMs), coldStartsMs.length, longest);
      }),
    '',
    row('billed', 'units', 'US dollars'),
    '|---|---:|---:|',
    ...units.map(([billable, amount]) =>
      row(nameOf(billable), Number(amount.toFixed(2)), costOf(billable, amount).toFixed(5)),
    ),
    row('together, without storage, alarms, logs and requests to queues', '', dollars.toFixed(5)),
  ];
}

const latencyNames: Readonly<Record<string, string>> = {
  answered: 'its answer',
  stored: 'the history, each alone',
  published: "a subscriber's queue, received there",
};
