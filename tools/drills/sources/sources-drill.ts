import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { historyId } from '../../../contract/events/source-id.ts';
import { decidingEntry, type Message } from '../../../functions/history/index.ts';
import { createOptOutReader, readMessages } from '../../../functions/history/io.ts';
import { createRandom, shuffled } from '../../../local/sms-service/random.ts';
import { printVerdict } from '../../engine/print.ts';
import { type LocalPipeline, startLocalPipeline, unthrottled } from '../../support/local-pipeline.ts';
import { wholeNumber } from '../../support/run-script.ts';
import { smsCommand } from '../../support/sms-command.ts';
import { renderTable } from '../../support/table.ts';
import { until } from '../../support/until.ts';

/** A source of the drill: a service with its own way to sign, and its own words. */
interface DrillSource {
  readonly name: string;
  /** Undefined for the contract that ships. */
  readonly preset: string | undefined;
  /** For a message under way, one that arrived and one that did not: the word of the service, and what the history makes of it. */
  readonly words: Readonly<Record<State, readonly [word: string, status: string]>>;
  /** What the ids of its messages begin with: two sources have the same. */
  readonly series: string;
  /** No other source sends to this number. */
  readonly recipient: string;
  /** The port of its sandbox, counted from the first port of the run. */
  readonly port: number;
}

const sources: readonly DrillSource[] = [
  {
    name: 'main',
    preset: undefined,
    words: {
      open: ['sent', 'sent'],
      arrived: ['delivered', 'delivered'],
      failed: ['undelivered', 'undelivered'],
    },
    series: 'msg',
    recipient: '+12025550143',
    port: 1,
  },
  {
    name: 'backup',
    preset: 'vonage-sms',
    words: {
      open: ['buffered', 'queued'],
      arrived: ['delivered', 'delivered'],
      failed: ['failed', 'failed'],
    },
    series: 'msg',
    recipient: '+12025550144',
    port: 10,
  },
  {
    name: 'migration',
    preset: 'messagebird-sms',
    words: {
      open: ['sent', 'sent'],
      arrived: ['delivered', 'delivered'],
      failed: ['delivery_failed', 'undelivered'],
    },
    series: 'mb',
    recipient: '+12025550145',
    port: 11,
  },
];

type State = 'open' | 'arrived' | 'failed';

/** Every fourth message fails, and every fifth one is still under way. The same number has another state at another source. */
function stateOf(number: number, source: number): State {
  const turn = number + source;
  if (turn % 5 === 0) return 'open';
  return turn % 4 === 0 ? 'failed' : 'arrived';
}

const start = Date.UTC(2026, 0, 15, 12);
const stopper = '+12025550149';

/**
 * Three sources with three ways to sign post shuffled and repeated reports at once, two of them about the same ids. Is every message in its
 * own state, and none in another's? Are the figures of each source its own? Is a number that opted out at one source opted out? @returns the exit code
 */
export async function playSources(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: '1' },
      messages: { type: 'string', default: '3000' },
      flood: { type: 'string', default: '0' },
    },
  });
  const count = wholeNumber('messages', values.messages, 20);
  const flood = wholeNumber('flood', values.flood, 0);
  const random = createRandom(wholeNumber('seed', values.seed, 0));
  const begun = Date.now();
  const setting = blocks();
  const pipeline = await startLocalPipeline({
    ...unthrottled,
    'sms:sources': JSON.stringify(setting),
    'sms:workerBatchSize': '100',
  });
  try {
    const sent = await Promise.all(
      sources.map((source, index) => post(pipeline, source, eventsOf(source, index, count, random))),
    );
    await post(pipeline, sourceNamed('backup'), [
      {
        kind: 'sms.reply',
        id: 'stop-1',
        fields: { replyId: 'stop-1', from: stopper, to: '+12025550100', text: 'STOP' },
      },
    ]);
    const broken = (
      await Promise.all(sources.map((source, index) => judge(pipeline, source, index, count)))
    ).flat();
    const { dynamoDb, outputs } = pipeline;
    const register = createOptOutReader(dynamoDb, outputs.HistoryTableName ?? '');
    await until('the reply is in the register', async () => (await register.number(stopper)) !== undefined);
    const statement = await register.number(stopper);
    if (statement?.state !== 'out' || statement.source !== 'backup')
      broken.push('the STOP is not in the register');
    broken.push(...(await wrongFigures(pipeline, count)));
    const delays = flood === 0 ? undefined : await delaysOfQuietSource(pipeline, flood, random);
    broken.push(...judgeDelays(delays));
    broken.push(...(await wrongCommands(pipeline, setting.backup?.contractFile ?? '')));
    const rows = [
      ['messages', count * sources.length],
      ['requests', sent.reduce((sum, one) => sum + one, 0)],
      ['messages in another state, or of another source', broken.length],
      ...rowsOf(delays),
      ['seconds', Math.round((Date.now() - begun) / 1000)],
    ];
    console.log(renderTable(rows.map(([name, figure]) => [String(name), String(figure)])));
    return printVerdict(broken);
  } finally {
    await pipeline.stop();
  }
}

