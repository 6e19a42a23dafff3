import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import type { Reply } from '../core/history/reply.ts';
import { numberFinder } from '../core/personal-data/number-finder.ts';
import type { PersonalRecord } from '../core/personal-data/record.ts';
import type { QuarantinedEntry } from '../core/quarantine.ts';
import { type Item, messageFromItem, optOutKey, replyFromItem } from './history-items.ts';
import { optOutChangeFromItem, statementsFromItem } from './opt-out-register.ts';
import { quarantinedFromItem } from './quarantine-table.ts';
import { readItems } from './read-items.ts';

/** The tables in which something about a person may lie. */
export interface PersonalDataTables {
  readonly history: string;
  readonly quarantine: string;
}

/** A record, and where it lies. */
export interface StoredRecord {
  readonly record: PersonalRecord;
  readonly place: {
    readonly TableName: string;
    readonly Key: Record<string, AttributeValue>;
    /** An attribute that says that the item is still this number's, with its value. */
    readonly owner?: readonly [string, AttributeValue];
  };
}

/** Where something is kept about the person behind a number. Phone numbers are E.164. */
export type PersonalDataSources = Readonly<
  Record<'history' | 'optOut' | 'quarantine', (phone: string) => AsyncGenerator<StoredRecord, void>>
>;

/** Everything that is kept about the person behind a number, read as it is asked for. */
export async function* personalRecords(
  { history, optOut, quarantine }: PersonalDataSources,
  phone: string,
): AsyncGenerator<PersonalRecord, void> {
  for (const source of [history, optOut, quarantine])
    for await (const { record } of source(phone)) yield record;
}

export function createPersonalDataSources(
  client: DynamoDBClient,
  tables: PersonalDataTables,
): PersonalDataSources {
  return {
    /** Messages to the number and replies from it, newest first. The index may be a moment behind, the items are not. */
    async *history(phone) {
      let from: Item | undefined;
      do {
        const { Items = [], LastEvaluatedKey } = await client.send(
          new QueryCommand({
            TableName: tables.history,
            IndexName: 'byPhone',
            KeyConditionExpression: '#phone = :phone',
            ExpressionAttributeNames: { '#phone': 'phone' },
            ExpressionAttributeValues: { ':phone': { S: phone } },
            ScanIndexForward: false,
            Limit: 100,
            ...(from === undefined ? {} : { ExclusiveStartKey: from }),
          }),
        );
        from = LastEvaluatedKey;
        const keys = Items.map(({ pk }) => pk?.S ?? '');
        const found = await readItems(client, tables.history, keys, undefined, { consistent: true });
        for (const pk of keys) {
          const item = found.get(pk);
          if (item?.phone?.S !== phone) continue;
          const record = historyRecord(pk, item);
          yield { record, place: placeOf(tables.history, { pk: { S: pk } }, ['phone', { S: phone }]) };
        }
      } while (from !== undefined);
    },

    async *optOut(phone) {
      const Key = { pk: { S: optOutKey(phone) } };
      const { Item } = await client.send(
        new GetItemCommand({ TableName: tables.history, Key, ConsistentRead: true }),
      );
      if (Item === undefined) return;
      const change = optOutChangeFromItem(Item);
      const record = { kind: 'opt-out', change, statements: statementsFromItem(Item) } as const;
      yield { record, place: placeOf(tables.history, Key) };
    },

    /**
     * The entries in which the number occurs. What is in quarantine could not be read, so no index can know whose it is: the
     * whole table is read, which is the one Scan of this table, and small as long as the contract fits the service.
     */
    async *quarantine(phone) {
      const mentionsNumber = numberFinder(phone);
      let from: Item | undefined;
      do {
        const { Items = [], LastEvaluatedKey } = await client.send(
          new ScanCommand({
            TableName: tables.quarantine,
            ConsistentRead: true,
            ...(from === undefined ? {} : { ExclusiveStartKey: from }),
          }),
        );
        from = LastEvaluatedKey;
        for (const item of Items) {
          const entry = quarantinedFromItem(item);
          if (!textsOf(entry).some(mentionsNumber)) continue;
          const { pk = { S: '' }, sk = { S: '' } } = item;
          yield { record: { kind: 'quarantined', entry }, place: placeOf(tables.quarantine, { pk, sk }) };
        }
      } while (from !== undefined);
    },
  };
}

function historyRecord(pk: string, item: Item): PersonalRecord {
  return pk.startsWith('reply#')
    ? { kind: 'reply', reply: ownVersions(replyFromItem(item)) }
    : { kind: 'message', message: messageFromItem(item) };
}

/** Without versions that came from another number under the same id: those are somebody else's. */
function ownVersions({ replyId, standing, superseded }: Reply): Reply {
  const own = [...superseded].filter(([, { from }]) => from === standing.from);
  return { replyId, standing, superseded: new Map(own) };
}

/** Everything in an entry that came from outside. */
function textsOf({ raw, headers = {}, url = '', signedId = '' }: QuarantinedEntry): string[] {
  return [Buffer.from(raw).toString(), url, signedId, ...Object.values(headers)];
}

function placeOf(
  TableName: string,
  Key: Record<string, AttributeValue>,
  owner?: readonly [string, AttributeValue],
): StoredRecord['place'] {
  return { TableName, Key, ...(owner === undefined ? {} : { owner }) };
}
