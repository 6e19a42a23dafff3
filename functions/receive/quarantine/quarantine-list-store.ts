import { type DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { mainSource } from '../../../contract/events/source-id.ts';
import { type Entry, type Group, listKeys, readPage, type Stretch } from '../../history/index.ts';
import {
  type BoundedRange,
  daysOf,
  type Page,
  type PageRequest,
  type SourceFilter,
} from '../../history/shapes.ts';
import {
  parseQuarantineId,
  type QuarantinedEntry,
  type QuarantineReason,
  type QuarantineSummary,
} from './quarantine.ts';
import { quarantinedFromItem, quarantineKeys, summaryFromItem } from './quarantine-store.ts';

/** Reads the quarantine. */
export interface QuarantineReader {
  /** Lists entries by the time they were received, newest first. @throws CursorError for a cursor of another list */
  list(
    query: BoundedRange & SourceFilter & { readonly reason?: QuarantineReason },
    page: PageRequest,
  ): Promise<Page<QuarantineSummary>>;
  /** Returns one entry with the received bytes; undefined if the id is unknown. */
  entry(id: string): Promise<QuarantinedEntry | undefined>;
}

interface SummaryEntry extends Entry {
  readonly summary: QuarantineSummary;
}

/** The character after the "#" that follows the time in a sort key. A key that begins with a time is less than the time with this character. */
const afterTime = '$';

/** An estimate of a summary's size. It need not be exact, because thousands of summaries fit one answer. */
const summaryBytes = 300;

/** @param listShards the largest number of shards that the writers ever used */
export function createQuarantineReader(
  client: DynamoDBClient,
  tableName: string,
  listShards: number,
): QuarantineReader {
  async function read(stretch: Stretch): Promise<readonly SummaryEntry[]> {
    const entries: SummaryEntry[] = [];
    let from = stretch.after && { pk: { S: stretch.partition }, sk: { S: stretch.after.key } };
    do {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :from AND :to',
          ProjectionExpression: '#sk, #reason, #field, #source, #receivedAt, #requestId, #index',
          ExpressionAttributeNames: {
            '#pk': 'pk',
            '#sk': 'sk',
            '#reason': 'reason',
            '#field': 'field',
            '#source': 'source',
            '#receivedAt': 'receivedAt',
            '#requestId': 'requestId',
            '#index': 'index',
          },
          ExpressionAttributeValues: {
            ':pk': { S: stretch.partition },
            ':from': { S: stretch.from },
            ':to': { S: stretch.to + afterTime },
          },
          ScanIndexForward: false,
          Limit: stretch.limit - entries.length,
          ...(from === undefined ? {} : { ExclusiveStartKey: from }),
        }),
      );
      for (const item of Items) {
        const summary = summaryFromItem(item);
        entries.push({ at: summary.receivedAt, key: summary.id, summary });
      }
      from = LastEvaluatedKey as typeof from;
    } while (from !== undefined && entries.length < stretch.limit);
    return entries;
  }

  function* byDay(range: BoundedRange): Generator<Group, void> {
    for (const { date, from, to } of daysOf(range))
      yield { partitions: listKeys(date, listShards), from, to };
  }

  return {
    list({ reason, source, ...range }, page) {
      const list = { groups: byDay(range), read };
      const identity = [
        'quarantine',
        ...(reason === undefined ? [] : [reason]),
        ...(source === undefined ? [] : ['source', source]),
      ];
      const isSelected = (summary: QuarantineSummary) =>
        (reason === undefined || summary.reason === reason) &&
        (source === undefined || (summary.source ?? mainSource) === source);
      const load = async (entries: readonly SummaryEntry[]) =>
        entries.map(({ summary }) =>
          isSelected(summary) ? { value: summary, bytes: summaryBytes } : undefined,
        );
      return readPage({ list, identity, load }, page);
    },

    async entry(id) {
      const parsed = parseQuarantineId(id);
      if (parsed === undefined) return undefined;
      for (const Key of quarantineKeys(parsed, listShards)) {
        const { Item } = await client.send(new GetItemCommand({ TableName: tableName, Key }));
        if (Item !== undefined) return quarantinedFromItem(Item);
      }
      return undefined;
    },
  };
}
