import { type AttributeValue, type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../base/basics.ts';
import type { Item } from '../../history/index.ts';
import {
  cohortKey,
  dayMs,
  dayPartition,
  onlySort,
  partsOfSort,
  quarterMs,
  quarterPartition,
  sendList,
  startOf,
} from './cohort.ts';
import { readCounters } from './counter-item-store.ts';
import { firstReportOf, keyOfItem, nameOf, sendTimeIndex, timeAttribute } from './counter-items.ts';
import { isEmpty, type Tally, tallyOfItem } from './tally.ts';

/** The counts of one send. */
export interface SendFigures {
  readonly sendId: string;
  /** The time of its earliest report, milliseconds since 1970. */
  readonly first: number;
  readonly tally: Tally;
}

/** The counts of a quarter hour in one country from one source. */
export interface QuarterFigures {
  /** Milliseconds since 1970. */
  readonly start: number;
  /** ISO 3166-1, or ZZ. */
  readonly country: string;
  readonly source: string;
  readonly tally: Tally;
}

/** The counts of a day, in UTC, in one country from one source. */
export interface DayFigures {
  /** yyyy-mm-dd */
  readonly day: string;
  readonly country: string;
  readonly source: string;
  readonly tally: Tally;
}

/** Where a page of sends ended. */
interface SendPosition {
  readonly first: number;
  readonly pk: string;
}

/** The sends whose earliest report is in a time. */
interface SendQuery {
  /** Milliseconds since 1970. */
  readonly since?: number;
  /** Milliseconds since 1970, exclusive. */
  readonly until?: number;
  readonly before?: SendPosition;
  readonly limit: number;
}

interface SendPage {
  readonly sends: readonly SendFigures[];
  /** Undefined at the end of the list. */
  readonly next: SendPosition | undefined;
}

/** Reads counters. Reads are eventually consistent, and leave out what has expired or adds up to nothing. */
export interface CounterReads {
  /** Costs half a read unit for 4 KB of the item of the send. */
  send(sendId: string): Promise<SendFigures | undefined>;
  /** Returns sends by the time of their earliest report, the newest first. */
  sends(query: SendQuery): Promise<SendPage>;
  /** Returns the quarter hours that begin in a time, by time, country and source. @param from milliseconds since 1970 @param until exclusive */
  quarters(from: number, until: number): Promise<readonly QuarterFigures[]>;
  /** Returns the days of a range, by day, country and source. @param from yyyy-mm-dd @param until exclusive */
  days(from: string, until: string): Promise<readonly DayFigures[]>;
}

/** The year 3000; no report is later. */
const maxTime = 32_503_680_000_000;

export function createCounterReads(client: DynamoDBClient, tableName: string, clock: Clock): CounterReads {
  const isKept = ({ expiresAt }: Item) => Number(expiresAt?.N ?? 0) * 1000 > clock();

  /** Returns the items of a partition whose sort key is in a range. @param until exclusive */
  async function range(partition: string, from: string, until: string): Promise<Item[]> {
    const items: Item[] = [];
    let start: Record<string, AttributeValue> | undefined;
    do {
      const page = await client.send(
        new QueryCommand({
          TableName: tableName,
          KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :from AND :until',
          ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
          ExpressionAttributeValues: {
            ':pk': { S: partition },
            ':from': { S: from },
            ':until': { S: until },
          },
          ...(start !== undefined && { ExclusiveStartKey: start }),
        }),
      );
      items.push(...(page.Items ?? []));
      start = page.LastEvaluatedKey;
    } while (start !== undefined);
    return items.filter((item) => isKept(item) && !isEmpty(tallyOfItem(item)));
  }

  function sendOf(item: Item | undefined): SendFigures | undefined {
    const first = firstReportOf(item);
    if (item?.sendId?.S === undefined || first === undefined || !isKept(item)) return undefined;
    const tally = tallyOfItem(item);
    return isEmpty(tally) ? undefined : { sendId: item.sendId.S, first, tally };
  }

  return {
    async send(sendId) {
      const key = cohortKey({ kind: 'send', sendId });
      const items = await readCounters(client, tableName, [key], false);
      return sendOf(items.get(nameOf(key)));
    },
    async sends({ since = 0, until = maxTime, before, limit }) {
      const page = await client.send(
        new QueryCommand({
          TableName: tableName,
          IndexName: sendTimeIndex,
          KeyConditionExpression: 'listName = :list AND #firstReportAt BETWEEN :since AND :until',
          ExpressionAttributeNames: { '#firstReportAt': 'firstReportAt' },
          ExpressionAttributeValues: {
            ':list': { S: sendList },
            ':since': timeAttribute(since),
            ':until': timeAttribute(until - 1),
          },
          ScanIndexForward: false,
          Limit: limit,
          ...(before !== undefined && {
            ExclusiveStartKey: {
              listName: { S: sendList },
              firstReportAt: timeAttribute(before.first),
              pk: { S: before.pk },
              sk: { S: onlySort },
            },
          }),
        }),
      );
      const keys = (page.Items ?? []).map(keyOfItem);
      const items = await readCounters(client, tableName, keys, false);
      const first = firstReportOf(page.LastEvaluatedKey);
      const pk = page.LastEvaluatedKey?.pk?.S;
      return {
        sends: keys.flatMap((key) => sendOf(items.get(nameOf(key))) ?? []),
        next: first === undefined || pk === undefined ? undefined : { first, pk },
      };
    },
    async quarters(from, until) {
      const found: QuarterFigures[] = [];
      const begin = Math.ceil(from / quarterMs) * quarterMs;
      const end = Math.ceil(until / quarterMs) * quarterMs;
      for (let day = startOf(begin, dayMs); day < until; day += dayMs) {
        const firstTime = new Date(Math.max(day, begin)).toISOString().slice(11, 16);
        const endTime = end < day + dayMs ? new Date(end).toISOString().slice(11, 16) : '~';
        for (const item of await range(quarterPartition(day), firstTime, endTime)) {
          const { time, ...place } = partsOfSort(keyOfItem(item).sk);
          const start = day + Date.parse(`1970-01-01T${time}:00Z`);
          if (start < until) found.push({ start, ...place, tally: tallyOfItem(item) });
        }
      }
      return found;
    },
    async days(from, until) {
      const found: DayFigures[] = [];
      for (const month of monthsOf(from, until))
        for (const item of await range(dayPartition(month), from, until)) {
          const { time: day, ...place } = partsOfSort(keyOfItem(item).sk);
          if (day < until) found.push({ day, ...place, tally: tallyOfItem(item) });
        }
      return found;
    },
  };
}

/** Returns the beginnings of the months in which a range of days lies. */
function monthsOf(from: string, until: string): number[] {
  const months: number[] = [];
  const start = new Date(`${from.slice(0, 7)}-01T00:00:00Z`);
  while (start.getTime() < Date.parse(until)) {
    months.push(start.getTime());
    start.setUTCMonth(start.getUTCMonth() + 1);
  }
  return months;
}
