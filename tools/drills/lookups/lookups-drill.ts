import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { decidingEntry, hasConflict, type Message } from '../../../functions/history/index.ts';
import { readMessages } from '../../../functions/history/io.ts';
import { createCounterReads } from '../../../functions/insights/io.ts';
import { localClient } from '../../../local/aws-protocol/call.ts';
import { createRandom } from '../../../local/sms-service/random.ts';
import type { Fault } from '../../engine/fault-control.ts';
import { printVerdict } from '../../engine/print.ts';
import { Run } from '../../engine/run.ts';
import { startLocalPipeline, unthrottled } from '../../support/local-pipeline.ts';
import { wholeNumber } from '../../support/run-script.ts';
import { renderTable } from '../../support/table.ts';
import { until } from '../../support/until.ts';
import { createdForMs, type MadeEvent, makeEvents } from './traffic.ts';

const minuteMs = 60_000;

/** The lookup function runs so often, as its schedule has it. */
const roundMs = 15 * minuteMs;
/** The simulated time after the last message by which every message must be right. */
const patienceMs = 120 * minuteMs;
/** No event arrives in this time, in simulated milliseconds after the start. */
const outage = { from: 30 * minuteMs, until: 60 * minuteMs };

/** The share of events that the service loses, outside of the outage. */
const lostShare = 0.05;
/** The share of the events of the outage that the service sends again after it, and of all events that it sends again at the end. */
const lateShare = 1 / 3;
const repeatedShare = 0.2;

/** In these rounds, counted from 0, the database refuses all writes of the lookup function after the first ones, so the run fails. */
const brokenRounds: readonly number[] = [2, 4];
const writesBeforeFailure = 3;

const refusedWrites: Fault = {
  caller: 'lookups',
  service: 'dynamodb',
  operation: 'UpdateItem',
  kind: 'fail',
  after: writesBeforeFailure,
  calls: null,
};

/** Each answer of a page holds so many stale states, in the rounds of the outage and after it. */
const staleAnswers = 300;

const knownMessages = z.object({ data: z.array(z.object({ id: z.string(), status: z.string() })) });
const stateSchema = z.object({ lookups: z.number() });

/**
 * The service loses reports, is cut off for half an hour, sends some of them late, and answers lookups with pages, 429 and stale states. The
 * database refuses writes of the lookups in some of their runs, which then fail. Does every message end in the state that the service knows, counted once? @returns the exit code
 */
export async function playLookups(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { seed: { type: 'string', default: '1' }, messages: { type: 'string', default: '20000' } },
  });
  const count = wholeNumber('messages', values.messages, 200);
  const random = createRandom(wholeNumber('seed', values.seed, 0));
  const begun = Date.now();
  // All of it is in the past, so no clock of this machine is behind it.
  const start = Math.floor((begun - createdForMs - patienceMs - 60 * minuteMs) / minuteMs) * minuteMs;
  const events = makeEvents(count, random, start);
  await using run = new Run(await startLocalPipeline({ ...unthrottled, ...lookupSettings() }));
  const sandboxUrl = `http://127.0.0.1:${run.pipeline.port + 1}`;
  const lambda = new LambdaClient(localClient(`http://127.0.0.1:${run.pipeline.port + 4}`));

  let rounds = 0;
  let crashes = 0;
  let broken = 0;
  const late: MadeEvent[] = [];
  for (let from = start; from < start + createdForMs + patienceMs; from += roundMs) {
    const at = from - start;
    const isCutOff = at >= outage.from && at < outage.until;
    const due = events.filter((event) => event.at >= from && event.at < from + roundMs);
    if (isCutOff) late.push(...due.filter(() => random() < lateShare));
    await run.sandbox.setFaults({ dropEvents: isCutOff ? 1 : lostShare });
    await post(sandboxUrl, due, random);
    if (at === outage.until) await post(sandboxUrl, movedTo(late, from + roundMs - 1), random);
    // Reports that arrive after the lookups found the state, once more.
    if (at === createdForMs + patienceMs / 2) {
      await run.sandbox.setFaults({ dropEvents: 0 });
      await post(
        sandboxUrl,
        movedTo(
          events.filter(() => random() < repeatedShare),
          from,
        ),
        random,
      );
    }
    await run.pipeline.untilQueueIsEmpty(run.pipeline.outputs.EventsQueueUrl, 600_000);

    const isTroubled = at < createdForMs;
    await run.sandbox.setFaults({
      staleAnswers: isTroubled ? staleAnswers : 0,
      // In every second round the service asks to wait for longer than a run lasts.
      refuseLookups: { status: 429, calls: 2, retryAfterSeconds: rounds % 2 === 0 ? 1 : 600 },
    });
    const isBroken = brokenRounds.includes(rounds);
    if (isBroken) await run.faults.set([refusedWrites]);
    await run.faults.setFunctions({ lookups: { clockOffsetMs: from + roundMs - Date.now() } });
    const answer = await lambda.send(
      new InvokeCommand({
        FunctionName: run.pipeline.outputs.LookupFunctionName,
        Payload: JSON.stringify({ source: 'aws.events' }),
      }),
    );
    const isHit = isBroken && (await run.faults.counts()).hit > 0;
    await run.faults.clear();
    if (isHit) broken += 1;
    if ((answer.FunctionError !== undefined) !== isHit) crashes += 1;
    rounds += 1;
    console.log(`${Math.round(at / minuteMs) + 15} simulated minutes after ${seconds(begun)} s`);
  }
  await run.faults.setFunctions({});

  const known = knownMessages.parse(await getJson(`${sandboxUrl}/sandbox/messages`)).data;
  const { lookups } = stateSchema.parse(await getJson(`${sandboxUrl}/sandbox/state`));
  const { dynamoDb, outputs } = run.pipeline;
  const stored = await readMessages(
    dynamoDb,
    outputs.HistoryTableName ?? '',
    known.map(({ id }) => id),
  );
  const wrong = known.flatMap(({ id, status }) => wrongState(id, status, stored.get(id)));
  const verified = await countedExactly(run, events, known);
  const found = [...stored.values()].filter((message) => decidingEntry(message).origin === 'lookup').length;
  const rows: readonly (readonly [string, string | number])[] = [
    ['messages', known.length],
    ['events', events.length],
    ['runs of the lookups', rounds],
    ['runs in which the database failed', broken],
    ['messages whose state only a lookup knows', found],
    ['requests of lookups', lookups],
    ['requests a message', (lookups / known.length).toFixed(3)],
    ['messages in another state than the service', wrong.length],
    ['sends whose figures differ', verified.length],
    ['seconds', seconds(begun)],
  ];
  console.log(renderTable(rows.map(([name, figure]) => [name, String(figure)])));
  const others = [
    ...(crashes > 0
      ? [`${crashes} runs of the lookups failed without a fault, or did not fail with one`]
      : []),
    ...(broken === 0 ? ['the database never failed'] : []),
    ...(found < known.length / 100 ? ['lookups had nothing to find'] : []),
    ...(stored.size < known.length ? [`${known.length - stored.size} messages are missing`] : []),
  ];
  return printVerdict([...wrong, ...verified, ...others]);
}

