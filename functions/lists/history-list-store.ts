import { type DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { phoneSpellings } from '../../contract/phone/phone-key.ts';
import { outcomeOf } from '../../contract/schema/sms-event.ts';
import {
  type Item,
  messageFromItem,
  messageKey,
  replyFromItem,
  replyKey,
  type StoredMessage,
  sendPartition,
  stateOf,
  timelineEntryFromItem,
} from '../history/history-item-store.ts';
import { readItems } from '../history/item-read-store.ts';
import { decidingEntry, isFinal, type Message, type Reply, type TimelineEntry } from '../history/message.ts';
import {
  compareOptOutChanges,
  type OptOut,
  optOutChangeFromItem,
  optOutFromItem,
  registerKeysOf,
} from '../opt-out/opt-out-store.ts';
import { type Entry, type Group, type PartitionedList, readPage, type Stretch } from './read-page.ts';
import {
  type BoundedRange,
  daysOf,
  type Page,
  type PageRequest,
  type StatusFilter,
  type TimeRange,
} from './time-range.ts';

/** Reads one message or reply with one strongly consistent GetItem. */
export interface HistoryReader {
  message(messageId: string): Promise<Message | undefined>;
  reply(replyId: string): Promise<Reply | undefined>;
}

export function createHistoryReader(client: DynamoDBClient, tableName: string): HistoryReader {
  async function get(pk: string): Promise<Item | undefined> {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: tableName, Key: { pk: { S: pk } }, ConsistentRead: true }),
    );
    return Item;
  }

  return {
    message: async (messageId) => {
      const item = await get(messageKey(messageId));
      return item === undefined ? undefined : messageFromItem(item);
    },
    reply: async (replyId) => {
      const item = await get(replyKey(replyId));
      return item === undefined ? undefined : replyFromItem(item);
    },
  };
}

/**
 * The lists of delivery history, newest first. Each is read by Query on an index, and throws CursorError for a cursor of another list.
 */
export interface HistoryLists {
  /**
   * Messages to a number and replies from it, in any spelling; a filter of statuses leaves replies out.
   *
   * @param query phone in E.164
   */
  phone(
    query: TimeRange & StatusFilter & { readonly phone: string },
    page: PageRequest,
  ): Promise<Page<TimelineEntry>>;
  /** The messages of a bulk send, by the time they were first seen. */
  send(
    query: TimeRange & StatusFilter & { readonly sendId: string },
    page: PageRequest,
  ): Promise<Page<Message>>;
  /** Messages that failed, by the time they failed. */
  failed(query: BoundedRange & StatusFilter, page: PageRequest): Promise<Page<Message>>;
  /** Messages without a final status, by the time they were first seen. */
  pending(query: TimeRange & StatusFilter, page: PageRequest): Promise<Page<Message>>;
  /** Replies, by the time they were sent. */
  replies(query: BoundedRange, page: PageRequest): Promise<Page<Reply>>;
  /** Numbers that want no more messages, by the time of their opt-out. */
  optOuts(query: TimeRange, page: PageRequest): Promise<Page<OptOut>>;
}

/** The lists with the state of pending messages, for a caller that writes them. */
export interface StoredHistoryLists extends HistoryLists {
  pending(query: TimeRange & StatusFilter, page: PageRequest): Promise<Page<StoredMessage>>;
}

type IndexName = 'byPhone' | 'byWorklist' | 'bySend';

const keysOf: Readonly<Record<IndexName, { readonly partition: string; readonly sort: string }>> = {
  byPhone: { partition: 'phone', sort: 'at' },
  byWorklist: { partition: 'worklist', sort: 'listedAt' },
  bySend: { partition: 'sendKey', sort: 'at' },
};

const earliest = '0000-01-01T00:00:00.000Z';
const latest = '9999-12-31T23:59:59.999Z';

