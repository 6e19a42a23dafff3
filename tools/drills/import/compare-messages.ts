import { type AttributeValue, type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import type { MadeRow } from './import-rows.ts';

const ranks: Readonly<Record<string, number>> = {
  queued: 20,
  sent: 30,
  failed: 100,
  undelivered: 100,
  expired: 100,
  delivered: 110,
  read: 120,
};

/** A message in words: its state, its number and send, and one line for each report. */
type Facts = readonly string[];

/** Folds rows as docs/guides/import.md says, without any code of the pipeline. */
export function foldRows(rows: readonly MadeRow[]): Map<string, Facts> {
  const byMessage = Map.groupBy(rows, ({ messageId }) => messageId);
  return new Map(
    [...byMessage].map(([messageId, ofMessage]) => {
      const reports = new Map<string, MadeRow>();
      for (const row of ofMessage) {
        const id = row.code === '' ? `import:${row.status}` : `import:${row.status}:${row.code}`;
        const known = reports.get(id);
        if (known === undefined || row.time < known.time) reports.set(id, row);
      }
      const [last] = [...reports].toSorted(
        ([a, one], [b, other]) =>
          (ranks[other.status] ?? 0) - (ranks[one.status] ?? 0) || other.time - one.time || (a < b ? 1 : -1),
      );
      const first = Math.min(...ofMessage.map(({ time }) => time));
      const [{ phone, send } = { phone: '', send: '' }] = ofMessage;
      return [
        messageId,
        [
          `phone ${phone}`,
          `send ${send}`,
          `status ${last?.[1].status}`,
          `first seen ${iso(first)}`,
          ...[...reports]
            .map(([id, { status, time }]) => `${id} ${status} ${iso(time)} ${iso(time)} silent`)
            .sort(),
        ],
      ];
    }),
  );
}

const iso = (time: number) => new Date(time).toISOString();

/** Reads the messages of the table. */
export async function readFacts(client: DynamoDBClient, TableName: string): Promise<Map<string, Facts>> {
  const found = new Map<string, Facts>();
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true }))
    for (const item of Items)
      if (item.pk?.S?.startsWith('message#')) found.set(item.messageId?.S ?? '', factsOf(item));
  return found;
}

function factsOf(item: Record<string, AttributeValue>): Facts {
  const reports = Object.entries(item).flatMap(([name, { M }]) =>
    name.startsWith('report#') && M !== undefined
      ? [
          `${name.slice('report#'.length)} ${M.status?.S} ${M.at?.S} ${M.receivedAt?.S}${M.silent?.BOOL ? ' silent' : ''}`,
        ]
      : [],
  );
  return [
    `phone ${item.phone?.S}`,
    `send ${item.sendId?.S}`,
    `status ${item.status?.S}`,
    `first seen ${item.firstSeenAt?.S}`,
    ...reports.sort(),
  ];
}

/** Returns a line for each message that differs. */
export function differentMessages(
  stored: ReadonlyMap<string, Facts>,
  expected: ReadonlyMap<string, Facts>,
): string[] {
  return [...new Set([...stored.keys(), ...expected.keys()])].flatMap((id) => {
    const [is, should] = [stored.get(id)?.join('; '), expected.get(id)?.join('; ')];
    return is === should ? [] : [`message ${id}: ${is} instead of ${should}`];
  });
}
