import { type DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { mainSource, splitId } from '../../../contract/events/source-id.ts';
import { type Outcome, outcomeOf } from '../../../contract/schema/sms-event.ts';
import { omitUndefined } from '../../base/basics.ts';
import {
  failedList,
  hashPrefix,
  historyIndexes,
  type Item,
  listKeys,
  messageKey,
  messagePrefix,
  numberKey,
  optedOutList,
  pendingList,
  repliesList,
  replyKey,
  replyPrefix,
  type StoredMessage,
  stateOf,
  unknownList,
} from '../item-keys.ts';
import { readItems } from '../item-read-store.ts';
import { decidingEntry, isFinal, type Message, type Reply, type TimelineEntry } from '../message.ts';
import { messageFromItem } from '../message-item.ts';
import {
  isOutOf,
  type OptOut,
  optOutChangeFromItem,
  optOutFromItem,
  optOutPrefix,
} from '../opt-out/opt-out.ts';
import { replyFromItem, timelineEntryFromItem } from '../reply-item.ts';
import { type Entry, type Group, readPage, type Stretch } from './read-page.ts';
import {
  type BoundedRange,
  daysOf,
  type Ordered,
  type Page,
  type PageRequest,
  type Selected,
  type SourceFilter,
  type StatusFilter,
  type TimeRange,
} from './time-range.ts';

/** Reads one message or reply with one strongly consistent GetItem. */
export interface HistoryReader {
  message(messageId: string): Promise<Message | undefined>;
  reply(replyId: string): Promise<Reply | undefined>;
}

/** Reads the item of a message, as the table has it, with one strongly consistent GetItem. */
export async function readMessageItem(
  client: DynamoDBClient,
  tableName: string,
  messageId: string,
): Promise<Item | undefined> {
  return readItem(client, tableName, messageKey(messageId));
}

/** Reads messages by their ids. Messages that do not exist are missing in the result. */
export async function readMessages(
  client: DynamoDBClient,
  tableName: string,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, Message>> {
  const items = await readItems(client, tableName, messageIds.map(messageKey));
  const found = messageIds.flatMap((id) => {
    const item = items.get(messageKey(id));
    return item === undefined ? [] : [[id, messageFromItem(item)] as const];
  });
  return new Map(found);
}

async function readItem(client: DynamoDBClient, TableName: string, pk: string): Promise<Item | undefined> {
  const Key = { pk: { S: pk } };
  return (await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))).Item;
}

export function createHistoryReader(client: DynamoDBClient, tableName: string): HistoryReader {
  return {
    async message(messageId) {
      const item = await readMessageItem(client, tableName, messageId);
      return item && messageFromItem(item);
    },
    async reply(replyId) {
      const item = await readItem(client, tableName, replyKey(replyId));
      return item && replyFromItem(item);
    },
  };
}

/**
 * The lists of delivery history, newest first. Each is read by Query on an index, and throws CursorError for a cursor of another list.
 */
export interface HistoryLists {
  /**
   * Messages to a number and replies from it, in any spelling, by the time they were first received; a filter of statuses leaves replies out.
   * A cursor is accepted for another number, too, because it says nothing about the number.
   *
   * @param query phone in E.164
   */
  phone(
    query: TimeRange & StatusFilter & SourceFilter & Selected<TimelineEntry> & { readonly phone: string },
    page: PageRequest,
  ): Promise<Page<TimelineEntry>>;
  /** The messages of a bulk send, which is of one source, by the time they were first seen. */
  send(
    query: TimeRange & StatusFilter & Selected<Message> & { readonly sendId: string },
    page: PageRequest,
  ): Promise<Page<Message>>;
  /** Messages that failed, by the time they failed. */
  failed(
    query: BoundedRange & StatusFilter & SourceFilter & Selected<Message>,
    page: PageRequest,
  ): Promise<Page<Message>>;
  /** Messages marked unknown, by the time since when they are. */
  unknown(query: BoundedRange & SourceFilter & Selected<Message>, page: PageRequest): Promise<Page<Message>>;
  /** Messages without a final status, by the time they were first seen. */
  pending(
    query: TimeRange & StatusFilter & SourceFilter & Selected<Message> & Ordered,
    page: PageRequest,
  ): Promise<Page<Message>>;
  /** Replies, by the time they were sent. */
  replies(query: BoundedRange & SourceFilter & Selected<Reply>, page: PageRequest): Promise<Page<Reply>>;
  /** Numbers that want no more messages, by the time of their opt-out; with a source, those that want none of it. */
  optOuts(query: TimeRange & SourceFilter & Selected<OptOut>, page: PageRequest): Promise<Page<OptOut>>;
}

