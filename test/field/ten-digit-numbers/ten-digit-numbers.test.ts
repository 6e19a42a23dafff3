import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { judgeDriftOf } from '../../../cli/commands/doctor/contract-drift.ts';
import { createDriftReader } from '../../../cli/stores/history-tables.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { receivingHalf } from '../../promises/support/receiving-half.ts';
import { loadFieldContract } from '../support/load-contract.ts';

/*
 * Seen in the field: services write North American numbers with ten or with eleven digits, and ten digits with "+" in front are numbers
 * of other countries (GSA/notifications-api#1655, ArnasDon/wacrm#586).
 */

const withCountry = loadFieldContract('contract.json', import.meta.url);
const withoutCountry = loadFieldContract('contract-without-country.json', import.meta.url);
const secret = 'invented-token-0002';
const receivedAt = Date.parse('2026-11-28T18:10:02.000Z');
const tenDigits = ['2025550119', '6465550119', '4755550119', '9175550119', '7865550119', '3215550119'];

let tables: HistoryTables;
beforeAll(async () => {
  tables = await startHistoryTables();
});
beforeEach(() => receivingHalf(tables).forget());
afterAll(() => tables.stop());

/** Posts forms, lets the worker store them, and returns what is stored. */
async function stored(contract: Contract, forms: readonly Readonly<Record<string, string>>[]) {
  const half = receivingHalf(tables, { contract, secret, now: receivedAt, recordsDrift: true });
  for (const form of forms)
    expect(
      await half.post({
        rawQueryString: `token=${secret}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      }),
    ).toBe(200);
  await half.work();
  return half.history();
}

const replyFrom = (sender: string) => ({
  ref: `r-${sender}`,
  sender,
  line: '8005550100',
  words: `hello from ${sender}`,
});

/** The senders of stored replies, by the number that the service wrote. */
async function sendersOf(contract: Contract, numbers: readonly string[]) {
  const items = await stored(contract, numbers.map(replyFrom));
  return new Map(
    items
      .filter(({ text }) => typeof text === 'string')
      .map(({ text, from, phone }): [string, unknown] => [text.replace('hello from ', ''), from ?? phone]),
  );
}

const doctor = () =>
  judgeDriftOf(
    { drift: async () => createDriftReader(tables.client, tables.history) },
    undefined,
    receivedAt,
  );

describe('a service that writes North American numbers with ten or eleven digits', () => {
  it('with a country in the contract, both are the same number', async () => {
    const senders = await sendersOf(withCountry, [...tenDigits, '12025550119']);
    expect(senders).toEqual(
      new Map([
        ...tenDigits.map((digits): [string, string] => [digits, `+1${digits}`]),
        ['12025550119', '+12025550119'],
      ]),
    );
    expect(await doctor()).toMatchObject({ state: 'ok' });
  });

  it('without a country, ten digits stay as received, are counted, and become no number of another country', async () => {
    const senders = await sendersOf(withoutCountry, [...tenDigits, '12025550119']);
    expect(senders).toEqual(
      new Map([
        ...tenDigits.map((digits): [string, string] => [digits, digits]),
        ['12025550119', '+12025550119'],
      ]),
    );
    const verdict = await doctor();
    expect(verdict).toMatchObject({
      state: 'warn',
      found: expect.stringContaining(
        '6 values of events.reply.from were kept as received (ambiguous-number, such as •••0119)',
      ),
      hint: expect.stringContaining('set "events.numbers" to "national"'),
    });
    expect(verdict.found + verdict.hint).not.toMatch(/5550119/);
  });

  it('an error of zeros on a delivered message is no error', async () => {
    const items = await stored(withCountry, [
      {
        batch: 'b-1',
        line: '8005550100',
        receiver: '2025550119',
        done_on: '2026-11-28 18:10:01',
        result: 'DELIVRD',
        error: '000',
      },
    ]);
    const [message] = items.filter(({ pk }) => JSON.stringify(pk).includes('b-1'));
    expect(message).toMatchObject({ phone: '+12025550119' });
    expect(JSON.stringify(message)).toContain('delivered');
    expect(JSON.stringify(items)).not.toMatch(/"errorCode"|"000"/);
  });
});
