import {
  type AttributeValue,
  type DynamoDBClient,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { phoneKey, phoneSpellings } from '../../contract/phone/phone-key.ts';
import { type Item, messageFromItem, replyFromItem } from '../../functions/history/history-item-store.ts';
import { readItems } from '../../functions/history/item-read-store.ts';
import type { Reply } from '../../functions/history/message.ts';
import {
  optOutChangeFromItem,
  optOutKeys,
  statementsFromItem,
} from '../../functions/opt-out/opt-out-store.ts';
import type { QuarantinedEntry } from '../../functions/quarantine/quarantine.ts';
import { quarantinedFromItem } from '../../functions/quarantine/quarantine-store.ts';
import { nationalSpellings, numberFinder, separatedSpellings } from './number-finder.ts';
import { inflate } from './readings.ts';
import type { PersonalRecord } from './record.ts';

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
  /** What is stored under one spelling of a number, newest first. */
  async function* historyUnder(spelling: string): AsyncGenerator<StoredRecord, void> {
    let from: Item | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: tables.history,
          IndexName: 'byPhone',
          KeyConditionExpression: '#phone = :phone',
          ExpressionAttributeNames: { '#phone': 'phone' },
          ExpressionAttributeValues: { ':phone': { S: spelling } },
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
        if (item?.phone?.S !== spelling) continue;
        const record = historyRecord(pk, item);
        yield { record, place: placeOf(tables.history, { pk: { S: pk } }, ['phone', { S: spelling }]) };
      }
    } while (from !== undefined);
  }

  return {
    /**
     * Messages to the number and replies from it, newest first of each spelling. The index may be a moment behind, the items
     * are not.
     */
    async *history(phone) {
      for (const spelling of spellingsOf(phone)) yield* historyUnder(spelling);
    },

    async *optOut(phone) {
      const keys = optOutKeys(spellingsOf(phone));
      const certain = new Set(optOutKeys([...phoneSpellings(phone), ...separatedSpellings(phone)]));
      const found = await readItems(client, tables.history, keys, undefined, { consistent: true });
      for (const [pk, item] of found) {
        const change = optOutChangeFromItem(item);
        const uncertain = certain.has(pk) ? {} : { isUncertain: true as const };
        const record = {
          kind: 'opt-out',
          change,
          statements: statementsFromItem(item),
          ...uncertain,
        } as const;
        yield { record, place: placeOf(tables.history, { pk: { S: pk } }) };
      }
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
          if (!some(textsOf(entry), mentionsNumber)) continue;
          const { pk = { S: '' }, sk = { S: '' } } = item;
          yield { record: { kind: 'quarantined', entry }, place: placeOf(tables.quarantine, { pk, sk }) };
        }
      } while (from !== undefined);
    },
  };
}

/** The texts under which the number may have been stored, those without a country code last. */
function spellingsOf(phone: string): readonly string[] {
  return [...new Set([...phoneSpellings(phone), ...separatedSpellings(phone), ...nationalSpellings(phone)])];
}

function historyRecord(pk: string, item: Item): PersonalRecord {
  return pk.startsWith('reply#')
    ? { kind: 'reply', reply: ownVersions(replyFromItem(item)) }
    : { kind: 'message', message: messageFromItem(item) };
}

/** Without versions that came from another number under the same id: those are somebody else's. */
function ownVersions({ replyId, standing, superseded }: Reply): Reply {
  const own = [...superseded].filter(([, { from }]) => phoneKey(from) === phoneKey(standing.from));
  return { replyId, standing, superseded: new Map(own) };
}

function some<T>(values: Iterable<T>, isWanted: (value: T) => boolean): boolean {
  for (const value of values) if (isWanted(value)) return true;
  return false;
}

/** Everything in an entry that came from outside, a compressed body as what it holds as well. */
function* textsOf({ raw, headers = {}, url = '', signedId = '' }: QuarantinedEntry): Generator<string, void> {
  yield* [Buffer.from(raw).toString(), url, signedId, ...Object.values(headers)];
  const inflated = inflate(raw);
  if (inflated !== undefined) yield Buffer.from(inflated).toString();
}

function placeOf(
  TableName: string,
  Key: Record<string, AttributeValue>,
  owner?: readonly [string, AttributeValue],
): StoredRecord['place'] {
  return { TableName, Key, ...(owner === undefined ? {} : { owner }) };
}
