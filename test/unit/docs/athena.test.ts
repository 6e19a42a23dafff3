import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nationalSpellings } from '../../../cli/personal-data/number-finder.ts';
import { historyId } from '../../../contract/events/source-id.ts';
import {
  canonicalStatuses,
  outcomeOf,
  rankOf,
  type StatusEvent,
} from '../../../contract/schema/sms-event.ts';
import { type Item, messageKey, messagePrefix, replyPrefix } from '../../../functions/history/item-keys.ts';
import { messageOf, probeMessagePrefix, replyOf } from '../../../functions/history/message.ts';
import { messageItem, reportName, reportPrefix } from '../../../functions/history/message-item.ts';
import { replyItem } from '../../../functions/history/reply-item.ts';

/** The statements of the guide, which Athena alone can run. These tests compare what they say about items with the items. */
const sql = (name: string) =>
  readFileSync(join(import.meta.dirname, `../../../docs/guides/athena/${name}.sql`), 'utf8');

const views = ['messages', 'reports', 'replies'] as const;
const examples = [
  'delivery-rate',
  'failures-by-code',
  'failures-by-network',
  'time-to-deliver',
  'reply-rate',
] as const;

const settings = { retentionDays: 400, listShards: 1 };
const [occurredAt, receivedAt] = ['2026-01-15T12:00:00.123Z', '2026-01-15T12:00:01.000Z'];
const phone = '+12025550143';

const status: StatusEvent = {
  kind: 'sms.status',
  messageId: 'm',
  eventId: 'e',
  sendId: 's',
  phone,
  occurredAt,
  status: 'failed',
  rank: rankOf('failed'),
  errorCode: '30003',
  errorReason: 'unreachable',
  errorText: 'no route',
  price: '0.0079',
  currency: 'USD',
  segments: 1,
  network: '310410',
  carrier: 'One',
};
/** Items of another source than `main`, which have all attributes. */
const ofBackup = { ...status, messageId: 'backup/m', sendId: 'backup/s' };
const message = messageItem(messageOf(ofBackup, receivedAt), 'g', 7, settings);
const reply = replyItem(
  replyOf(
    {
      kind: 'sms.reply',
      replyId: 'backup/r',
      eventId: 'e',
      messageId: 'backup/m',
      from: phone,
      to: '+12025550100',
      text: 'yes',
      occurredAt,
    },
    receivedAt,
  ),
  'g',
  7,
  settings,
);
const report = message[reportName('e')]?.M ?? {};

/** Returns the attributes that a statement reads of a column, with their types: `phone.S`. */
function pathsOf(text: string, column: string): string[] {
  const paths = text.matchAll(new RegExp(`json_extract_scalar\\(${column}, '\\$\\.([\\w.]+)'\\)`, 'g'));
  return [...paths].flatMap(([, path]) => path ?? []);
}

const attributesOf = (item: Item) =>
  Object.entries(item).flatMap(([name, value]) => Object.keys(value).map((type) => `${name}.${type}`));

