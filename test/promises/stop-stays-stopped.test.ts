import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMapper } from '../../contract/events/mapping.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { optOutKey } from '../../functions/history/opt-out/opt-out.ts';
import type { Envelope } from '../../functions/receive/envelope.ts';
import { replayableRequest } from '../../functions/receive/quarantine/replayable-request.ts';
import { shippedContract } from '../../tools/support/contracts.ts';
import { type HistoryTables, startHistoryTables } from '../../tools/support/history-tables.ts';
import { envelopesOf, expectedState, minute, phone, saidReplies } from '../support/opt-out-arrivals.ts';
import { presetContracts } from '../support/preset-contracts.ts';
import { assertProperty } from '../support/property.ts';
import { receivingHalf } from './support/receiving-half.ts';

/*
 * The promise: a person who said STOP stays opted out, also when in doubt.
 *
 * Given are replies of a person that say STOP and START, each with the time at which it was said and the time at which it is received.
 * What is broken: their order, their number, their times, and the parts of a reply that are not needed to understand it. What must hold:
 * the register of opt-outs has the latest wish, and "out" where it is not certain which one is the latest.
 */

let tables: HistoryTables;
beforeAll(async () => {
  tables = await startHistoryTables();
});
beforeEach(() => receivingHalf(tables).forget());
afterAll(() => tables.stop());

/** Stores requests that ingest has verified in one batch. */
async function store(contract: Contract, envelopes: readonly Envelope[]): Promise<void> {
  const pipeline = receivingHalf(tables, { contract, now: Date.parse(minute(0)) });
  envelopes.forEach(pipeline.enqueue);
  await pipeline.work();
}

/** The number's item in the register. */
async function registered() {
  const items = await receivingHalf(tables).history();
  return items.find(({ pk }) => pk === optOutKey(phone));
}

const envelope = (id: string, received: number, body: unknown): Envelope => ({
  requestId: `request-${id}`,
  receivedAt: minute(received),
  signedId: id,
  body: Buffer.from(JSON.stringify(body)),
});

/** A reply that was said and received so many minutes after noon. */
const reply = (text: string, said: number, received: number) =>
  envelope(`${text}-${said}-${received}`, received, {
    type: 'sms.reply',
    data: { id: `r-${text}-${said}-${received}`, from: phone, text, occurred_at: minute(said) },
  });

describe('a person who said STOP', () => {
  it.each<[string, Envelope, Envelope, 'out' | 'in', number]>([
    ['after START stays opted out', reply('START', 1, 1), reply('STOP', 2, 2), 'out', 2],
    ['before START wants messages again', reply('STOP', 1, 1), reply('START', 2, 2), 'in', 2],
    ['in the same minute as START stays opted out', reply('STOP', 1, 1), reply('START', 1, 1), 'out', 1],
    // The clock that dated the START cannot be right: no one receives a reply before it is said.
    ['after a START of a time ahead stays opted out', reply('START', 60, 1), reply('STOP', 2, 2), 'out', 2],
    // The clock of the service may be ahead of ours by five minutes.
    [
      'with a time ahead stays opted out for the next START',
      reply('STOP', 6, 1),
      reply('START', 3, 3),
      'out',
      6,
    ],
  ])('%s, whichever arrives first', async (_, one, other, state, changed) => {
    for (const arrivals of [[[one], [other]], [[other], [one]], [[one, other]], [[other, one, other, one]]]) {
      await receivingHalf(tables).forget();
      for (const batch of arrivals) await store(shippedContract, batch);
      expect(await registered()).toMatchObject({ state, changedAt: minute(changed) });
    }
  });
});

const data = { id: 'r-1', from: phone, text: 'STOP', occurred_at: minute(1) };
const { occurred_at: _, ...timeless } = data;

describe('an opt-out in a reply that the contract cannot read', () => {
  it.each([
    ['the recipient is a list', { ...data, to: ['+12025550100', 'x'] }, 1],
    ['the reply id is too long', { ...data, id: 'r'.repeat(2000) }, 1],
    ['neither recipient nor time can be read', { ...timeless, to: {} }, 3],
  ])('is in the register, and its reply is in quarantine: %s', async (_name, reply, said) => {
    await store(shippedContract, [envelope('e-1', 3, { type: 'sms.reply', data: reply })]);
    expect(await registered()).toMatchObject({ phone, state: 'out', changedAt: minute(said) });
    expect(await receivingHalf(tables).quarantine()).toHaveLength(1);
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
      const [entry] = await receivingHalf(tables).quarantine();
      if (entry === undefined) throw new Error('nothing is in quarantine');
      const replay = replayableRequest(entry, {
        source: 'main',
        contract: corrected,
        map: createMapper(corrected),
      });
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
          await receivingHalf(tables).forget();
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
