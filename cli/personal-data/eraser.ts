import { setTimeout as delay } from 'node:timers/promises';
import {
  type CancellationReason,
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../../functions/runtime/clock.ts';
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

/** Deletes what is kept about the person behind a number. */
export interface Eraser {
  /**
   * Deletes under a receipt that has been begun; one that is done is left as it is. May be repeated after a crash at any
   * point: every deletion is counted in the receipt once, because both are one transaction.
   *
   * @param onWait is called before the eraser waits for the index, with how long in milliseconds: until then the erasure is not complete
   * @throws ErasureError
   */
  erase(request: ErasureRequest, onWait?: (milliseconds: number) => void): Promise<ErasureOutcome>;
}

interface ErasureRequest {
  /** E.164 */
  readonly phone: string;
  /** Of the receipt, which says whether the opt-out stays. */
  readonly receiptId: string;
}

export interface ErasureOutcome {
  readonly receipt: ErasureReceipt;
  /** Messages this run deleted that may well get more reports, which bring them back. */
  readonly mayGetReports: number;
  /** Opt-outs that were left, because they may be another person's. */
  readonly leftOptOuts: number;
}

/** Thrown where an erasure could not be brought to its end; the message says why, without the number. */
export class ErasureError extends Error {
  override readonly name = 'ErasureError';
}

/** A transaction takes 4 MB, an item 400 KB; one more item is the receipt. */
const recordsPerTransaction = 9;

/** Passes through what is kept of a number. The second finds nothing, unless somebody writes at the same time. */
const maxPasses = 20;

/** Tries of one transaction. */
const maxAttempts = 8;
const firstPauseMs = 25;

const gone = 'ConditionalCheckFailed';

/** Why DynamoDB refuses a deletion that it may take a moment later. */
const passing: ReadonlySet<string> = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

/**
 * How long the eraser waits before it looks the history up again, in milliseconds. DynamoDB updates global secondary indexes after the
 * table, "within a fraction of a second, under normal conditions" (DynamoDB Developer Guide, Global Secondary Indexes: Data
 * synchronization between tables and indexes), and promises no limit: this is more than ten times as long.
 */
export const indexLagMs = 10_000;

/**
 * @param waitMs how long to wait for the index, in milliseconds: {@link indexLagMs}, or 0 for a database whose indexes never lag
 * @param pause waits so many milliseconds
 */
export function createEraser(
  client: DynamoDBClient,
  sources: PersonalDataSources,
  receipts: ReceiptTable,
  clock: Clock,
  waitMs: number,
  pause: (milliseconds: number) => Promise<unknown> = delay,
): Eraser {
  /** @returns those that were deleted: what is gone, or another number's by now, is none of ours */
  async function remove(
    records: readonly StoredRecord[],
    receiptId: string,
  ): Promise<readonly StoredRecord[]> {
    let left = records;
    for (let attempt = 1; left.length > 0; attempt++) {
      const reasons = await transact(left, receiptId);
      if (reasons === undefined) return left;
      const codes = reasons.map(({ Code }) => Code ?? 'None');
      if (codes[left.length] === gone)
        throw new ErasureError(`the receipt ${receiptId} is gone, or another run has finished it`);
      const refusal = codes.find((code) => code !== 'None' && code !== gone && !passing.has(code));
      if (refusal !== undefined) throw new ErasureError(`DynamoDB refuses a deletion (${refusal})`);
      if (attempt === maxAttempts)
        throw new ErasureError(
          `after ${maxAttempts} tries something about the number is still being written`,
        );
      if (codes.some((code) => passing.has(code))) await pause(Math.random() * firstPauseMs * 2 ** attempt);
      left = left.filter((_, index) => codes[index] !== gone);
    }
    return [];
  }

  /** @returns why nothing was deleted, for each record and the receipt; undefined where all was */
  async function transact(
    records: readonly StoredRecord[],
    receiptId: string,
  ): Promise<readonly CancellationReason[] | undefined> {
    const deletions = records.map(({ place }): TransactWriteItem => ({ Delete: deletionOf(place) }));
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

  /** Deletes what a source gives, once through. */
  async function sweep(source: Source, { phone, receiptId }: ErasureRequest): Promise<Swept> {
    const swept = { deleted: 0, mayGetReports: 0 };
    for await (const records of chunks(source(phone), recordsPerTransaction)) {
      const deleted = await remove(records, receiptId);
      const notes = deleted.map(({ record }) => summarizeRecord(record, clock()).note);
      swept.deleted += deleted.length;
      swept.mayGetReports += notes.filter((note) => note === 'may-get-reports').length;
    }
    return swept;
  }

  /** Deletes until a source gives nothing more. @returns messages among that which may get more reports */
  async function empty(source: Source, request: ErasureRequest): Promise<number> {
    let total = 0;
    for (let pass = 0; pass < maxPasses; pass++) {
      const { deleted, mayGetReports } = await sweep(source, request);
      if (deleted === 0) return total;
      total += mayGetReports;
    }
    throw new ErasureError(`after ${maxPasses} passes there is still something new about the number`);
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
      // What was written just before is not in the index yet, and the search of the quarantine may have taken no time at all.
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

/** What one pass deleted. */
interface Swept {
  readonly deleted: number;
  /** Messages among that which may well get more reports. */
  readonly mayGetReports: number;
}

/** Whether a record is an opt-out of a number without a country code, which may be another person's. */
function isUncertain({ record }: StoredRecord): boolean {
  return record.kind === 'opt-out' && record.isUncertain === true;
}

function deletionOf({ TableName, Key, owner }: StoredRecord['place']): TransactWriteItem['Delete'] {
  const [name, value] = owner ?? [];
  return {
    TableName,
    Key,
    ...(name === undefined || value === undefined
      ? { ConditionExpression: 'attribute_exists(#owner)', ExpressionAttributeNames: { '#owner': 'pk' } }
      : {
          ConditionExpression: '#owner = :owner',
          ExpressionAttributeNames: { '#owner': name },
          ExpressionAttributeValues: { ':owner': value },
        }),
  };
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

/** What is kept about people: it can be found and erased, and what was erased is known. */
export interface PersonalData extends Eraser {
  /** Everything about a number, read as it is asked for. @param phone E.164 */
  records(phone: string): AsyncIterable<PersonalRecord>;
  readonly receipts: Pick<ReceiptTable, 'begin' | 'read'>;
}

/** @param waitMs how long an erasure waits for the index by number, in milliseconds */
export function createPersonalData(
  client: DynamoDBClient,
  tables: PersonalDataTables,
  clock: Clock,
  waitMs: number,
): PersonalData {
  const sources = createPersonalDataSources(client, tables);
  const receipts = createReceiptTable(client, tables.history);
  return {
    ...createEraser(client, sources, receipts, clock, waitMs),
    records: (phone) => personalRecords(sources, phone),
    receipts,
  };
}
