import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { phoneKeys } from '../../contract/phone/phone-key.ts';
import { outcomeOf } from '../../contract/schema/sms-event.ts';
import {
  type Item,
  messageKey,
  replyDayKey,
  replyKey,
  type StoredMessage,
  sendKey,
  stateOf,
} from '../history/history-item-store.ts';
import { type ReadOptions, readItems } from '../history/item-read-store.ts';
import { decidingEntry, isFinal, type Message, type Reply, type TimelineEntry } from '../history/message.ts';
import { messageFromItem } from '../history/message-item.ts';
import { isoOf } from '../history/packed.ts';
import { numberKey, replyFromItem, timelineEntryFromItem } from '../history/reply-item.ts';
import { type OptOut, optOutFromItem } from '../opt-out/opt-out-store.ts';
import { createOpenBatchReader } from './open-batch-read-store.ts';
import { openList, type PendingEntry } from './pending-list.ts';
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

export function createHistoryReader(client: DynamoDBClient, TableName: string): HistoryReader {
  async function read(pk: string): Promise<Item | undefined> {
    const Key = { pk: { S: pk } };
    return (await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))).Item;
  }

  return {
    async message(messageId) {
      const item = await read(messageKey(messageId));
      return item && messageFromItem(item);
    },
    async reply(replyId) {
      const item = await read(replyKey(replyId));
      return item && replyFromItem(item);
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

/** An index, with the attributes of its keys. */
interface ListIndex {
  readonly partition: string;
  readonly sort: string;
  /** Whether its keys are bytes and milliseconds since 1970; otherwise they are texts and times in ISO 8601. */
  readonly isPacked: boolean;
}

const indexes = {
  byWorklist: { partition: 'worklist', sort: 'listedAt', isPacked: false },
  byNumber: { partition: 'n', sort: 't', isPacked: true },
  byList: { partition: 'l', sort: 't', isPacked: true },
} as const satisfies Readonly<Record<string, ListIndex>>;

/** Names a partition of an index, for a list that has partitions of several. */
const partitionOf = (index: keyof typeof indexes, key: string | Uint8Array): string =>
  `${index} ${typeof key === 'string' ? key : Buffer.from(key).toString('base64')}`;

/** Returns the index of a partition, its key, and how the index writes and reads times. */
function readPartition(partition: string) {
  const end = partition.indexOf(' ');
  const name = partition.slice(0, end) as keyof typeof indexes;
  const key = partition.slice(end + 1);
  const index: ListIndex = indexes[name];
  const time = (iso: string): AttributeValue =>
    index.isPacked ? { N: String(Date.parse(iso)) } : { S: iso };
  const timeIn = (item: Item): string =>
    index.isPacked ? isoOf(Number(item[index.sort]?.N)) : (item[index.sort]?.S ?? '');
  const keyValue: AttributeValue = index.isPacked ? { B: Buffer.from(key, 'base64') } : { S: key };
  return { ...index, name, key: keyValue, time, timeIn };
}

const earliest = '0000-01-01T00:00:00.000Z';
const latest = '9999-12-31T23:59:59.999Z';

/** The tables that the lists are read from. */
export interface HistoryTableNames {
  readonly history: string;
  readonly openBatches: string;
}

/**
 * Reads the lists of the history.
 *
 * @param worklistShards the largest number of shards that the writers ever used
 */
export function createHistoryLists(
  client: DynamoDBClient,
  { history: tableName, openBatches }: HistoryTableNames,
  worklistShards: number,
): StoredHistoryLists {
  const openBatchReader = createOpenBatchReader(client, openBatches);
  const shards = Array.from({ length: worklistShards }, (_, shard) => shard);

  async function read(stretch: Stretch): Promise<readonly Entry[]> {
    const { name, partition, sort, key, time, timeIn } = readPartition(stretch.partition);
    const entries: Entry[] = [];
    let from = stretch.after && {
      [partition]: key,
      [sort]: time(stretch.after.at),
      pk: { S: stretch.after.key },
    };
    do {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: tableName,
          IndexName: name,
          KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :from AND :to',
          ExpressionAttributeNames: { '#partition': partition, '#sort': sort },
          ExpressionAttributeValues: {
            ':partition': key,
            ':from': time(stretch.from),
            ':to': time(stretch.to),
          },
          ScanIndexForward: false,
          Limit: stretch.limit - entries.length,
          ...(from === undefined ? {} : { ExclusiveStartKey: from }),
        }),
      );
      for (const item of Items) entries.push({ at: timeIn(item), key: item.pk?.S ?? '' });
      from = LastEvaluatedKey as typeof from;
    } while (from !== undefined && entries.length < stretch.limit);
    return entries;
  }

  /** Reads the items of a list of indexes. They may be a moment behind, so `select` checks each item. */
  function readList<T>(
    groups: Iterable<Group>,
    identity: readonly string[],
    select: (item: Item) => T | undefined,
    page: PageRequest,
  ): Promise<Page<T>> {
    return readItemsOf({ groups, read }, identity, select, page);
  }

  async function readItemsOf<E extends Entry, T>(
    list: PartitionedList<E>,
    identity: readonly string[],
    select: (item: Item, entry: E) => T | undefined,
    page: PageRequest,
    options: ReadOptions = {},
  ): Promise<Page<T>> {
    async function load(entries: readonly E[]) {
      const keys = entries.map(({ key }) => key);
      const items = await readItems(client, tableName, keys, undefined, options);
      const seen = new Set<string>();
      return entries.map((entry) => {
        const item = items.get(entry.key);
        // An item that moves while its partitions are read may appear twice.
        const value = item && !seen.has(entry.key) ? select(item, entry) : undefined;
        if (value === undefined) return undefined;
        seen.add(entry.key);
        return { value, bytes: bytesOf(value) };
      });
    }
    return readPage({ list, identity, load }, page);
  }

  const byShard = (name: string, { since = earliest, until }: TimeRange): Group => ({
    partitions: shards.map((shard) => partitionOf('byWorklist', `${name}#${shard}`)),
    from: since,
    to: lastOf(until),
  });
  function* byDay(
    range: BoundedRange,
    partitionsOf: (date: string) => readonly string[],
  ): Generator<Group, void> {
    for (const { date, from, to } of daysOf(range)) yield { partitions: partitionsOf(date), from, to };
  }
  const ofDay = (name: string, date: string) =>
    shards.map((shard) => partitionOf('byWorklist', `${name}#${date}#${shard}`));

  return {
    phone: ({ phone, since = earliest, until, statuses }, page) => {
      const partitions = phoneKeys(phone).map((key) => partitionOf('byNumber', numberKey(key)));
      const identity = ['phone', phone, ...named(statuses)];
      const select = (entry: TimelineEntry) => {
        const isSelected =
          entry.kind === 'message' ? isOneOf(statuses, entry.message) : statuses === undefined;
        return isSelected ? entry : undefined;
      };
      const group = { partitions, from: since, to: lastOf(until) };
      return readList([group], identity, (item) => select(timelineEntryFromItem(item)), page);
    },

    send: ({ sendId, since = earliest, until, statuses }, page) =>
      readList(
        [
          {
            partitions: shards.map((shard) => partitionOf('byList', sendKey(sendId, shard))),
            from: since,
            to: lastOf(until),
          },
        ],
        ['send', sendId, ...named(statuses)],
        (item) => selectMessage(item, (message) => message.sendId === sendId && isOneOf(statuses, message)),
        page,
      ),

    failed: ({ statuses, ...range }, page) =>
      readList(
        byDay(range, (date) => ofDay('failed', date)),
        ['failed', ...named(statuses)],
        (item) => selectMessage(item, (message) => hasFailed(message) && isOneOf(statuses, message)),
        page,
      ),

    pending: ({ statuses, ...range }, page) =>
      readItemsOf(
        openList(byShard('pending', range), read, openBatchReader, page.limit),
        ['pending', ...named(statuses)],
        (item, { at, isListed }: PendingEntry) => {
          const message = { ...messageFromItem(item), ...stateOf(item) };
          // Later batches have the message with the time of their own reports.
          const isItsPlace = isListed || at === message.firstSeenAt;
          const isPending = isItsPlace && !isFinal(decidingEntry(message));
          return isPending && isOneOf(statuses, message) ? message : undefined;
        },
        page,
        // Without it a message that was just stored could be missing.
        { consistent: true },
      ),

    replies: (range, page) =>
      readList(
        byDay(range, (date) => shards.map((shard) => partitionOf('byList', replyDayKey(date, shard)))),
        ['replies'],
        replyFromItem,
        page,
      ),

    optOuts: (range, page) => readList([byShard('optout', range)], ['opt-outs'], optOutFromItem, page),
  };
}

/** Returns about how many bytes a value has in an answer. */
function bytesOf(value: unknown): number {
  const text = JSON.stringify(value, (_, part: unknown) => (part instanceof Map ? [...part.values()] : part));
  return Buffer.byteLength(text);
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
