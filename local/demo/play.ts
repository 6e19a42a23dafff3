import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { moduleFile } from '../../contract/document/package-store.ts';
import { projectFolder } from '../../contract/document/project-store.ts';
import { decidingEntry, type HistoryReader } from '../../functions/history/index.ts';
import { createHistoryLists, createHistoryReader } from '../../functions/history/io.ts';
import { createCounterReads } from '../../functions/insights/io.ts';
import type { SendFiguresView } from '../../functions/query/shapes.ts';
import type { LocalRun } from '../run/run.ts';
import type { Progress } from '../terminal/terminal.ts';
import { followSend, type LookAtSend } from './follow-send.ts';
import { playAutomations } from './play-automations.ts';
import { demonstrationScenario, partsOf, replyTo, type Scenario } from './scenario.ts';
import { sendEvents, untilNothing } from './send-events.ts';

/**
 * Plays the demonstration. The sandbox of the SMS service sends the status events of several messages, out of order and with repeats, and a reply.
 * Then the command-line tool shows the stored history. Returns the missing parts of the expected history, one line each.
 *
 * @param now gives ms since the epoch
 */
export async function playDemonstration(
  run: LocalRun,
  progress: Progress,
  now: () => number,
): Promise<string[]> {
  if (!run.registered) return ['the webhook is not registered at the SMS service'];
  if (run.historyTableName === undefined) return ['no stack has an output HistoryTableName'];
  const reader = createHistoryReader(run.dynamodb, run.historyTableName);
  const scenario = demonstrationScenario(now(), now().toString(36), run.statuses);
  const { events, messages } = scenario;
  progress.print('');
  progress.print(
    `Demonstration: ${messages.length} messages, ${events.length} status events, out of order, each sent 1 to 3 times`,
  );
  const look = lookAt(scenario.sendId, run, progress);
  let requests = 0;
  for (const part of partsOf(scenario)) {
    const bulk = await sendEvents(run.smsServiceUrl, part);
    if (bulk.kind === 'error') return [bulk.error];
    requests += bulk.value;
    const uncounted = await untilNothing(async () => (((await look?.()) ?? !look) ? [] : [notCounted]));
    if (uncounted.length > 0) return uncounted;
  }
  progress.step(`the sandbox sent ${requests} signed requests, all acknowledged`);
  const missing = await untilNothing(() => missingMessages(reader, scenario));
  if (missing.length > 0) return missing;
  const unlike = await untilNothing(async () =>
    look === undefined ? [] : missingFigures(await look(), scenario),
  );
  if (unlike.length > 0) return unlike;
  progress.step('every message has its final state, and each event once');

  const reply = await sendEvents(run.smsServiceUrl, [replyTo(scenario, now())]);
  if (reply.kind === 'error') return [reply.error];
  const { phone, messageId } = scenario.shown;
  // The reply is looked up by its number, because the contract decides on the reply's id.
  const lists = createHistoryLists(run.dynamodb, run.historyTableName, run.listShards);
  const missingReply = await untilNothing(async () => {
    const { entries } = await lists.phone({ phone }, { limit: 10 });
    return entries.some(({ kind }) => kind === 'reply') ? [] : [`the reply to ${messageId}: found nothing`];
  });
  if (missingReply.length > 0) return missingReply;
  progress.step('the reply is there');
  const missingEffects = await playAutomations(run, scenario, progress, now);
  if (missingEffects.length > 0) return missingEffects;
  return showHistory(scenario, run, progress);
}

const notCounted = 'the figures of the send: found nothing';

/** Prints the figures of a send as they change; undefined if nothing is counted. */
function lookAt(sendId: string, run: LocalRun, progress: Progress): LookAtSend | undefined {
  const table = run.output('InsightsTableName');
  // A contract without the id of a send has nothing counted by send.
  const hasSends = run.contract.events.status.sendId != null;
  if (table === undefined || !run.hasInsights || !hasSends) return undefined;
  const counters = createCounterReads(run.dynamodb, table, Date.now);
  return followSend(
    () => counters.send(sendId),
    (line) => progress.step(line),
  );
}

function missingFigures(found: SendFiguresView | undefined, { messages, pending }: Scenario): string[] {
  const expected = `${messages.length} messages, ${pending} of them pending`;
  const actual =
    found === undefined ? 'nothing' : `${found.messages} messages, ${found.pending} of them pending`;
  return actual === expected ? [] : [`the figures of the send: expected ${expected}, found ${actual}`];
}

async function missingMessages(reader: HistoryReader, { messages }: Scenario): Promise<string[]> {
  const missing: string[] = [];
  for (const { messageId, status, events } of messages) {
    const message = await reader.message(messageId);
    const actual = message && `${decidingEntry(message).status} after ${message.events.size} events`;
    const expected = `${status} after ${events} events`;
    if (actual !== expected) {
      missing.push(`message ${messageId}: expected ${expected}, found ${actual ?? 'nothing'}`);
    }
  }
  return missing;
}

async function showHistory({ shown }: Scenario, run: LocalRun, progress: Progress): Promise<string[]> {
  for (const question of [
    ['message', 'get', shown.messageId],
    ['number', 'show', shown.phone],
  ]) {
    const code = await runCli([...question, ...run.cliOptions], progress);
    if (code !== 0) return [`the command sms ${question.join(' ')} ended with code ${code}`];
  }
  return [];
}

/** Runs the command-line tool as a person would; returns its exit code. */
async function runCli(args: readonly string[], progress: Progress): Promise<number | null> {
  progress.print('');
  progress.print(`$ sms ${args.join(' ')}`);
  const child = spawn(process.execPath, [moduleFile('bin/sms.ts'), ...args], {
    cwd: projectFolder,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : null;
}
