import {
  type AttributeValue,
  type DynamoDBClient,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { maskNumbersOf } from '../../contract/phone/mask.ts';
import { phoneKey } from '../../contract/phone/phone-key.ts';
import {
  type Condition,
  historyIndexes,
  type Item,
  messageFromItem,
  numberKey,
  optOutChangeFromItem,
  optOutKey,
  phoneOf,
  quietAttribute,
  replyFrom,
  replyFromItem,
  replyItem,
  replyPrefix,
  sharedRepliesList,
  statementsFromItem,
  stateOf,
  UnreadableItemError,
  unchangedCondition,
  versionsOf,
} from '../../functions/history/index.ts';
import { randomGeneration, readItems } from '../../functions/history/io.ts';
import { quarantinedFromItem } from '../../functions/receive/io.ts';
import type { QuarantinedEntry } from '../../functions/receive/shapes.ts';
import { sanitize } from '../text/sanitize.ts';
import { nationalSpellings, numberFinder } from './number-finder.ts';
import { hasGzipInBase64, inflate } from './readings.ts';
import type { PersonalRecord } from './record.ts';

/** Where personal data may be. */
export interface PersonalDataTables {
  readonly history: string;
  readonly quarantine: string;
}

/** A record and its place. */
export interface StoredRecord {
  readonly record: PersonalRecord;
  readonly place: {
    readonly TableName: string;
    readonly Key: Record<string, AttributeValue>;
    /** The attribute and value that show that the item still belongs to this number. */
    readonly owner?: readonly [string, AttributeValue];
    /** That no writer changed the item since it was read, where it may have what other people wrote. It counts in place of `owner`. */
    readonly unchanged?: Condition;
    /** What an erasure leaves of the item, because it is other people's; it deletes the whole item if left out. */
    readonly left?: Item;
  };
}

/** The sources of records about the person behind a number. Phone numbers are E.164. */
export type PersonalDataSources = Readonly<
  Record<'history' | 'optOut' | 'quarantine', (phone: string) => AsyncGenerator<StoredRecord, void>>
>;

/** Reads all records about the person behind a number, page by page. */
export async function* personalRecords(
  { history, optOut, quarantine }: PersonalDataSources,
  phone: string,
): AsyncGenerator<PersonalRecord, void> {
  for (const source of [history, optOut, quarantine])
    for await (const { record } of source(phone)) yield record;
}

/**
 * @param onRead is called with the number of items of each page that was read
 * @param onUnsearched is called with the id of each entry of the quarantine that has more than was searched, and in which the number
 *   was not found
 */
export function createPersonalDataSources(
  client: DynamoDBClient,
  tables: PersonalDataTables,
  onRead: (items: number) => void = () => {},
  onUnsearched: (id: string) => void = () => {},
): PersonalDataSources {
  /** Reads the items of the history that an index has under one key, newest first. The index may lag, but the items are read consistently. */
  async function* itemsUnder(
    IndexName: 'byNumber' | 'bySend',
    value: string,
  ): AsyncGenerator<readonly [pk: string, item: Item], void> {
    let from: Item | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: tables.history,
          IndexName,
          KeyConditionExpression: '#key = :key',
          ExpressionAttributeNames: { '#key': historyIndexes[IndexName].partition },
          ExpressionAttributeValues: { ':key': { S: value } },
          ScanIndexForward: false,
          Limit: 100,
          ...(from === undefined ? {} : { ExclusiveStartKey: from }),
        }),
      );
      from = LastEvaluatedKey;
      onRead(Items.length);
      const keys = Items.map(({ pk }) => pk?.S ?? '');
      const items = await readItems(client, tables.history, keys, undefined, { consistent: true });
      for (const pk of keys) {
        const item = items.get(pk);
        if (item !== undefined) yield [pk, item];
      }
    } while (from !== undefined);
  }

  /** Reads the messages and replies of a person that an index has under one key. @param isOwn decides by the number as the service wrote it */
  async function* historyUnder(
    index: 'byNumber' | 'bySend',
    key: string,
    isOwn: (written: string) => boolean,
  ): AsyncGenerator<StoredRecord, void> {
    for await (const [pk, item] of itemsUnder(index, key)) {
      // The index by number has what is the person's as a whole. A send may be called like the list of replies.
      if (index === 'bySend' && (!pk.startsWith(replyPrefix) || isOwn(item.from?.S ?? ''))) continue;
      // A reply of others must not stop an erasure because it cannot be read.
      if (index === 'bySend' && !sendersIn(item).some(isOwn)) continue;
      const phone = item.phone ?? { S: '' };
      const place = placeOf(tables.history, { pk: { S: pk } }, ['phone', phone]);
      const found = readAt(place, phone.S ?? '', () =>
        pk.startsWith(replyPrefix) ? replyIn(item, place, isOwn) : messageIn(item, place, isOwn),
      );
      if (found !== undefined) yield found;
    }
  }

  return {
    /** Reads messages to the number and replies from it, newest first for each key, those without a country code last. */
    async *history(phone) {
      const key = numberKey(phone);
      const national = nationalSpellings(phone);
      const hasCountryCode = phoneKey(phone).startsWith('+');
      const isOwn = (written: string) =>
        national.includes(written) || (numberKey(written) === key && (hasCountryCode || written === phone));
      yield* historyUnder('byNumber', key, isOwn);
      // The key of digits without a country code may be that of another person's number.
      for (const other of new Set(national.map(numberKey)))
        if (other !== key) yield* historyUnder('byNumber', other, isOwn);
      // The index by number has a reply under the number of its newest version only.
      yield* historyUnder('bySend', sharedRepliesList, isOwn);
    },

    async *optOut(phone) {
      const own = optOutKey(phone);
      const spellings = [phone, ...nationalSpellings(phone)];
      const keys = [...new Set(spellings.map(optOutKey))];
      const items = await readItems(client, tables.history, keys, undefined, { consistent: true });
      const hasCountryCode = phoneKey(phone).startsWith('+');
      for (const [pk, item] of items) {
        const place = placeOf(tables.history, { pk: { S: pk } });
        const change = readAt(place, phone, () => optOutChangeFromItem(item));
        // Digits that may be national have the key of a number with a country code, which may be another person's.
        if (!(hasCountryCode && pk === own) && !spellings.includes(change.phone)) continue;
        const uncertain = pk === own ? {} : { isUncertain: true as const };
        const record = {
          kind: 'opt-out',
          change,
          statements: readAt(place, phone, () => statementsFromItem(item)),
          ...uncertain,
        } as const;
        yield { record, place };
      }
    },

    /**
     * Reads the entries that contain the number. Quarantine entries could not be read, so no index has their numbers. This Scan
     * of the whole table is the only one, and the table is small as long as the contract fits the service.
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
        onRead(Items.length);
        for (const item of Items) {
          const { pk = { S: '' }, sk = { S: '' } } = item;
          const place = placeOf(tables.quarantine, { pk, sk });
          const entry = readAt(place, phone, () => quarantinedFromItem(item));
          const { texts, isWhole } = textsOf(entry);
          if (texts.some(mentionsNumber)) yield { record: { kind: 'quarantined', entry }, place };
          else if (!isWhole) onUnsearched(entry.id);
        }
      } while (from !== undefined);
    },
  };
}

function messageIn(
  item: Item,
  place: StoredRecord['place'],
  isOwn: (written: string) => boolean,
): StoredRecord | undefined {
  if (!isOwn(phoneOf(item) ?? '')) return undefined;
  return { record: { kind: 'message', message: messageFromItem(item) }, place };
}

/**
 * Returns the versions of a reply that are of one person. Those of other numbers under the same id are other people's, and an erasure leaves
 * them.
 *
 * @returns undefined if no version is of the person
 * @throws UnreadableItemError
 */
function replyIn(
  item: Item,
  place: StoredRecord['place'],
  isOwn: (written: string) => boolean,
): StoredRecord | undefined {
  const reply = replyFromItem(item);
  const versions = [...versionsOf(reply)];
  const own = versions.filter(([, { from }]) => isOwn(from));
  const others = versions.filter(([, { from }]) => !isOwn(from));
  if (own.length === 0) return undefined;
  const unchanged = unchangedCondition(stateOf(item));
  if (others.length === 0) return { record: { kind: 'reply', reply }, place: { ...place, unchanged } };
  const { expiresAt } = stateOf(item);
  // Each number of shards includes the first one.
  const left = replyItem(replyFrom(reply.replyId, new Map(others)), randomGeneration(), expiresAt, {
    listShards: 1,
  });
  return {
    record: { kind: 'reply', reply: replyFrom(reply.replyId, new Map(own)) },
    place: {
      ...place,
      unchanged,
      left: { ...left, pk: item.pk ?? {}, [quietAttribute]: { BOOL: true } } as Item,
    },
  };
}

/** Returns the senders of the versions of a reply, as far as they can be read. */
function sendersIn(item: Item): string[] {
  const versions = Object.values(item).flatMap(({ M }) => (M === undefined ? [] : [M]));
  return [item, ...versions].flatMap(({ from }) => from?.S ?? []);
}

/** What the pipeline says about a request. Every other text of an entry came from outside. */
const ownFields: ReadonlySet<string> = new Set<keyof QuarantinedEntry>([
  'id',
  'reason',
  'field',
  'source',
  'receivedAt',
  'requestId',
  'contract',
  'identity',
]);

/** The texts of an entry that a sender wrote. */
export interface EntryTexts {
  readonly texts: readonly string[];
  /**
   * Whether these are all. A compressed body that inflates to too much, or that is damaged, is here only with its beginning, and gzip in base64
   * is not inflated.
   */
  readonly isWhole: boolean;
}

/** Returns all texts of an entry that came from outside; a compressed body also in its inflated form. */
export function textsOf({ raw, headers = {}, ...fields }: QuarantinedEntry): EntryTexts {
  const others = Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' && !ownFields.has(name) ? [value] : [],
  );
  const { bytes, isWhole } = inflate(raw) ?? { bytes: new Uint8Array(), isWhole: true };
  const bodies = [raw, bytes].map((body) => Buffer.from(body).toString());
  const texts = [...bodies, ...Object.entries(headers).flat(), ...others];
  return { texts, isWhole: isWhole && !texts.some(hasGzipInBase64) };
}

/** Returns what `read` does. The error for an item that cannot be read names its place. @param phone is masked there */
function readAt<T>({ TableName, Key }: StoredRecord['place'], phone: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadableItemError)) throw error;
    const key = Object.values(Key).map(({ S = '' }) => S);
    const shown = maskNumbersOf(sanitize(key.join(' ')), [phone]);
    throw new UnreadableItemError(`${error.message}, in table ${TableName}, key ${shown}`);
  }
}

function placeOf(
  TableName: string,
  Key: Record<string, AttributeValue>,
  owner?: readonly [string, AttributeValue],
): StoredRecord['place'] {
  return { TableName, Key, ...(owner === undefined ? {} : { owner }) };
}