/** Reads the lists of the history table. @param worklistShards the largest number of shards that the writers ever used */
export function createHistoryLists(
  client: DynamoDBClient,
  tableName: string,
  worklistShards: number,
): StoredHistoryLists {
  const shards = Array.from({ length: worklistShards }, (_, shard) => shard);

  function list(index: IndexName, groups: Iterable<Group>): PartitionedList<Entry> {
    const { partition, sort } = keysOf[index];
    async function read(stretch: Stretch): Promise<readonly Entry[]> {
      const entries: Entry[] = [];
      let from = stretch.after && {
        [partition]: { S: stretch.partition },
        [sort]: { S: stretch.after.at },
        pk: { S: stretch.after.key },
      };
      do {
        const { Items = [], LastEvaluatedKey } = await client.send(
          new QueryCommand({
            TableName: tableName,
            IndexName: index,
            KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :from AND :to',
            ExpressionAttributeNames: { '#partition': partition, '#sort': sort },
            ExpressionAttributeValues: {
              ':partition': { S: stretch.partition },
              ':from': { S: stretch.from },
              ':to': { S: stretch.to },
            },
            ScanIndexForward: false,
            Limit: stretch.limit - entries.length,
            ...(from === undefined ? {} : { ExclusiveStartKey: from }),
          }),
        );
        for (const item of Items) entries.push({ at: item[sort]?.S ?? '', key: item.pk?.S ?? '' });
        from = LastEvaluatedKey as typeof from;
      } while (from !== undefined && entries.length < stretch.limit);
      return entries;
    }
    return { groups, read };
  }

  /**
   * Reads the items of an index. The index may be a moment behind, so `select` checks each item.
   *
   * @param relatedKeys keys of further items that `select` needs
   */
  async function readList<T>(
    index: IndexName,
    groups: Iterable<Group>,
    identity: readonly string[],
    select: (item: Item, itemOf: (key: string) => Item | undefined) => T | undefined,
    page: PageRequest,
    relatedKeys: (item: Item) => readonly string[] = () => [],
  ): Promise<Page<T>> {
    async function load(entries: readonly Entry[]) {
      const keys = entries.map(({ key }) => key);
      const items = await readItems(client, tableName, keys);
      const further = [...items.values()].flatMap(relatedKeys).filter((key) => !items.has(key));
      const related = await readItems(client, tableName, further);
      const itemOf = (key: string) => items.get(key) ?? related.get(key);
      return keys.map((key, index) => {
        const item = items.get(key);
        // An item that moves while its partitions are read may appear twice.
        const value = item && keys.indexOf(key) === index ? select(item, itemOf) : undefined;
        return value === undefined ? undefined : { value, bytes: Buffer.byteLength(JSON.stringify(item)) };
      });
    }
    return readPage({ list: list(index, groups), identity, load }, page);
  }

  const byShard = (name: string, { since = earliest, until }: TimeRange): Group => ({
    partitions: shards.map((shard) => `${name}#${shard}`),
    from: since,
    to: lastOf(until),
  });
  function* byDay(name: string, range: BoundedRange): Generator<Group, void> {
    for (const { date, from, to } of daysOf(range))
      yield { partitions: shards.map((shard) => `${name}#${date}#${shard}`), from, to };
  }

  return {
    phone: ({ phone, since = earliest, until, statuses }, page) =>
      readList(
        'byPhone',
        [{ partitions: phoneSpellings(phone), from: since, to: lastOf(until) }],
        ['phone', phone, ...named(statuses)],
        (item) => {
          const entry = timelineEntryFromItem(item);
          const isSelected =
            entry.kind === 'message' ? isOneOf(statuses, entry.message) : statuses === undefined;
          return isSelected ? entry : undefined;
        },
        page,
      ),

    send: ({ sendId, since = earliest, until, statuses }, page) =>
      readList(
        'bySend',
        [{ partitions: shards.map((shard) => sendPartition(sendId, shard)), from: since, to: lastOf(until) }],
        ['send', sendId, ...named(statuses)],
        (item) => selectMessage(item, (message) => message.sendId === sendId && isOneOf(statuses, message)),
        page,
      ),

    failed: ({ statuses, ...range }, page) =>
      readList(
        'byWorklist',
        byDay('failed', range),
        ['failed', ...named(statuses)],
        (item) => selectMessage(item, (message) => hasFailed(message) && isOneOf(statuses, message)),
        page,
      ),

    pending: ({ statuses, ...range }, page) =>
      readList(
        'byWorklist',
        [byShard('pending', range)],
        ['pending', ...named(statuses)],
        (item) => {
          const message = { ...messageFromItem(item), ...stateOf(item) };
          return !isFinal(decidingEntry(message)) && isOneOf(statuses, message) ? message : undefined;
        },
        page,
      ),

    replies: (range, page) => readList('byWorklist', byDay('reply', range), ['replies'], replyFromItem, page),

    optOuts: (range, page) =>
      readList(
        'byWorklist',
        [byShard('optout', range)],
        ['opt-outs'],
        (item, itemOf) => (isOutdated(item, itemOf) ? undefined : optOutFromItem(item)),
        page,
        placesOf,
      ),
  };
}

/** Returns the keys under which the register may hold the number of an opt-out. */
function placesOf(optOut: Item): readonly string[] {
  return registerKeysOf(optOutChangeFromItem(optOut).phone);
}

/** Returns whether the register has a newer change of the same number under another key, or the same one under an earlier key. */
function isOutdated(optOut: Item, itemOf: (key: string) => Item | undefined): boolean {
  const change = optOutChangeFromItem(optOut);
  const places = placesOf(optOut);
  const own = places.indexOf(optOut.pk?.S ?? '');
  return places.some((key, place) => {
    const other = itemOf(key);
    if (other === undefined || place === own) return false;
    const order = compareOptOutChanges(optOutChangeFromItem(other), change);
    return order > 0 || (order === 0 && (own === -1 || place < own));
  });
}

/** Returns the newest time before `until`. */
function lastOf(until: string | undefined): string {
  return until === undefined ? latest : new Date(Date.parse(until) - 1).toISOString();
}

/** Returns a filter as a part of a list's identity. */
function named(statuses: StatusFilter['statuses']): string[] {
  return statuses === undefined ? [] : ['statuses', ...[...statuses].sort()];
}

function isOneOf(statuses: StatusFilter['statuses'], message: Message): boolean {
  const { status } = decidingEntry(message);
  return statuses === undefined || statuses.some((one) => one === status);
}

function hasFailed(message: Message): boolean {
  return outcomeOf(decidingEntry(message).rank) === 'failure';
}

function selectMessage(item: Item, isSelected: (message: Message) => boolean): Message | undefined {
  const message = messageFromItem(item);
  return isSelected(message) ? message : undefined;
}
