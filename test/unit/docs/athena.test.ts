import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { canonicalStatuses, outcomeOf, rankOf } from '../../../contract/schema/sms-event.ts';
import { type Item, messagePrefix, replyPrefix } from '../../../functions/history/history-item-store.ts';
import {
  type Message,
  messageOf,
  probeMessagePrefix,
  type Reply,
  replyOf,
} from '../../../functions/history/message.ts';
import { messageItem, weightOf } from '../../../functions/history/message-item.ts';
import { codeOf, packEntry, packId, packNumber } from '../../../functions/history/packed.ts';
import { replyItem } from '../../../functions/history/reply-item.ts';

/** The queries of the guide, which Trino alone can run. This holds what they say of the items against the encoder. */
const sql = (name: string) =>
  readFileSync(join(import.meta.dirname, `../../../docs/guides/athena/${name}.sql`), 'utf8');
const names = ['delivery-rate', 'time-to-deliver', 'reply-rate'] as const;

/** The groups of what an expression finds in a query; each query that uses a fact has it in these words. */
function facts(name: string, expression: RegExp): string[] {
  const found = expression.exec(sql(name));
  expect(found, `${name}.sql has ${expression.source}`).not.toBeNull();
  return found?.slice(1) ?? [];
}

const settings = { retentionDays: 400, listShards: 16 };
const generation = '010203040506';
const occurredAt = '2026-01-15T12:00:00.123Z';
const receivedAt = '2026-01-15T12:00:01.000Z';
const phone = '+12025550143';

function message(messageId: string, sendId: string): Message {
  const rank = rankOf('delivered');
  const event = { kind: 'sms.status', status: 'delivered', rank, eventId: 'e', occurredAt } as const;
  return messageOf({ ...event, messageId, sendId, phone }, receivedAt);
}

function reply(messageId: string): Reply {
  const event = {
    kind: 'sms.reply',
    replyId: 'r',
    eventId: 'e',
    from: phone,
    text: 'yes',
    occurredAt,
  } as const;
  return replyOf({ ...event, messageId }, receivedAt);
}

const itemOf = (messageId: string, sendId = 's') =>
  messageItem(message(messageId, sendId), generation, 7, settings);
const replyItemOf = (messageId: string) => replyItem(reply(messageId), generation, 7, settings);
const long = 'x'.repeat(3000);
const items: readonly Item[] = [itemOf('m'), itemOf(long, long), replyItemOf('m')];

function pathsOf(attributes: Record<string, AttributeValue>): string[] {
  return Object.entries(attributes).flatMap(([name, value]) =>
    Object.keys(value).map((type) => `${name}.${type}`),
  );
}

/** The bytes of an attribute, in hexadecimal as `to_hex` writes them. */
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex').toUpperCase();

