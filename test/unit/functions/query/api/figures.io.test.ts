import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canonicalErrorReasons, rankOf } from '../../../../../contract/schema/sms-event.ts';
import { type Message, mergeMessages, messageOf } from '../../../../../functions/history/message.ts';
import { messageContribution } from '../../../../../functions/insights/counters/contributions.ts';
import { createCounterReads } from '../../../../../functions/insights/counters/counter-read-store.ts';
import { createCounterWriter } from '../../../../../functions/insights/counters/counter-write-store.ts';
import { paddedSequence } from '../../../../../functions/insights/counters/shard-state.ts';
import type { Tally } from '../../../../../functions/insights/counters/tally.ts';
import { createAnswerQuery } from '../../../../../functions/query/api/answer-query.ts';
import { localClient } from '../../../../../local/aws-protocol/call.ts';
import { createRandom } from '../../../../../local/sms-service/random.ts';
import { type HistoryTables, startHistoryTables } from '../../../../../tools/support/history-tables.ts';
import { dependencies, now, queryEvent } from './fakes.ts';

const messages = 1_000_000;
/** Each made-up message stands for so many that differ in their ids only. */
const alike = 100;
const threeDaysMs = 3 * 86_400_000;
const maxReadUnits = 3;

let tables: HistoryTables;

beforeAll(async () => {
  tables = await startHistoryTables();
});

afterAll(() => tables.stop());

/** Makes a message that was delivered after anything up to three days, or failed for any reason with one of 60 codes, or is in any other state. */
function makeMessage(index: number, random: () => number): Message {
  const messageId = `message-${index}`;
  const report = (status: Parameters<typeof rankOf>[0], ms: number, error: object = {}) => {
    const occurredAt = new Date(now + ms).toISOString();
    const event = {
      kind: 'sms.status',
      eventId: `${messageId}-${status}`,
      messageId,
      sendId: 'send-1',
    } as const;
    return messageOf(
      { ...event, phone: '+12025550143', status, rank: rankOf(status), occurredAt, ...error },
      occurredAt,
    );
  };
  const first = report('queued', 0);
  const kind = random();
  if (kind < 0.75) return mergeMessages(first, report('delivered', Math.floor(threeDaysMs ** random())));
  if (kind < 0.9) {
    const reason = Math.floor(random() * canonicalErrorReasons.length);
    const error = {
      errorReason: canonicalErrorReasons[reason],
      errorCode: String(30_000 + reason * 4 + Math.floor(random() * 4)),
    };
    return mergeMessages(first, report('undelivered', 1000, error));
  }
  const others = ['accepted', 'queued', 'sent', 'unknown', 'expired', 'rejected', 'failed', 'read'] as const;
  return mergeMessages(first, report(others[index % others.length] ?? 'sent', 1000));
}

it('the figures of a send of a million messages cost at most three read units', async () => {
  const random = createRandom(1);
  const counts = new Map<string, number>([
    ['replies', 40_000],
    ['optOuts', 2000],
  ]);
  for (let index = 0; index < messages / alike; index++)
    for (const [name, count] of Object.entries(messageContribution(makeMessage(index, random)).tally))
      counts.set(name, (counts.get(name) ?? 0) + count * alike);
  const { client, insights, history } = tables;
  const writer = createCounterWriter(
    client,
    { insights, history },
    { retentionDays: 400, hourRetentionDays: 70 },
    () => now,
  );
  const names = [...counts];
  for (let at = 0; at < names.length; at += 200) {
    const tally: Tally = Object.fromEntries(names.slice(at, at + 200));
    const cohort = { kind: 'send', sendId: 'send-1' } as const;
    const deltas = { cohorts: [{ cohort, tally, first: now }], replies: new Map(), learntSends: new Map() };
    const outcome = await writer.commit(await writer.open('shard-1'), paddedSequence(String(at + 1)), deltas);
    expect(outcome).toEqual({ kind: 'counted' });
  }

  let readUnits = 0;
  const metered = new DynamoDBClient(localClient(tables.endpoint));
  metered.middlewareStack.add(
    (next) => async (args) => {
      const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
      const { ConsumedCapacity = [] } = result.output as { ConsumedCapacity?: { CapacityUnits?: number }[] };
      for (const { CapacityUnits = 0 } of ConsumedCapacity) readUnits += CapacityUnits;
      return result;
    },
    { step: 'initialize' },
  );
  const { all } = dependencies();
  const answer = createAnswerQuery({ ...all, counters: createCounterReads(metered, insights, () => now) });
  const { body = '' } = await answer(queryEvent('/v1/sends/send-1'));
  metered.destroy();
  expect(JSON.parse(body)).toMatchObject({ sendId: 'send-1', messages, replies: 40_000, optOuts: 2000 });
  expect(names.length).toBeGreaterThan(400);
  expect(readUnits).toBeGreaterThan(0);
  expect(readUnits).toBeLessThanOrEqual(maxReadUnits);
});