/** The lists with the state of pending messages, for a caller that writes them. */
export interface StoredHistoryLists extends HistoryLists {
  pending(
    query: TimeRange & StatusFilter & SourceFilter & Selected<Message> & Ordered,
    page: PageRequest,
  ): Promise<Page<StoredMessage>>;
}

type HistoryIndex = keyof typeof historyIndexes;

const earliest = '0000-01-01T00:00:00.000Z';
const latest = '9999-12-31T23:59:59.999Z';

/**
 * Reads the lists of the history.
 *
 * @param listShards the largest number of shards that the writers ever used
 */
export function createHistoryLists(
  client: DynamoDBClient,
  tableName: string,
  listShards: number,
): StoredHistoryLists {
  async function readIndex(
    index: HistoryIndex,
    stretch: Stretch,
    order: Ordered['order'],
  ): Promise<readonly Entry[]> {
    const { partition, sort } = historyIndexes[index];
    const key = { S: stretch.partition };
    const entries: Entry[] = [];
    let from: Item | undefined = stretch.after && {
      [partition]: key,
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
            ':partition': key,
            ':from': { S: stretch.from },
            ':to': { S: stretch.to },
          },
          ScanIndexForward: order === 'oldest',
          Limit: stretch.limit - entries.length,
          ...(from === undefined ? {} : { ExclusiveStartKey: from }),
        }),
      );
      for (const item of Items) entries.push({ at: item[sort]?.S ?? '', key: item.pk?.S ?? '' });
      from = LastEvaluatedKey;
    } while (from !== undefined && entries.length < stretch.limit);
    return entries;
  }

  /**
   * Reads the items of a list of an index. The index may be a moment behind, so `select` checks each item.
   *
   * @param source the entries of other sources are left out
   */
  function readList<T extends W, W>(
    index: HistoryIndex,
    groups: Iterable<Group>,
    identity: readonly string[],
    { source, where, order }: SourceFilter & Selected<W> & Ordered,
    select: (item: Item) => T | undefined,
    page: PageRequest,
  ): Promise<Page<T>> {
    const isOfSource = (item: Item) => {
      if (source === undefined) return true;
      // Whichever source a number opted out at, it may be out of all.
      if (item.pk?.S?.startsWith(optOutPrefix)) return isOutOf(source, optOutChangeFromItem(item));
      return (item.source?.S ?? mainSource) === source;
    };
    async function load(entries: readonly Entry[]) {
      const keys = entries.map(({ key }) => key).filter((key) => isWanted(key, source, where?.acceptsId));
      const items = await readItems(client, tableName, keys);
      const seen = new Set<string>();
      return entries.map(({ key }) => {
        const item = items.get(key);
        // An item that moves while its partitions are read may appear twice.
        const value = item && !seen.has(key) && isOfSource(item) ? select(item) : undefined;
        if (value === undefined || where?.accepts(value) === false) return undefined;
        seen.add(key);
        return { value, bytes: bytesOf(value) };
      });
    }
    const read = (stretch: Stretch) => readIndex(index, stretch, order);
    const isOldestFirst = order === 'oldest';
    const filter = source === undefined ? [] : ['source', source];
    const selected = where === undefined ? [] : ['where', ...where.identity];
    const ordered = isOldestFirst ? ['oldest'] : [];
    return readPage(
      {
        list: { groups, read, isOldestFirst },
        identity: [...identity, ...filter, ...selected, ...ordered],
        load,
      },
      page,
    );
  }

  const group = (partitions: readonly string[], { since = earliest, until }: TimeRange): Group => ({
    partitions,
    from: since,
    to: lastOf(until),
  });
  function* byDay(range: BoundedRange, listOf: (day: string) => string): Generator<Group, void> {
    for (const { date, from, to } of daysOf(range))
      yield { partitions: listKeys(listOf(date), listShards), from, to };
  }

  return {
    phone: ({ phone, statuses, source, where, ...range }, page) =>
      readList(
        'byNumber',
        [group([numberKey(phone)], range)],
        ['phone', ...named(statuses)],
        omitUndefined({ source, where }),
        (item) => {
          const entry = timelineEntryFromItem(item);
          const isSelected =
            entry.kind === 'message' ? isOneOf(statuses, entry.message) : statuses === undefined;
          return isSelected ? entry : undefined;
        },
        page,
      ),

    send: ({ sendId, statuses, where, ...range }, page) =>
      readList(
        'bySend',
        [group(listKeys(sendId.toWellFormed(), listShards), range)],
        ['send', sendId, ...named(statuses)],
        omitUndefined({ where }),
        (item) =>
          selectMessage(
            item,
            (message) => message.sendId === sendId.toWellFormed() && isOneOf(statuses, message),
          ),
        page,
      ),

    failed: ({ statuses, source, where, ...range }, page) =>
      readList(
        'byList',
        byDay(range, failedList),
        ['failed', ...named(statuses)],
        omitUndefined({ source, where }),
        (item) =>
          selectMessage(item, (message) => hasOutcome(message, 'failure') && isOneOf(statuses, message)),
        page,
      ),

    unknown: ({ source, where, ...range }, page) =>
      readList(
        'byList',
        byDay(range, unknownList),
        ['unknown'],
        omitUndefined({ source, where }),
        (item) => selectMessage(item, (message) => hasOutcome(message, 'unknown')),
        page,
      ),

    pending: ({ statuses, source, where, order, ...range }, page) =>
      readList(
        'byList',
        [group(listKeys(pendingList, listShards), range)],
        ['pending', ...named(statuses)],
        omitUndefined({ source, where, order }),
        (item) => {
          const message = { ...messageFromItem(item), ...stateOf(item) };
          return !isFinal(decidingEntry(message)) && isOneOf(statuses, message) ? message : undefined;
        },
        page,
      ),

    replies: ({ source, where, ...range }, page) =>
      readList(
        'byList',
        byDay(range, repliesList),
        ['replies'],
        omitUndefined({ source, where }),
        replyFromItem,
        page,
      ),

    optOuts: ({ source, where, ...range }, page) =>
      readList(
        'byList',
        [group(listKeys(optedOutList, listShards), range)],
        ['opt-outs'],
        omitUndefined({ source, where }),
        optOutFromItem,
        page,
      ),
  };
}