/** How many reports of the quiet source are timed, alone and during the flood. */
const timedReports = 40;

/** What a flood at one source did to another. */
interface Delays {
  readonly reports: number;
  /** Whether the flood was still going on when the last report was timed. */
  readonly wasFlooded: boolean;
  /** From post to history, milliseconds. */
  readonly p95: { readonly alone: number; readonly during: number };
}

/** Times reports of one source from their post to the history: alone, and while another source receives many. */
async function delaysOfQuietSource(
  pipeline: LocalPipeline,
  reports: number,
  random: () => number,
): Promise<Delays> {
  const quiet = sourceNamed('backup');
  const main = sourceNamed('main');
  const alone = await timeReports(pipeline, quiet, 'alone');
  const many = eventsOf({ ...main, series: 'flood' }, 0, reports / 2, random);
  let isOver = false;
  const flooded = post(pipeline, main, many).finally(() => {
    isOver = true;
  });
  const during = await timeReports(pipeline, quiet, 'during');
  const wasFlooded = !isOver;
  await flooded;
  return {
    reports: many.length,
    wasFlooded,
    p95: { alone: percentile95(alone), during: percentile95(during) },
  };
}

/** A quiet source may take so long during a flood, or so many times as long as alone. A busy machine is slow at everything. */
const limitMs = 2_000;
const limitRatio = 1.5;

function judgeDelays(delays: Delays | undefined): string[] {
  if (delays === undefined) return [];
  const { reports, wasFlooded, p95 } = delays;
  if (!wasFlooded) return [`the flood of ${reports} reports ended before the timing: raise --flood`];
  return p95.during < limitMs || p95.during < limitRatio * p95.alone
    ? []
    : [
        `the quiet source took ${Math.round(p95.during)} ms during the flood, ${Math.round(p95.alone)} ms alone`,
      ];
}

function rowsOf(delays: Delays | undefined): (readonly [string, string])[] {
  if (delays === undefined) return [];
  const { reports, p95 } = delays;
  return [
    ['reports of the flood', String(reports)],
    ['p95 of the quiet source alone', `${Math.round(p95.alone)} ms`],
    ['p95 of the quiet source during the flood', `${Math.round(p95.during)} ms`],
  ];
}

async function timeReports(pipeline: LocalPipeline, source: DrillSource, series: string): Promise<number[]> {
  const { dynamoDb, outputs } = pipeline;
  const delays: number[] = [];
  for (let number = 0; number < timedReports; number += 1) {
    const messageId = `${series}-${number}`;
    const id = historyId({ source: source.name, id: messageId });
    const fields = {
      messageId,
      recipient: source.recipient,
      status: source.words.arrived[0],
      occurredAt: new Date(start).toISOString(),
    };
    const begun = performance.now();
    await post(pipeline, source, [{ kind: 'sms.status', id: messageId, fields }]);
    await until(`${id} is stored`, async () => {
      return (await readMessages(dynamoDb, outputs.HistoryTableName ?? '', [id])).has(id);
    });
    delays.push(performance.now() - begun);
  }
  return delays;
}

function percentile95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0;
}

/** The day on which all messages of the drill happened. */
const theDay = '--since 2026-01-15 --until 2026-01-16';

const countedSources = z.object({
  total: z.object({
    sources: z.array(
      z.object({ source: z.string(), messages: z.number(), delivered: z.number(), failed: z.number() }),
    ),
  }),
});

/** Compares the figures by source with what was sent. @returns one line for each source that differs */
async function wrongFigures({ directory }: LocalPipeline, count: number): Promise<string[]> {
  let broken: string[] = [];
  const compare = async () => {
    const line = `insights ${theDay} --interval day --by source --json total`;
    const { out } = await smsCommand(directory, line.split(' '));
    const { total } = countedSources.parse(JSON.parse(out));
    broken = sources.flatMap(({ name }, index) => {
      const states = Array.from({ length: count }, (_, number) => stateOf(number, index));
      const countOf = (state: State) => states.filter((one) => one === state).length;
      const expected = { messages: count, delivered: countOf('arrived'), failed: countOf('failed') };
      const found = total.sources.find(({ source }) => source === name);
      const isRight =
        found?.messages === expected.messages &&
        found.delivered === expected.delivered &&
        found.failed === expected.failed;
      return isRight
        ? []
        : [`figures of ${name}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`];
    });
    return broken.length === 0;
  };
  await until('the figures have every message', compare, 120_000).catch(() => undefined);
  return broken;
}

