import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type HistoryTables, startHistoryTables } from '../../tools/support/history-tables.ts';
import { receivingHalf } from '../promises/support/receiving-half.ts';
import { stored } from './support/preset.ts';

/*
 * Vonage delivers a long reply in several requests, in any order (Vonage/vonage-php-sdk-core, issue 114). A part that consists of a keyword
 * decides nothing about consent.
 */

let tables: HistoryTables;
beforeAll(async () => {
  tables = await startHistoryTables();
});
beforeEach(() => receivingHalf(tables).forget());
afterAll(() => tables.stop());

const reply = (messageId: string, text: string, part: string, at = '18%3A06%3A16') =>
  `msisdn=12025550120&to=12025550100&messageId=${messageId}&text=${encodeURIComponent(text)}&type=text&api-key=abcd1234&message-timestamp=2026-11-28+${at}${part}`;
const part = (number: number, total: number) =>
  `&concat=true&concat-ref=118&concat-total=${total}&concat-part=${number}`;

it('the parts are one reply, in their order', async () => {
  const { replies, registered } = await stored(tables, 'vonage-sms', [
    reply('0B2', 'dear sir, we had no answer for days, so this time I ask you to ', part(2, 3)),
    reply('0B3', 'start', part(3, 3)),
    reply('0B1', 'stop ', part(1, 3)),
  ]);
  expect(replies).toHaveLength(1);
  expect(replies).toMatchObject([
    { text: 'stop dear sir, we had no answer for days, so this time I ask you to start' },
  ]);
  expect(registered('+12025550120')).toBeUndefined();
});

it('a person who said STOP stays opted out after a long reply that ends in "start"', async () => {
  const { replies, registered } = await stored(tables, 'vonage-sms', [
    reply('0B0', 'STOP', '', '18%3A05%3A13'),
    reply('0B1', 'At what time tomorrow do they even ', part(1, 2)),
    reply('0B2', 'start', part(2, 2)),
  ]);
  expect(replies.map(({ text }) => text).sort()).toEqual([
    'At what time tomorrow do they even start',
    'STOP',
  ]);
  expect(registered('+12025550120')).toMatchObject({ state: 'out' });
});
