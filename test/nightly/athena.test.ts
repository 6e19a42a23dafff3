import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { rankOf } from '../../contract/schema/sms-event.ts';
import { expiryOf, type Item, messageKey } from '../../functions/history/item-keys.ts';
import { messageOf } from '../../functions/history/message.ts';
import { messageItem } from '../../functions/history/message-item.ts';

/*
 * The views for Athena, run by Trino, the engine that Athena is made of. Maven brings it, about 90 MB, so this runs at night alone.
 */

const root = resolve(import.meta.dirname, '../..');
const support = join(import.meta.dirname, 'support/trino');
const jars = join(root, '.local/trino');

beforeAll(() => {
  execFileSync(
    'mvn',
    ['-q', '-B', '-f', join(support, 'pom.xml'), 'dependency:copy-dependencies', `-DoutputDirectory=${jars}`],
    { stdio: 'inherit' },
  );
});

const retentionDays = 30;
const dayMs = 86_400_000;
const dayBefore = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

/** An item as the pipeline stores it: a message whose report came some days ago. */
function itemOf(messageId: string, status: 'sent' | 'delivered', daysAgo: number): Item {
  const at = dayBefore(daysAgo);
  const event = {
    kind: 'sms.status',
    messageId,
    eventId: `${messageId}-${status}`,
    phone: '+12025550143',
    occurredAt: at,
    status,
    rank: rankOf(status),
  } as const;
  return messageItem(messageOf(event, at), 'g', expiryOf(at, retentionDays), {
    retentionDays,
    listShards: 1,
  });
}

const keysOf = (messageId: string) => ({ pk: { S: messageKey(messageId) } });

/** A line of an incremental export of DynamoDB, and the day of its folder. An item that was deleted has no new image. */
const changed = (daysAgo: number, messageId: string, item?: Item) => ({
  day: dayBefore(daysAgo).slice(0, 10),
  record: JSON.stringify({ Keys: keysOf(messageId), ...(item && { NewImage: item }) }),
});
const stored = (messageId: string, status: 'sent' | 'delivered', daysAgo: number) =>
  changed(daysAgo, messageId, itemOf(messageId, status, daysAgo));

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Returns the query of the view that a file of the guide creates. */
function queryOf(name: string): string {
  const text = readFileSync(join(root, `docs/guides/athena/${name}.sql`), 'utf8');
  const [, query] = /CREATE OR REPLACE VIEW \w+ AS\n([\s\S]+?);?\s*$/.exec(text) ?? [];
  if (query === undefined) throw new Error(`${name}.sql creates no view.`);
  return query;
}

function messagesBy(
  items: string,
  lines: readonly { day: string; record: string }[],
  before: readonly string[] = [],
) {
  const history = lines.map(({ day, record }) => `(${quoted(day)}, ${quoted(record)})`);
  const query = `WITH history(day, record) AS (VALUES ${history.join(', ')}),
${before.length > 0 ? `history_before(record) AS (VALUES ${before.map((record) => `(${quoted(record)})`).join(', ')}),` : ''}
items AS (${queryOf(items)}),
messages AS (${queryOf('messages')})
SELECT message_id, status FROM messages ORDER BY message_id`;
  const rows = execFileSync('java', ['-cp', `${jars}/*`, join(support, 'TrinoQuery.java')], {
    input: query,
    encoding: 'utf8',
  });
  // Trino's libraries print warnings between the rows.
  return Object.fromEntries(rows.split('\n').flatMap((row) => (row.includes('\t') ? [row.split('\t')] : [])));
}

const exported = [
  stored('changed-twice', 'sent', 5),
  stored('changed-twice', 'delivered', 4),
  // Its time to live was over 10 days ago, and DynamoDB deleted it a day later.
  stored('aged', 'delivered', retentionDays + 10),
  changed(9, 'aged'),
  stored('deleted-on-its-last-day', 'delivered', retentionDays + 10),
  changed(10, 'deleted-on-its-last-day'),
  // An erasure deletes what has time to live left.
  stored('erased', 'delivered', 20),
  changed(19, 'erased'),
  changed(18, 'deleted-only'),
  stored('restored', 'sent', 17),
  changed(16, 'restored'),
  stored('restored', 'delivered', 15),
  stored('sms-doctor-1', 'delivered', 3),
];

describe('the views for Athena in Trino', () => {
  it('keep a message past its time to live, and leave out an erased one', () => {
    expect(messagesBy('items', exported)).toEqual({
      aged: 'delivered',
      'changed-twice': 'delivered',
      'deleted-on-its-last-day': 'delivered',
      restored: 'delivered',
    });
  });

  it('do the same with a full export from before', () => {
    const before = [
      ['older', 200],
      ['aged-since', retentionDays + 20],
      ['erased-since', 20],
    ] as const;
    const full = before.map(([id, daysAgo]) => JSON.stringify({ Item: itemOf(id, 'delivered', daysAgo) }));
    expect(
      messagesBy(
        'older-messages',
        [...exported, changed(19, 'aged-since'), changed(18, 'erased-since')],
        full,
      ),
    ).toEqual({
      aged: 'delivered',
      'aged-since': 'delivered',
      'changed-twice': 'delivered',
      'deleted-on-its-last-day': 'delivered',
      older: 'delivered',
      restored: 'delivered',
    });
  });
});
