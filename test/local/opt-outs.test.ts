import { DeleteItemCommand, GetItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { replayableRequest } from '../../cli/quarantine/replayable-request.ts';
import { createMapper } from '../../contract/events/mapping.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { createHistoryWriter } from '../../functions/history/history-write-store.ts';
import { createOptOutRegister, optOutKey } from '../../functions/opt-out/opt-out-store.ts';
import { createQuarantine, quarantinedFromItem } from '../../functions/quarantine/quarantine-store.ts';
import { deadlineAt } from '../../functions/runtime/basics.ts';
import { type Envelope, encodeEnvelope } from '../../functions/webhook/envelope.ts';
import { workBatch } from '../../functions/worker/work-batch.ts';
import { shippedContract } from '../../tools/support/contracts.ts';
import { type HistoryTables, startHistoryTables } from '../../tools/support/history-tables.ts';
import { keywordOf } from '../../tools/support/keywords.ts';
import { recorder } from '../../tools/support/recorder.ts';
import {
  envelopesOf,
  expectedState,
  minute,
  phone,
  type SaidReply,
  saidReplies,
} from '../support/opt-out-arrivals.ts';
import { presetContracts } from '../support/preset-contracts.ts';
import { assertProperty } from '../support/property.ts';
import { admitAll, queueMessage } from '../unit/functions/worker/queue-messages.ts';

let tables: HistoryTables;
beforeAll(async () => {
  tables = await startHistoryTables();
});
afterAll(() => tables.stop());
beforeEach(forget);

const itemKey = { pk: { S: optOutKey(phone) } };

async function forget(): Promise<void> {
  for (const TableName of [tables.history, tables.quarantine]) {
    const { Items = [] } = await tables.client.send(new ScanCommand({ TableName, ConsistentRead: true }));
    for (const { pk = { S: '' }, sk } of Items)
      await tables.client.send(
        new DeleteItemCommand({ TableName, Key: sk === undefined ? { pk } : { pk, sk } }),
      );
  }
}

/** Stores requests in one batch, as the worker does. */
async function store(contract: Contract, envelopes: readonly Envelope[]): Promise<void> {
  const { client, history, quarantine } = tables;
  const settings = { retentionDays: 400, worklistShards: 4 };
  const queueMessages = envelopes.map((envelope, index) =>
    queueMessage(`q-${index}`, encodeEnvelope(envelope)),
  );
  const { log, count } = recorder();
  const failed = await workBatch(
    queueMessages,
    {
      admit: admitAll(),
      map: createMapper(contract),
      history: createHistoryWriter(client, history, settings),
      optOuts: createOptOutRegister(client, history, settings.worklistShards),
      keywordOf,
      quarantine: createQuarantine(client, quarantine, 90),
      observeDrift: async () => {},
      clock: () => Date.parse(minute(0)),
      log,
      count,
    },
    deadlineAt(1, () => 0),
  );
  expect([...failed]).toEqual([]);
}

async function registered() {
  const { Item } = await tables.client.send(
    new GetItemCommand({ TableName: tables.history, Key: itemKey, ConsistentRead: true }),
  );
  return Item && unmarshall(Item);
}

async function quarantined() {
  const { Items = [] } = await tables.client.send(
    new ScanCommand({ TableName: tables.quarantine, ConsistentRead: true }),
  );
  return Items.map(quarantinedFromItem);
}

const envelope = (id: string, received: number, body: unknown): Envelope => ({
  requestId: `request-${id}`,
  receivedAt: minute(received),
  signedId: id,
  body: Buffer.from(JSON.stringify(body)),
});

const data = { id: 'r-1', from: phone, text: 'STOP', occurred_at: minute(1) };
const { occurred_at: _, ...timeless } = data;

describe('an opt-out in a reply that the contract cannot read', () => {
  it.each([
    ['the recipient is a list', { ...data, to: ['+12025550100', 'x'] }, 1],
    ['the reply id is too long', { ...data, id: 'r'.repeat(2000) }, 1],
    ['the time is missing', timeless, 3],
    ['neither recipient nor time can be read', { ...timeless, to: {} }, 3],
  ])('is in the register, and its reply is in quarantine: %s', async (_name, reply, said) => {
    await store(shippedContract, [envelope('e-1', 3, { type: 'sms.reply', data: reply })]);
    expect(await registered()).toMatchObject({ number: phone, state: 'out', changedAt: minute(said) });
    expect(await quarantined()).toHaveLength(1);
  });

  it('keeps its time when its quarantine entry is replayed with the same contract or a corrected one', async () => {
    const corrected: Contract = {
      ...shippedContract,
      events: {
        ...shippedContract.events,
        reply: { ...shippedContract.events.reply, to: null, occurredAt: 'data.sent_at' },
      },
    };
    const stop = { ...timeless, sent_at: minute(9), to: ['x'] };
    await store(shippedContract, [envelope('e-1', 5, { type: 'sms.reply', data: stop })]);
    const start = { ...data, id: 'r-2', text: 'START', occurred_at: minute(6) };
    await store(shippedContract, [envelope('e-2', 6, { type: 'sms.reply', data: start })]);
    const before = await registered();
    expect(before).toMatchObject({ state: 'in', changedAt: minute(6) });

    for (const contract of [shippedContract, corrected]) {
      const [entry] = await quarantined();
      if (entry === undefined) throw new Error('nothing is in quarantine');
      const replay = replayableRequest(entry, { contract: corrected, map: createMapper(corrected) });
      if (!('envelope' in replay)) throw new Error(replay.stays);
      await store(contract, [replay.envelope]);
      expect(await registered()).toEqual(before);
    }
  });

  it('is only in quarantine when the contract cannot read the sender', async () => {
    const reply = { ...data, from: [phone] };
    await store(shippedContract, [envelope('e-1', 3, { type: 'sms.reply', data: reply })]);
    expect(await registered()).toBeUndefined();
    expect(await quarantined()).toHaveLength(1);
  });
});

describe('the register', () => {
  const said = (id: string, text: string, occurredAt: number, receivedAt = occurredAt, replyId = id) =>
    envelope(id, receivedAt, {
      type: 'sms.reply',
      data: { id: replyId, from: phone, text, occurred_at: minute(occurredAt) },
    });

  it('counts both texts of an event id that is used twice, each at its own time', async () => {
    for (const batches of [
      [[said('e', 'START', 1, 1, 'r')], [said('e', 'STOP', 2, 2, 'r')]],
      [[said('e', 'START', 1, 1, 'r'), said('e', 'STOP', 2, 2, 'r')]],
    ]) {
      await forget();
      for (const batch of batches) await store(shippedContract, batch);
      expect(await registered()).toMatchObject({ state: 'out', changedAt: minute(2) });
    }
  });

  it('counts every version of a reply, also a superseded one', async () => {
    await store(shippedContract, [said('e-2', 'START', 2, 2, 'r')]);
    await store(shippedContract, [said('e-3', 'STOP', 3, 3, 'r')]);
    await store(shippedContract, [said('e-4', 'thanks', 4, 4, 'r')]);
    expect(await registered()).toMatchObject({ state: 'out', changedAt: minute(3) });
  });

  it('counts a redelivered reply at the time at which history first stored it', async () => {
    const [contract] = presetContracts.flatMap((preset) =>
      preset.name === 'twilio.json' ? preset.contract : [],
    );
    if (contract === undefined) throw new Error('there is no preset twilio');
    const start: SaidReply = { id: 'r-1', state: 'in', saidAt: 0, receivedAt: [1] };
    await store(contract, envelopesOf(contract, start));
    // As the version before left the register: what was said last, and nothing of what was said before.
    const Item = marshall({ state: 'out', changedAt: minute(2), replyId: 'r-2', number: phone });
    await tables.client.send(
      new PutItemCommand({ TableName: tables.history, Item: { ...itemKey, ...Item } }),
    );
    await store(contract, envelopesOf(contract, { ...start, receivedAt: [9] }));
    expect(await registered()).toMatchObject({ state: 'out', changedAt: minute(2), replyId: 'r-2' });
  });
});

it('the register keeps a STOP when a copy of START has another event id and the service reports no time', async () => {
  const [contract] = presetContracts.flatMap(({ name, contract }) =>
    name === 'aws-end-user-messaging.json' ? contract : [],
  );
  if (contract === undefined) throw new Error('there is no preset aws-end-user-messaging');
  const [start] = envelopesOf(contract, { id: 'r-1', state: 'in', saidAt: 0, receivedAt: [1] });
  const stop = envelopesOf(contract, { id: 'r-2', state: 'out', saidAt: 0, receivedAt: [2] });
  if (start === undefined) throw new Error('no START');
  const copy = Buffer.from(
    JSON.stringify({ ...JSON.parse(Buffer.from(start.body).toString()), id: 'another' }),
  );
  await store(contract, [start]);
  await store(contract, stop);
  await store(contract, [{ ...start, requestId: 'copy', receivedAt: minute(9), body: copy }]);
  expect(await registered()).toMatchObject({ state: 'out', replyId: 'r-2' });
});

describe.each(presetContracts)('the register of $name', ({ contract }) => {
  it('is the same for any order, batching and repetition of replies', async () => {
    await assertProperty(
      fc.asyncProperty(saidReplies, fc.infiniteStream(fc.nat(999)), async (replies, numbers) => {
        const items = [];
        for (let pass = 0; pass < 2; pass++) {
          await forget();
          const arrivals = replies
            .flatMap((reply) => envelopesOf(contract, reply))
            .map((arrival) => ({ arrival, rank: numbers.next().value }))
            .sort((a, b) => a.rank - b.rank)
            .map(({ arrival }) => arrival);
          while (arrivals.length > 0)
            await store(contract, arrivals.splice(0, 1 + (numbers.next().value % 4)));
          items.push(await registered());
        }
        expect(items[1]).toEqual(items[0]);
        expect(items[0]).toMatchObject(expectedState(contract, replies));
      }),
      { numRuns: 4 },
    );
  });
});
