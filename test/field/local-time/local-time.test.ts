import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { judgeDriftOf } from '../../../cli/commands/doctor/contract-drift.ts';
import { createDriftReader } from '../../../cli/stores/history-tables.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { discover } from '../../../discovery/discovery.ts';
import { optOutKey, statementByHand } from '../../../functions/history/opt-out/opt-out.ts';
import { createOptOutRegister } from '../../../functions/history/opt-out/opt-out-store.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { receivingHalf } from '../../promises/support/receiving-half.ts';
import { loadFieldContract } from '../support/load-contract.ts';

/*
 * Seen in the field: gateways write the local time of their own machine, without a zone (voip.ms: suderman/smsglue#1; Clickatell:
 * Repair-DeskPOS/RepairDesk-BUGS-IMPROVEMENTS#581; gammu/gammu#305). Read as UTC, a STOP from New York is five hours older than it is,
 * so it loses against an opt-in of the last five hours.
 */

const contract = loadFieldContract('contract.json', import.meta.url);
const inNewYork: Contract = { ...contract, events: { ...contract.events, timeZone: 'America/New_York' } };
const secret = 'invented-token-0001';
const phone = '+12025550121';
const removedAt = '2026-11-28T18:09:39.000Z';
const receivedAt = '2026-11-28T18:10:02.000Z';

let tables: HistoryTables;
beforeAll(async () => {
  tables = await startHistoryTables();
});
beforeEach(() => receivingHalf(tables).forget());
afterAll(() => tables.stop());

const query = (ref: string, words: string, sentOn: string) =>
  new URLSearchParams({
    token: secret,
    line: '2025550100',
    sender: '2025550121',
    words,
    ref,
    sent_on: sentOn,
  });

/** The half of the pipeline that receives, at a time. */
const at = (time: string, rules: Contract) =>
  receivingHalf(tables, { contract: rules, secret, now: Date.parse(time), recordsDrift: true });

/** Posts a reply with a local time of New York, and lets the worker store it. */
async function receive(rules: Contract, time: string, reply: URLSearchParams): Promise<void> {
  const half = at(time, rules);
  expect(await half.post({ method: 'GET', rawQueryString: reply.toString() })).toBe(200);
  await half.work();
}

const registered = async () =>
  (await receivingHalf(tables).history()).find(({ pk }) => pk === optOutKey(phone));

const doctor = () =>
  judgeDriftOf(
    { drift: async () => createDriftReader(tables.client, tables.history) },
    undefined,
    Date.parse(receivedAt),
  );

describe('a service that writes the local time of New York without a zone', () => {
  it.each([
    ['without a zone in the contract', contract],
    ['with the zone in the contract', inNewYork],
  ])('a STOP after an opt-in by hand counts: %s', async (_, rules) => {
    await receive(rules, '2026-11-28T18:09:21.000Z', query('2102', 'STOP', '2026-11-28 13:09:20'));
    expect(await registered()).toMatchObject({ state: 'out' });
    const byHand = statementByHand(
      { phone, state: 'in', reason: 'asked by phone', id: 'entry-1', now: Date.parse(removedAt) },
      undefined,
    );
    await createOptOutRegister(tables.client, tables.history, { listShards: 4 }).record(byHand);
    expect(await registered()).toMatchObject({ state: 'in', changedAt: removedAt });

    await receive(rules, receivedAt, query('2103', 'STOP', '2026-11-28 13:10:02'));
    expect(await registered()).toMatchObject({
      phone,
      state: 'out',
      changedAt: expect.stringMatching(/T18:10:02/),
    });
    expect(await receivingHalf(tables).quarantine()).toEqual([]);
  });

  it('is reported by sms doctor with the offset and what to set, and no longer once the zone is set', async () => {
    for (const ref of ['1', '2', '3'])
      await receive(contract, receivedAt, query(ref, 'hello', '2026-11-28 13:10:01'));
    expect(await doctor()).toEqual({
      state: 'warn',
      found: expect.stringMatching(
        /^times of events\.reply\.occurredAt look like UTC-05:00 \(3 events\), last on \d{4}-\d\d-\d\d$/,
      ),
      hint: expect.stringMatching(
        /set "events\.timeZone" .*"America\/New_York".*\nsms contract drift shows them\.$/,
      ),
    });
    await receivingHalf(tables).forget();
    await receive(inNewYork, receivedAt, query('4', 'hello', '2026-11-28 13:10:01'));
    expect(await doctor()).toEqual({
      state: 'ok',
      found: 'events of today and yesterday are as the contract says',
    });
  });

  it('is reported with the offset from UTC if the contract names another zone', async () => {
    const inDenver: Contract = { ...contract, events: { ...contract.events, timeZone: 'America/Denver' } };
    await receive(inDenver, receivedAt, query('5', 'hello', '2026-11-28 13:10:01'));
    expect((await doctor()).found).toContain(
      'times of events.reply.occurredAt look like UTC-05:00 (1 event)',
    );
  });

  it('is seen by sms contract discover, which calls neither the zone nor the times certain', async () => {
    const captures = ['13:09:20', '13:10:01', '13:11:40'].map((time, index) => ({
      name: `capture ${index}`,
      method: 'GET',
      url: `https://example.test/webhooks/sms?${query(`21${index}`, 'hello there', `2026-11-28 ${time}`)}`,
      headers: {},
      body: new Uint8Array(),
      receivedAt: new Date(Date.parse(`2026-11-28T${time}Z`) + 5 * 3_600_000 + 900).toISOString(),
    }));
    const { proposals } = await discover(
      captures,
      () => [secret],
      contract,
      Date.parse(receivedAt),
      async (all) => all,
    );
    const by = new Map(proposals.map((one) => [one.key, one]));
    expect(by.get('events.timeZone')).toMatchObject({
      value: '-05:00',
      isCertain: false,
      note: expect.stringContaining('these times look like UTC-05:00'),
    });
    expect(by.get('events.reply.occurredAt')).toMatchObject({ value: 'sent_on', isCertain: false });
  });
});