describe('the queries for Athena', () => {
  it.each(names)('%s.sql reads attributes that items have', (name) => {
    const paths = [...sql(name).matchAll(/'\$\.(?!Keys|Item|NewImage)([\w.]+)'/g)].map(([, path]) => path);
    expect(paths.length).toBeGreaterThan(0);
    const known = items.flatMap(pathsOf);
    expect(paths.filter((path) => path === undefined || !known.includes(path))).toEqual([]);
  });

  it.each(names)('%s.sql selects the keys of messages, without those of `sms doctor`', (name) => {
    const [prefix, probes] = facts(name, /pk LIKE '(.+?)%' AND pk NOT LIKE '(.+?)%'/);
    expect([prefix, probes]).toEqual([messagePrefix, messagePrefix + probeMessagePrefix]);
  });

  it.each(['delivery-rate', 'reply-rate'])('%s.sql finds the rank in the weight', (name) => {
    const [divisor, delivered] = facts(name, /\.w\.N'\) AS bigint\) \/ (\d+)[\s\S]+?>= (\d+)/).map(Number);
    for (const status of canonicalStatuses) {
      const rank = Math.floor(weightOf({ rank: rankOf(status), occurredAt }) / (divisor ?? 0));
      expect([status, rank >= (delivered ?? 0)]).toEqual([status, outcomeOf(rank) === 'success']);
    }
  });

  it('time-to-deliver.sql finds the code and the time in a report', () => {
    const [from, length, base] = facts('time-to-deliver', /'S'\), (\d), (\d)\), (\d+)\) \/ 1000/).map(Number);
    const [codes = ''] = facts('time-to-deliver', /'S'\), 1, 1\) IN \((.+?)\)/);
    const [place, none] = facts('time-to-deliver', /'S'\), (\d), 1\) <> '(.)'/);
    for (const status of canonicalStatuses) {
      const code = codeOf(status, rankOf(status));
      const packed = packEntry({ code, occurredAt, receivedAt, fields: { c: 'd' } });
      const time = packed.slice((from ?? 0) - 1).slice(0, length);
      expect(Number.parseInt(time, base)).toBe(Date.parse(occurredAt));
      const isSuccess = outcomeOf(rankOf(status)) === 'success';
      expect([status, codes.includes(`'${code}'`)]).toEqual([status, isSuccess]);
    }
    const late = packEntry({ code: 'd', occurredAt: '2061-01-01T00:00:00.000Z', receivedAt, fields: {} });
    expect(late[Number(place) - 1]).toBe(none);
  });

  it('reply-rate.sql finds ids in every packed form', () => {
    const [position] = facts('reply-rate', /substr\(pk, (\d+)\)/).map(Number);
    expect(itemOf('m').pk?.S?.slice((position ?? 0) - 1)).toBe('m');
    expect(replyItemOf('m').pk?.S?.startsWith(replyPrefix)).toBe(true);
    const [forms, mark, marked, padding] = facts(
      'reply-rate',
      /form % (\d+) >= (\d+), '(\w+)', ''\) \|\| .+? - 1 - form % (\d+)\)/,
    );
    const [pattern = ''] = facts('reply-rate', /WHEN 1 THEN .+\s+.+\s+'(.+?)', '\$1-\$2/);
    /** As the query does. */
    function unpacked(bytes: Uint8Array): string {
      const [form = -1, rest] = [bytes.at(-1), Buffer.from(bytes.subarray(0, -1))];
      if (form === 0) return rest.toString();
      if (form === 1) return hexOf(bytes).toLowerCase().replace(new RegExp(pattern), '$1-$2-$3-$4-$5');
      if (form === 2) return hexOf(bytes).replace(/..$/, '').toLowerCase();
      const word = Buffer.from(bytes).toString('base64url');
      const isMarked = form % Number(forms) >= Number(mark);
      return (isMarked ? (marked ?? '') : '') + word.slice(0, word.length - 1 - (form % Number(padding)));
    }
    const words = ['a', 'ab', 'abc', 'abcd', 'abcde', 'winter_sale', 'spring-2026'];
    const others = ['5f0c8a4e-2d3b-4c1a-9e7f-8b6d5a4c3b2a', '00112233445566778899', 'Büro 1', 'msg_'];
    for (const id of [...words, ...words.map((word) => `msg_${word}`), ...others]) {
      expect(unpacked(packId(id))).toBe(id);
      expect(unpacked(replyItemOf(id).m?.B ?? new Uint8Array())).toBe(id);
      // The last byte is the shard.
      expect(unpacked(itemOf('m', id).l?.B?.subarray(0, -1) ?? new Uint8Array())).toBe(id);
    }
  });

  it.each(['delivery-rate', 'reply-rate'])('%s.sql separates other senders from numbers', (name) => {
    const [mark = ''] = facts(name, /LIKE '(\d+)%'/);
    expect(hexOf(packNumber('53333')).startsWith(mark)).toBe(true);
    expect(hexOf(packNumber('+999999999999999')).startsWith(mark)).toBe(false);
    expect(hexOf(packNumber(phone)).replace(/F$/, '')).toBe(phone.slice(1));
  });

  it('erased-number.sql looks for a number as items have it', () => {
    const [digits] = facts('erased-number', /from_hex\('(\w+)'\)/);
    expect(digits).toBe(hexOf(itemOf('m').n?.B ?? new Uint8Array()));
    expect(sql('erased-number')).toContain(`'%${phone}%'`);
  });
});
