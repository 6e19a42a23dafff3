import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { parseJson } from '../../../contract/text/json.ts';
import { printVerdict } from '../../engine/print.ts';
import { Run } from '../../engine/run.ts';
import { startLocalPipeline } from '../../support/local-pipeline.ts';
import { wholeNumber } from '../../support/run-script.ts';
import { renderTable } from '../../support/table.ts';
import { until } from '../../support/until.ts';
import { countsIn, differences, readCounters } from '../insights/compare.ts';
import { recount } from '../insights/recount.ts';
import { differentMessages, foldRows, readFacts } from './compare-messages.ts';
import { csvOf, drillMapping, makeRows } from './import-rows.ts';

const project = resolve(import.meta.dirname, '../../..');

/** The command is killed when it has done these parts of the rows. */
const killedAfter = [1 / 3, 2 / 3];
/** Counters that do not change for this long are final. */
const quietMs = 120_000;
const pollMs = 2000;

/**
 * Imports a file with a command that is killed twice: are the messages, the counters and the bus what the rows say? Then it undoes the import:
 * is the history as it was before? @returns the exit code
 */
export async function playImport(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { seed: { type: 'string', default: '1' }, rows: { type: 'string', default: '100000' } },
  });
  const seed = wholeNumber('seed', values.seed, 0);
  const { traffic, rows } = makeRows(wholeNumber('rows', values.rows, 5000), seed, Date.now());
  const expected = recount(traffic);
  await using run = new Run(await startLocalPipeline());
  const { dynamoDb, outputs, directory } = run.pipeline;
  const { HistoryTableName = '', InsightsTableName = '' } = outputs;
  const file = join(directory, 'history.csv');
  const mapping = join(directory, 'mapping.json');
  writeFileSync(file, csvOf(rows));
  writeFileSync(mapping, JSON.stringify(drillMapping));
  console.log(`${rows.length} rows of ${traffic.messages.length} messages (seed ${seed})`);

  const startedAt = Date.now();
  for (const part of killedAfter) {
    const done = await killCommand(file, mapping, directory, rows.length * part);
    console.log(`killed after ${seconds(startedAt)} s, with ${done} rows done`);
  }
  const last = startCommand(directory, file, '--mapping', mapping, '--confirm', '--json');
  const result = parseJson(await last.printed);
  const importMs = Date.now() - startedAt;
  console.log(`imported after ${seconds(startedAt)} s: ${JSON.stringify(result)}`);

  const broken: string[] = [];
  if ((await last.exitCode) !== 0) broken.push(`the last command ended with ${await last.exitCode}`);
  const messages = foldRows(rows);
  broken.push(...differentMessages(await readFacts(dynamoDb, HistoryTableName), messages));

  let uncounted: string[] = [];
  let changedAt = Date.now();
  await until(
    'all is counted, or nothing changes any more',
    async () => {
      await delay(pollMs);
      const now = differences(await readCounters(dynamoDb, InsightsTableName), expected);
      if (now.length !== uncounted.length) changedAt = Date.now();
      uncounted = now;
      return now.length === 0 || Date.now() - changedAt > quietMs;
    },
    3_600_000,
  );
  broken.push(...uncounted);
  console.log(`counted after ${seconds(startedAt)} s`);

  // The stream is read in order: after an event of a row that is published, no earlier row can be published any more.
  const marker = join(directory, 'marker.csv');
  writeFileSync(marker, csvOf(rows.slice(0, 1).map((row) => ({ ...row, messageId: 'marker' }))));
  await startCommand(directory, marker, '--mapping', mapping, '--confirm', '--publish').exitCode;
  await until('the marker is published', async () => (await run.readBus()).messages.has('marker'), 600_000);
  const published = [...run.published.messages].filter((id) => id !== 'marker');
  broken.push(...published.map((id) => `message ${id} was published`));

  const undoStartedAt = Date.now();
  const { importId = '' } = resultSchema.parse(result).files[0] ?? {};
  const done = await killUndo(
    importId,
    directory,
    async () => (await readFacts(dynamoDb, HistoryTableName)).size,
  );
  console.log(`the undo was killed with ${done} messages left`);
  const undo = startCommand(directory, '--undo', importId, '--confirm', '--json');
  const undone = parseJson(await undo.printed);
  console.log(`undone after ${seconds(undoStartedAt)} s: ${JSON.stringify(undone)}`);
  if ((await undo.exitCode) !== 0) broken.push(`the undo ended with ${await undo.exitCode}`);
  const undoMs = Date.now() - undoStartedAt;
  const left = await readFacts(dynamoDb, HistoryTableName);
  broken.push(...[...left.keys()].filter((id) => id !== 'marker').map((id) => `message ${id} is left`));
  if (!left.has('marker')) broken.push('the message of another import is gone');
  for (const words of [
    ['insights', 'rebuild', '--confirm'],
    ['insights', 'verify'],
  ]) {
    const code = await startWords(directory, ...words).exitCode;
    if (code !== 0) broken.push(`sms ${words.join(' ')} ended with ${code}`);
  }

  const figures: readonly (readonly [string, number])[] = [
    ['rows', rows.length],
    ['messages compared with an independent fold', messages.size],
    ['counts compared with the recount', countsIn(expected)],
    ['times the command was killed', killedAfter.length],
    ['messages that were published', published.length],
    ['differences', broken.length],
    ['seconds to import', Math.round(importMs / 1000)],
    ['rows a second', Math.round((rows.length * 1000) / importMs)],
    ['seconds to undo', Math.round(undoMs / 1000)],
    ['messages left by the undo', left.size - 1],
    ['seconds in all', seconds(startedAt)],
  ];
  console.log(renderTable(figures.map(([name, figure]) => [name, String(figure)])));
  return printVerdict(broken);
}

interface StartedCommand {
  readonly kill: () => void;
  readonly printed: Promise<string>;
  readonly exitCode: Promise<number | null>;
}

const resultSchema = z.object({ files: z.array(z.object({ importId: z.string() })) });

/** Starts the import as an operator does. */
function startCommand(directory: string, ...words: readonly string[]): StartedCommand {
  return startWords(directory, 'message', 'import', ...words);
}

function startWords(directory: string, ...words: readonly string[]): StartedCommand {
  const child = spawn(process.execPath, ['bin/sms.ts', ...words, '--dir', directory], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return {
    kill: () => void child.kill('SIGKILL'),
    printed: text(child.stdout),
    exitCode: once(child, 'close').then(([code]) => code),
  };
}

/** Kills a command once it has done some rows. @returns how many its progress counts */
async function killCommand(file: string, mapping: string, directory: string, rows: number): Promise<number> {
  const command = startCommand(directory, file, '--mapping', mapping, '--confirm');
  await until('the import is under way', () => doneRows(file) >= rows, 3_600_000);
  command.kill();
  await command.exitCode;
  return doneRows(file);
}

/** Kills an undo once it has deleted some messages. @returns how many are left */
async function killUndo(importId: string, directory: string, count: () => Promise<number>): Promise<number> {
  const before = await count();
  const command = startCommand(directory, '--undo', importId, '--confirm');
  await until('the undo is under way', async () => (await count()) < before, 600_000);
  command.kill();
  await command.exitCode;
  return count();
}

function doneRows(file: string): number {
  try {
    return JSON.parse(readFileSync(`${file}.import-progress`, 'utf8')).tally.rows;
  } catch {
    return 0;
  }
}

const seconds = (since: number) => Math.round((Date.now() - since) / 1000);
