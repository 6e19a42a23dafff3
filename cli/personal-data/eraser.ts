import { setTimeout as delay } from 'node:timers/promises';
import {
  type CancellationReason,
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../functions/base/basics.ts';
import { createReceiptTable, type ReceiptTable } from './receipts.ts';
import {
  type ErasureReceipt,
  noRecords,
  type PersonalRecord,
  type RecordCounts,
  summarizeRecord,
} from './record.ts';
import {
  createPersonalDataSources,
  type PersonalDataSources,
  type PersonalDataTables,
  personalRecords,
  type StoredRecord,
} from './sources.ts';

/** Deletes the data of the person behind a number. */
export interface Eraser {
  /**
   * Deletes under a receipt that has been begun. It leaves a receipt that is done unchanged. It may be repeated after a crash at
   * any point, because each deletion and its count in the receipt are one transaction.
   *
   * @param onWait is called with the milliseconds before the eraser waits for the index; the erasure is not complete before
   * @throws ErasureError
   */
  erase(request: ErasureRequest, onWait?: (milliseconds: number) => void): Promise<ErasureOutcome>;
}

interface ErasureRequest {
  /** E.164 */
  readonly phone: string;
  /** The id of the receipt, which records whether the opt-out is kept. */
  readonly receiptId: string;
}

export interface ErasureOutcome {
  readonly receipt: ErasureReceipt;
  /** How many deleted messages may get more reports, which restore them. */
  readonly mayGetReports: number;
  /** How many opt-outs were left, because they may be another person's. */
  readonly leftOptOuts: number;
}

/** Thrown if an erasure could not be completed. The message gives the reason without the number. */
export class ErasureError extends Error {
  override readonly name = 'ErasureError';
}

/** A transaction accepts 4 MB and an item has up to 400 KB; the receipt is one more item. */
const recordsPerTransaction = 9;

/** The maximum number of passes. The second pass finds nothing unless the pipeline writes at the same time. */
const maxPasses = 20;

/** The maximum number of attempts of one transaction. */
const maxAttempts = 8;
const firstPauseMs = 25;

const gone = 'ConditionalCheckFailed';

/** The reasons of DynamoDB for rejecting a deletion that it may accept a moment later. */
const transient: ReadonlySet<string> = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

/**
 * How long the eraser waits before it queries the history again, in milliseconds. DynamoDB updates global secondary indexes after the
 * table, "within a fraction of a second, under normal conditions" (DynamoDB Developer Guide, Global Secondary Indexes: Data
 * synchronization between tables and indexes), and guarantees no limit. This is more than ten times as long.
 */
export const indexLagMs = 10_000;

/**
 * Makes an eraser.
 *
 * @param waitMs how long to wait for the index, in milliseconds: {@link indexLagMs}, or 0 for a database whose indexes never lag
 * @param pause waits this many milliseconds
 */
export function createEraser(
  client: DynamoDBClient,
  sources: PersonalDataSources,
  receipts: ReceiptTable,
  clock: Clock,
  waitMs: number,
  pause: (milliseconds: number) => Promise<unknown> = delay,
): Eraser {
  /** Deletes records. @returns the deleted ones, without those that are gone or belong to another number by now */
  async function remove(
    records: readonly StoredRecord[],
    receiptId: string,
  ): Promise<readonly StoredRecord[]> {
    let remaining = records;
    for (let attempt = 1; remaining.length > 0; attempt++) {
      const reasons = await transact(remaining, receiptId);
      if (reasons === undefined) return remaining;
      const codes = reasons.map(({ Code }) => Code ?? 'None');
      if (codes[remaining.length] === gone)
        throw new ErasureError(`the receipt ${receiptId} is gone, or another run has finished it`);
      const refusal = codes.find((code) => code !== 'None' && code !== gone && !transient.has(code));
      if (refusal !== undefined) throw new ErasureError(`DynamoDB rejects a deletion (${refusal})`);
      if (attempt === maxAttempts)
        throw new ErasureError(`data about the number was still being written after ${maxAttempts} attempts`);
      if (codes.some((code) => transient.has(code))) await pause(Math.random() * firstPauseMs * 2 ** attempt);
      remaining = remaining.filter((_, index) => codes[index] !== gone);
    }
    return [];
  }

  /** Deletes all records or none. @returns the reasons why none was, for each record and the receipt; undefined on success */
  async function transact(
    records: readonly StoredRecord[],
    receiptId: string,
  ): Promise<readonly CancellationReason[] | undefined> {
    const deletions = records.map(({ place }) => removalAt(place));
    const counted: TransactWriteItem = { Update: receipts.addition(receiptId, countsOf(records)) };
    try {
      await client.send(new TransactWriteItemsCommand({ TransactItems: [...deletions, counted] }));
      return undefined;
    } catch (error) {
      if (error instanceof TransactionCanceledException && error.CancellationReasons !== undefined)
        return error.CancellationReasons;
      throw error;
    }
  }

  /** Deletes the records of a source in one pass. */
  async function sweep(source: Source, { phone, receiptId }: ErasureRequest): Promise<Swept> {
    const swept = { deleted: 0, changed: 0, mayGetReports: 0 };
    for await (const records of chunks(source(phone), recordsPerTransaction)) {
      const deleted = await remove(records, receiptId);
      const notes = deleted.map(({ record }) => summarizeRecord(record, clock()).note);
      swept.deleted += deleted.length;
      swept.changed += records.filter(
        (one) => one.place.unchanged !== undefined && !deleted.includes(one),
      ).length;
      swept.mayGetReports += notes.filter((note) => note === 'may-get-reports').length;
    }
    return swept;
  }

  /** Deletes until a pass finds no record. @returns the number of deleted messages that may get more reports */
  async function empty(source: Source, request: ErasureRequest): Promise<number> {
    let total = 0;
    for (let pass = 0; pass < maxPasses; pass++) {
      const { deleted, changed, mayGetReports } = await sweep(source, request);
      if (deleted + changed === 0) return total;
      total += mayGetReports;
    }
    throw new ErasureError(`there was still new data about the number after ${maxPasses} passes`);
  }

  return {
    async erase(request, onWait) {
      const { receiptId } = request;
      const begun = await receipts.read(receiptId);
      if (begun === undefined) throw new ErasureError(`there is no receipt ${receiptId}`);
      if (begun.state === 'done') return { receipt: begun, mayGetReports: 0, leftOptOuts: 0 };
      const emptyHistory = async () => {
        const mayGetReports = await empty(sources.history, request);
        if (!begun.keepOptOut) await empty(certainOptOuts, request);
        return mayGetReports;
      };
      async function* certainOptOuts(phone: string): AsyncGenerator<StoredRecord, void> {
        for await (const stored of sources.optOut(phone)) if (!isUncertain(stored)) yield stored;
      }
      const first = await emptyHistory();
      await sweep(sources.quarantine, request);
      // The index may lack the latest writes, and the search of the quarantine may have been fast.
      if (waitMs > 0) {
        onWait?.(waitMs);
        await pause(waitMs);
      }
      const mayGetReports = first + (await emptyHistory());
      const finishedAt = new Date(clock()).toISOString();
      let leftOptOuts = 0;
      if (!begun.keepOptOut)
        for await (const stored of sources.optOut(request.phone)) if (isUncertain(stored)) leftOptOuts += 1;
      return { receipt: await receipts.finish(receiptId, finishedAt), mayGetReports, leftOptOuts };
    },
  };
}

type Source = PersonalDataSources[keyof PersonalDataSources];

/** The result of one pass. */
interface Swept {
  readonly deleted: number;
  /** How many records were not removed, because another writer has changed their items meanwhile. */
  readonly changed: number;
  /** How many deleted messages may get more reports. */
  readonly mayGetReports: number;
}

/** Returns whether a record is an opt-out of a number without a country code, which may be another person's. */
function isUncertain({ record }: StoredRecord): boolean {
  return record.kind === 'opt-out' && record.isUncertain === true;
}

/** Returns the write that removes a record: what is other people's of its item is left. */
function removalAt({ TableName, Key, owner, unchanged, left }: StoredRecord['place']): TransactWriteItem {
  const [name, value] = owner ?? [];
  const condition =
    unchanged ??
    (name === undefined || value === undefined
      ? { ConditionExpression: 'attribute_exists(#owner)', ExpressionAttributeNames: { '#owner': 'pk' } }
      : {
          ConditionExpression: '#owner = :owner',
          ExpressionAttributeNames: { '#owner': name },
          ExpressionAttributeValues: { ':owner': value },
        });
  return left === undefined
    ? { Delete: { TableName, Key, ...condition } }
    : { Put: { TableName, Item: left, ...condition } };
}

function countsOf(records: readonly StoredRecord[]): RecordCounts {
  const counts = { ...noRecords };
  for (const { record } of records) counts[record.kind] += 1;
  return counts;
}

async function* chunks<T>(values: AsyncIterable<T>, size: number): AsyncGenerator<T[], void> {
  let chunk: T[] = [];
  for await (const value of values) {
    chunk.push(value);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** Finds and erases personal data, and keeps receipts of erasures. */
export interface PersonalData extends Eraser {
  /** Reads all records about a number, page by page. @param phone E.164 */
  records(phone: string): AsyncIterable<PersonalRecord>;
  readonly receipts: Pick<ReceiptTable, 'begin' | 'read' | 'readPerson'>;
}

/**
 * @param waitMs how long an erasure waits for the index by number, in milliseconds
 * @param onRead is called with the number of items of each page that was read
 * @param onUnsearched is called with the id of each entry of the quarantine that has more than was searched
 */
export function createPersonalData(
  client: DynamoDBClient,
  tables: PersonalDataTables,
  clock: Clock,
  waitMs: number,
  onRead: (items: number) => void,
  onUnsearched: (id: string) => void,
): PersonalData {
  const sources = createPersonalDataSources(client, tables, onRead, onUnsearched);
  const receipts = createReceiptTable(client, tables.history);
  return {
    ...createEraser(client, sources, receipts, clock, waitMs),
    records: (phone) => personalRecords(sources, phone),
    receipts,
  };
}
