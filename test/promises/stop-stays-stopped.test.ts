import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMapper } from '../../contract/events/mapping.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import type { Envelope } from '../../functions/receive/envelope.ts';
import { replayableRequest } from '../../functions/receive/quarantine/replayable-request.ts';
import { shippedContract } from '../../tools/support/contracts.ts';
import { type HistoryTables, startHistoryTables } from '../../tools/support/history-tables.ts';
import { minute, phone } from '../support/opt-out-arrivals.ts';
import { presetContract } from '../support/preset-contracts.ts';
import { receivingHalf } from './support/receiving-half.ts';
import { registered, sameInAnyOrder, store } from './support/registered.ts';

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
      for (const batch of arrivals) await store(tables, shippedContract, batch);
      expect(await registered(tables)).toMatchObject({ state, changedAt: minute(changed) });
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
    await store(tables, shippedContract, [envelope('e-1', 3, { type: 'sms.reply', data: reply })]);
    expect(await registered(tables)).toMatchObject({ phone, state: 'out', changedAt: minute(said) });
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
    await store(tables, shippedContract, [envelope('e-1', 5, { type: 'sms.reply', data: stop })]);
    const start = { ...data, id: 'r-2', text: 'START', occurred_at: minute(6) };
    await store(tables, shippedContract, [envelope('e-2', 6, { type: 'sms.reply', data: start })]);
    const before = await registered(tables);
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
      await store(tables, contract, [replay.envelope]);
      expect(await registered(tables)).toEqual(before);
    }
  });
});

// A service without times of its own, and one with parts of replies. The nightly run has every preset.
it.each(['contract', 'twilio', 'vonage-sms'])(
  'the register of %s is the same for any order, batching and repetition of replies',
  async (name) => {
    await sameInAnyOrder(tables, presetContract(name));
  },
);