/** The settings of a contract whose lookups may be as fast as this machine. */
function lookupSettings(): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'lookups-drill-'));
  const file = join(folder, 'contract.json');
  const shipped = resolve(import.meta.dirname, '../../../contract.json');
  writeFileSync(file, JSON.stringify({ extends: shipped, lookups: { requestsPerSecond: 100 } }));
  // Large batches, because most of the time goes by in the worker.
  return { 'sms:contractFile': file, 'sms:lookups': 'on', 'sms:workerBatchSize': '100' };
}

/** Has the sandbox send events, each at its time. */
async function post(sandboxUrl: string, events: readonly MadeEvent[], random: () => number): Promise<void> {
  const size = 2000;
  for (let start = 0; start < events.length; start += size) {
    const response = await fetch(`${sandboxUrl}/sandbox/events`, {
      method: 'POST',
      body: JSON.stringify({
        events: events.slice(start, start + size).map(({ id, at, fields }) => ({
          kind: 'sms.status',
          id,
          at: new Date(at).toISOString(),
          fields,
        })),
        options: { concurrency: 50, attempts: 5, seed: Math.floor(random() * 2 ** 31) },
      }),
    });
    const { failed } = z.object({ failed: z.array(z.unknown()) }).parse(await response.json());
    if (failed.length > 0) throw new Error(`${failed.length} events were not acknowledged`);
  }
}

/** The same events, received at another time. */
function movedTo(events: readonly MadeEvent[], at: number): MadeEvent[] {
  return events.map((event) => ({ ...event, at: Math.max(at, event.at) }));
}

function wrongState(id: string, status: string, message: Message | undefined): string[] {
  if (message === undefined) return [`${id}: missing, instead of ${status}`];
  const found = decidingEntry(message).status;
  return [
    ...(found === status ? [] : [`${id}: ${found} instead of ${status}`]),
    ...(hasConflict(message) ? [`${id}: its reports contradict each other`] : []),
  ];
}

/** Compares the figures of each send with the states that the service knows. @returns one line for each difference */
async function countedExactly(
  run: Run,
  events: readonly MadeEvent[],
  known: readonly { readonly id: string; readonly status: string }[],
): Promise<string[]> {
  const { dynamoDb, outputs } = run.pipeline;
  const counters = createCounterReads(dynamoDb, outputs.InsightsTableName ?? '', Date.now);
  const sendOf = new Map(events.map(({ fields }) => [fields.messageId ?? '', fields.sendId ?? '']));
  const expected = new Map<string, Record<string, number>>();
  for (const { id, status } of known) {
    const send = sendOf.get(id) ?? '';
    const counts = expected.get(send) ?? {};
    counts[status] = (counts[status] ?? 0) + 1;
    expected.set(send, counts);
  }
  let wrong: string[] = [];
  const compareAll = async () => {
    wrong = [];
    for (const [send, counts] of expected) {
      const tally = (await counters.send(send))?.tally ?? {};
      const names = ['queued', 'sent', 'delivered', 'undelivered', 'failed', 'rejected', 'unknown'];
      for (const name of names)
        if ((tally[name] ?? 0) !== (counts[name] ?? 0))
          wrong.push(`${send} ${name}: ${tally[name] ?? 0} instead of ${counts[name] ?? 0}`);
    }
    return wrong.length === 0;
  };
  // Counting takes a while after the last write. If it never gets there, the differences say what is wrong.
  await until('the figures are those of the service', compareAll, 120_000).catch(() => undefined);
  return wrong;
}

async function getJson(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}

const seconds = (since: number) => Math.round((Date.now() - since) / 1000);