describe('the views for Athena', () => {
  it.each([
    ['messages', 'item', attributesOf(message)],
    ['reports', 'item', attributesOf(message)],
    ['reports', 'report', attributesOf(report).map((path) => `M.${path}`)],
    ['replies', 'item', attributesOf(reply)],
  ])('%s.sql reads attributes that each %s has', (name, column, attributes) => {
    const paths = pathsOf(sql(name), column);
    expect(paths.length).toBeGreaterThan(1);
    expect(paths.filter((path) => !attributes.includes(path))).toEqual([]);
  });

  it.each(['messages', 'reports'])(
    '%s.sql has the keys of messages, without those of `sms doctor` at any source',
    (name) => {
      const [, prefix, probes = ''] =
        /pk LIKE '(.+?)%' AND NOT regexp_like\(pk, '(.+?)'\)/.exec(sql(name)) ?? [];
      expect(prefix).toBe(messagePrefix);
      const keyOf = (source: string, id: string) => messageKey(historyId({ source, id }));
      const left = [keyOf('main', `${probeMessagePrefix}1`), keyOf('eu-2x', `${probeMessagePrefix}1`)];
      const kept = [keyOf('main', 'msg-1'), keyOf('backup', `x-${probeMessagePrefix}1`)];
      expect([...left, ...kept].map((key) => new RegExp(probes).test(key))).toEqual([
        true,
        true,
        false,
        false,
      ]);
    },
  );

  it('reports.sql finds the event id in the name of a report', () => {
    const [, prefix] = /name LIKE '(.+?)%'/.exec(sql('reports')) ?? [];
    const [, start] = /substr\(name, (\d+)\)/.exec(sql('reports')) ?? [];
    expect(prefix).toBe(reportPrefix);
    expect(reportName('e').slice(Number(start) - 1)).toBe('e');
  });

  it('replies.sql has the keys of replies', () => {
    expect(sql('replies')).toContain(`pk LIKE '${replyPrefix}%'`);
  });

  it('items.sql and older-messages.sql read the same of the exports of days', () => {
    const [days = ''] = /^ {2}SELECT\n {4}day,[\s\S]+?'%Y-%m-%d'\)$/m.exec(sql('items')) ?? [];
    expect(days).toContain('FROM history\n');
    expect(sql('older-messages')).toContain(days);
  });

  it.each(['items', 'older-messages'])(
    '%s.sql keeps what DynamoDB has deleted when its time to live was over, and leaves out what was erased before',
    (name) => {
      expect(sql(name)).toContain('max_by(item, day) FILTER (WHERE item IS NOT NULL) AS item');
      const kept =
        /HAVING max_by\(item, day\) IS NOT NULL\n {2}OR CAST\(from_unixtime\([\s\S]+'\$\.(\w+\.N)'[\s\S]+'UTC' AS date\) <= date\(/;
      const [, path] = kept.exec(sql(name)) ?? [];
      expect(attributesOf(message)).toContain(path);
      expect(attributesOf(reply)).toContain(path);
    },
  );

  it('erased-number.sql looks for a number as items have it, and in each spelling under which an erasure finds it', () => {
    const [, text = ''] = /regexp_like\(record, '(.+)'\)/.exec(sql('erased-number')) ?? [];
    const found = new RegExp(text);
    expect(JSON.stringify(message)).toMatch(found);
    expect(JSON.stringify(reply)).toMatch(found);
    for (const spelling of nationalSpellings('+12025550143'))
      expect(JSON.stringify({ phone: { S: spelling } })).toMatch(found);
    expect('{"phone":{"S":"+12025550144"}}').not.toMatch(found);
    const page = readFileSync(join(import.meta.dirname, '../../../docs/guides/erase.md'), 'utf8');
    expect(page).toContain(`NUMBER='${text}'`);
  });
});

describe('the examples for Athena', () => {
  const columns = views.flatMap((name) =>
    [...sql(name).matchAll(/ AS (\w+),?\n/g)].map(([, column]) => column),
  );

  it.each(examples)('%s.sql reads columns of the views', (name) => {
    const own = [...sql(name).matchAll(/ AS (\w+)/g)].map(([, column]) => column);
    const used = [...sql(name).matchAll(/\b[a-z_]+_(?:at|id|on|code|reason|text)\b/g)].map(
      ([column]) => column,
    );
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((column) => !columns.includes(column) && !own.includes(column))).toEqual([]);
  });

  it.each([
    ['delivery-rate', 'success'],
    ['time-to-deliver', 'success'],
    ['reply-rate', 'success'],
    ['failures-by-code', 'failure'],
    ['failures-by-network', 'failure'],
  ])('%s.sql names each status of a %s', (name, outcome) => {
    const lists = [...sql(name).matchAll(/ IN \((.+?)\)/g)].map(([, list]) => list);
    expect(lists.length).toBeGreaterThan(0);
    const expected = canonicalStatuses.filter((one) => outcomeOf(rankOf(one)) === outcome).sort();
    for (const list of lists)
      expect(
        list
          ?.split(', ')
          .map((quoted) => quoted.slice(1, -1))
          .sort(),
      ).toEqual(expected);
  });
});
