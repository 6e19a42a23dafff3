import { DeleteItemCommand, GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { identityHash } from '../../contract/events/body.ts';
import { createMapper } from '../../contract/events/mapping.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { deadlineAt } from '../../functions/base/basics.ts';
import { createHistoryWriter } from '../../functions/history/history-write-store.ts';
import { optOutKey } from '../../functions/history/opt-out/opt-out.ts';
import { createOptOutRegister } from '../../functions/history/opt-out/opt-out-store.ts';
import { type Envelope, encodeEnvelope } from '../../functions/receive/envelope.ts';
import {
  createQuarantine,
  quarantinedFromItem,
} from '../../functions/receive/quarantine/quarantine-store.ts';
import { replayableRequest } from '../../functions/receive/quarantine/replayable-request.ts';
import { workBatch } from '../../functions/receive/worker/work-batch.ts';
import { shippedContract } from '../../tools/support/contracts.ts';
import { type HistoryTables, startHistoryTables } from '../../tools/support/history-tables.ts';
import { keywordOf } from '../../tools/support/keywords.ts';
import { envelopesOf, expectedState, minute, phone, saidReplies } from '../support/opt-out-arrivals.ts';
import { presetContracts } from '../support/preset-contracts.ts';
import { assertProperty } from '../support/property.ts';
import { recorder } from '../support/recorder.ts';
import { noneParked, queueMessage } from '../unit/functions/receive/worker/queue-messages.ts';

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
  const settings = { retentionDays: 400, listShards: 4 };
  const queueMessages = envelopes.map((envelope, index) =>
    queueMessage(`q-${index}`, encodeEnvelope(envelope)),
  );
  const { log, count } = recorder();
  const failed = await workBatch(
    queueMessages,
    {
      parked: noneParked,
      recordVerified: undefined,
      map: createMapper(contract),
      history: createHistoryWriter(client, history, settings),
      optOuts: createOptOutRegister(client, history, { listShards: settings.listShards }),
      keywordOf,
      quarantine: createQuarantine(
        client,
        quarantine,
        { ...settings, retentionDays: 90 },
        identityHash(contract),
      ),
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
    expect(await registered()).toMatchObject({ phone, state: 'out', changedAt: minute(said) });
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
