import { type AttributeValue, type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import type { Traffic } from '../insights/traffic.ts';

/** An item in words: one line for each fact. By the key of the item. */
export type Facts = ReadonlyMap<string, readonly string[]>;

type Item = Record<string, AttributeValue>;

const ranks = {
  queued: 20,
  sent: 30,
  failed: 100,
  undelivered: 100,
  expired: 100,
  delivered: 110,
  read: 120,
};

/** Folds traffic as docs/reference/data-model.md says, without any code of the pipeline: from what was made, not from what is stored. */
export function foldTraffic({ messages, replies }: Pick<Traffic, 'messages' | 'replies'>): Facts {
  const facts = new Map<string, string[]>();
  for (const { id, phone, send, reports } of messages) {
    const [last] = reports.toSorted((a, b) => ranks[b.status] - ranks[a.status] || b.time - a.time);
    facts.set(`message#${id}`, [
      `phone ${phone}`,
      `send ${send}`,
      `status ${last?.status} at ${iso(last?.time ?? 0)}`,
      `${reports.length} reports`,
      ...reports
        .map((report) => `${report.id} ${report.status} ${iso(report.time)} ${report.code ?? ''}`)
        .sort(),
    ]);
  }
  for (const { id, of, isStop, time } of replies) {
    const text = isStop ? 'STOP' : 'see you at nine';
    facts.set(`reply#${id}`, [`from ${of.phone}`, `answers ${of.id}`, `text ${text}`, `at ${iso(time)}`]);
    if (!isStop) continue;
    const said = facts.get(`optout#${of.phone}`) ?? ['state out', 'list opted-out'];
    facts.set(`optout#${of.phone}`, [...said, `out by ${id} at ${iso(time)}`].sort());
  }
  return facts;
}

const iso = (time: number) => new Date(time).toISOString();

/** Reads messages, replies and opt-outs of a history. */
export async function readFacts(client: DynamoDBClient, TableName: string): Promise<Facts> {
  const facts = new Map<string, readonly string[]>();
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true }))
    for (const item of Items) {
      const key = item.pk?.S ?? '';
      if (key.startsWith('message#')) facts.set(key, messageFacts(item));
      else if (key.startsWith('reply#'))
        facts.set(key, [
          `from ${item.from?.S}`,
          `answers ${item.messageId?.S}`,
          `text ${item.text?.S}`,
          `at ${item.occurredAt?.S}`,
        ]);
      else if (key.startsWith('optout#')) facts.set(key, optOutFacts(item));
    }
  return facts;
}

function messageFacts(item: Item): string[] {
  const reports = Object.entries(item).flatMap(([name, { M }]) =>
    name.startsWith('report#')
      ? [`${name.slice('report#'.length)} ${M?.status?.S} ${M?.at?.S} ${M?.errorCode?.S ?? ''}`]
      : [],
  );
  return [
    `phone ${item.phone?.S}`,
    `send ${item.sendId?.S}`,
    `status ${item.status?.S} at ${item.statusAt?.S}`,
    `${item.reportCount?.N} reports`,
    ...reports.sort(),
  ];
}

function optOutFacts(item: Item): string[] {
  const said = (item.statements?.L ?? []).map(({ M }) => `${M?.state?.S} by ${M?.replyId?.S} at ${M?.at?.S}`);
  return [`state ${item.state?.S}`, `list ${item.listName?.S}`, ...said].sort();
}

/** Returns a line for each item that differs. */
export function differentItems(stored: Facts, expected: Facts): string[] {
  return [...new Set([...stored.keys(), ...expected.keys()])].flatMap((key) => {
    const [is, should] = [stored.get(key)?.join('; '), expected.get(key)?.join('; ')];
    return is === should ? [] : [`${key}: ${is} instead of ${should}`];
  });
}