/** Runs the commands of docs/guides/several-sources.md. @returns one line for each that answers something else */
async function wrongCommands({ directory }: LocalPipeline, contractFile: string): Promise<string[]> {
  const commands: readonly (readonly [line: string, code: number, text: string])[] = [
    ['message get backup/msg-0', 0, 'backup/msg-0'],
    ['message get mb-0', 0, 'migration/mb-0'],
    ['message get msg-0', 1, 'Several sources use this id: main, backup.'],
    [`message list ${theDay} --source backup --limit 1`, 0, 'backup/msg-'],
    [`message list ${theDay} --source nowhere`, 1, 'one of main, backup, migration'],
    [`insights ${theDay} --interval day --by source`, 0, 'migration'],
    [`doctor --source backup --contract ${contractFile}`, 0, 'is removed from the history'],
    [`webhook status --source nowhere`, 1, 'has no source nowhere'],
  ];
  const answers = await Promise.all(
    commands.map(async ([line, code, text]) => {
      const answer = await smsCommand(directory, line.split(' '));
      const isRight = answer.code === code && (answer.out + answer.err).includes(text);
      return isRight ? [] : [`sms ${line}: exit ${answer.code}: ${answer.out}${answer.err}`];
    }),
  );
  return answers.flat();
}

function sourceNamed(name: string): DrillSource {
  const found = sources.find((source) => source.name === name);
  if (found === undefined) throw new Error(`no source ${name}`);
  return found;
}

/** Returns the setting `sms:sources`. */
function blocks(): Record<string, { readonly contractFile: string; readonly workerBatchSize: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'sources-drill-'));
  return Object.fromEntries(
    sources.flatMap(({ name, preset }) => {
      if (preset === undefined) return [];
      const contractFile = join(folder, `${name}.json`);
      writeFileSync(contractFile, JSON.stringify({ extends: preset }));
      return [[name, { contractFile, workerBatchSize: 100 }]];
    }),
  );
}

interface DrillEvent {
  /** Repeats of a report have its id, where a service signs one. */
  readonly id: string;
  readonly kind: 'sms.status' | 'sms.reply';
  readonly fields: Readonly<Record<string, string>>;
}

/** Returns the reports of a source, shuffled, each one to three times. */
function eventsOf(source: DrillSource, index: number, count: number, random: () => number): DrillEvent[] {
  const reports = Array.from({ length: count }, (_, number) => {
    const state = stateOf(number, index);
    const states: readonly State[] = state === 'open' ? ['open'] : ['open', state];
    return states.map(
      (reported, step): DrillEvent => ({
        kind: 'sms.status',
        id: `${source.series}-${number}-${step}`,
        fields: {
          messageId: `${source.series}-${number}`,
          recipient: source.recipient,
          status: source.words[reported][0],
          occurredAt: new Date(start + step * 60_000).toISOString(),
        },
      }),
    );
  }).flat();
  const repeated = reports.flatMap((one) => Array<DrillEvent>(1 + Math.floor(random() * 3)).fill(one));
  return shuffled(repeated, random);
}

/** Has the sandbox of a source send events. @returns how many */
async function post(
  { port }: LocalPipeline,
  source: DrillSource,
  events: readonly DrillEvent[],
): Promise<number> {
  const size = 2000;
  for (let from = 0; from < events.length; from += size) {
    const response = await fetch(`http://127.0.0.1:${port + source.port}/sandbox/events`, {
      method: 'POST',
      body: JSON.stringify({
        events: events.slice(from, from + size),
        options: { concurrency: 20, attempts: 5 },
      }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`the sandbox of ${source.name} answered ${response.status}: ${text}`);
    const { failed } = z.object({ failed: z.array(z.unknown()) }).parse(JSON.parse(text));
    if (failed.length > 0) throw new Error(`${failed.length} events of ${source.name} were not acknowledged`);
  }
  return events.length;
}

/** Compares the messages of a source with what was sent. @returns one line for each message that differs */
async function judge(
  { dynamoDb, outputs }: LocalPipeline,
  source: DrillSource,
  index: number,
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, number) =>
    historyId({ source: source.name, id: `${source.series}-${number}` }),
  );
  let broken: string[] = [];
  const compare = async () => {
    broken = [];
    for (let from = 0; from < count; from += 100) {
      const some = ids.slice(from, from + 100);
      const stored = await readMessages(dynamoDb, outputs.HistoryTableName ?? '', some);
      for (const [offset, id] of some.entries())
        broken.push(...wrong(id, stored.get(id), source, stateOf(from + offset, index)));
    }
    return broken.length === 0;
  };
  // The queues may still be full. If the messages never get there, the differences say what is wrong.
  await until(`the messages of ${source.name} are stored`, compare, 120_000).catch(() => undefined);
  return broken;
}

function wrong(id: string, message: Message | undefined, source: DrillSource, state: State): string[] {
  if (message === undefined) return [`${id}: missing`];
  const found = decidingEntry(message).status;
  const [, expected] = source.words[state];
  const reports = state === 'open' ? 1 : 2;
  return [
    ...(found === expected ? [] : [`${id}: ${found} instead of ${expected}`]),
    ...(message.phone === source.recipient ? [] : [`${id}: sent to the recipient of another source`]),
    ...(message.events.size === reports
      ? []
      : [`${id}: ${message.events.size} reports instead of ${reports}`]),
  ];
}