const idPrefixes = [messagePrefix, replyPrefix];

/** Returns whether an item may be wanted by its key, so that others are not read. The key of a number has no id, and a long id is hashed. */
function isWanted(
  key: string,
  source: string | undefined,
  acceptsId: (id: string) => boolean = () => true,
): boolean {
  const prefix = idPrefixes.find((one) => key.startsWith(one));
  if (prefix === undefined) return true;
  const id = key.slice(prefix.length);
  if (id.startsWith(hashPrefix)) return true;
  return (source === undefined || splitId(id).source === source) && acceptsId(id);
}

/** Returns about how many bytes a value has in an answer of Lambda, which is JSON with the JSON of the page in a text: a quote in a message has four. */
function bytesOf(value: unknown): number {
  const text = JSON.stringify(value, (_, part: unknown) => (part instanceof Map ? [...part.values()] : part));
  return Buffer.byteLength(JSON.stringify(text));
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

function hasOutcome(message: Message, outcome: Outcome): boolean {
  return outcomeOf(decidingEntry(message).rank) === outcome;
}

function selectMessage(item: Item, isSelected: (message: Message) => boolean): Message | undefined {
  // A send may be called like the list of replies of several numbers.
  if (item.pk?.S?.startsWith(messagePrefix) !== true) return undefined;
  const message = messageFromItem(item);
  return isSelected(message) ? message : undefined;
}
