import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type HistoryTables, startHistoryTables } from '../../tools/support/history-tables.ts';
import { receivingHalf } from '../promises/support/receiving-half.ts';
import { stored } from './support/preset.ts';

/* MessageBird reports a message to a person who said stop with the error code 103 (nyaruka/courier, pull request 608). */

let tables: HistoryTables;
beforeAll(async () => {
  tables = await startHistoryTables();
});
beforeEach(() => receivingHalf(tables).forget());
afterAll(() => tables.stop());

const report = (code: string) =>
  `id=c02c02c02c02c02c02c02c02c02c02c02&mccmnc=310410&recipient=12025550102&reference=r-1&status=delivery_failed&statusErrorCode=${code}&statusReason=opted+out&statusDatetime=2026-11-28T18%3A02%3A52Z`;

it.each(['messagebird-sms', 'messagebird-sms-hmac'])('%s: the code opts the number out', async (preset) => {
  const { registered, quarantine } = await stored(tables, preset, [report('103')]);
  expect(quarantine).toEqual([]);
  expect(registered('+12025550102')).toMatchObject({ state: 'out', by: 'provider' });
});

it('another code of the same status does not', async () => {
  const { registered, messages } = await stored(tables, 'messagebird-sms', [report('1')]);
  expect(messages).toMatchObject([{ status: 'undelivered' }]);
  expect(registered('+12025550102')).toBeUndefined();
});
