import {
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../core/clock.ts';
import type { ErasureReceipt } from '../core/personal-data/receipt.ts';
import { noRecords, type RecordCounts, summarizeRecord } from '../core/personal-data/record.ts';
import type { PersonalDataSources, StoredRecord } from './personal-data.ts';
import type { ReceiptTable } from './personal-data-receipts.ts';

/** Deletes what is kept about the person behind a number. */
export interface Eraser {
  /**
   * Deletes under a receipt that has been begun; one that is done is left as it is. May be repeated after a crash at any
   * point: every deletion is counted in the receipt once, because both are one transaction.
   *
   * @throws ErasureError
   */
  erase(request: ErasureRequest): Promise<ErasureOutcome>;
}

interface ErasureRequest {
  /** E.164 */
  readonly phone: string;
  /** Of the receipt. */
  readonly receiptId: string;
  /** Whether the number's opt-out stays, so that it is not written to again. */
  readonly keepOptOut: boolean;
}

export interface ErasureOutcome {
  readonly receipt: ErasureReceipt;
  /** Messages this run deleted that had no final status: a later report brings them back. */
  readonly notFinal: number;
}

/** Thrown where an erasure could not be brought to its end; the message says why, without the number. */
export class ErasureError extends Error {
  override readonly name = 'ErasureError';
}

/** A transaction takes 4 MB, an item 400 KB; one more item is the receipt. */
const recordsPerTransaction = 9;

/** Passes through one source. The second finds nothing, unless somebody writes at the same time. */
const mostPasses = 20;

export function createEraser(
  client: DynamoDBClient,
  sources: PersonalDataSources,
  receipts: ReceiptTable,
  clock: Clock,
): Eraser {
  /** @returns those that were deleted, and whether others were left because somebody was writing them */
  async function remove(records: readonly StoredRecord[], receiptId: string): Promise<Removal> {
    if (records.length === 0) return { deleted: [], busy: false };
    const deletions = records.map(({ place }): TransactWriteItem => ({ Delete: deletionOf(place) }));
    const counted: TransactWriteItem = { Update: receipts.addition(receiptId, countsOf(records)) };
    try {
      await client.send(new TransactWriteItemsCommand({ TransactItems: [...deletions, counted] }));
      return { deleted: records, busy: false };
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code);
      const gone = 'ConditionalCheckFailed';
      if (codes[records.length] === gone)
        throw new ErasureError(`the receipt ${receiptId} is gone, or another run has finished it`);
      // What is gone, or another number's by now, is none of ours.
      const left = records.filter((_, index) => codes[index] !== gone);
      return left.length < records.length ? remove(left, receiptId) : { deleted: [], busy: true };
    }
  }

  /** @returns messages without a final status among what was deleted */
  async function empty(
    source: PersonalDataSources[keyof PersonalDataSources],
    { phone, receiptId }: ErasureRequest,
  ): Promise<number> {
    let notFinal = 0;
    for (let pass = 0; pass < mostPasses; pass++) {
      let isEmpty = true;
      for await (const records of chunks(source(phone), recordsPerTransaction)) {
        const { deleted, busy } = await remove(records, receiptId);
        if (deleted.length > 0 || busy) isEmpty = false;
        notFinal += deleted.filter(({ record }) => summarizeRecord(record).note === 'not-final').length;
      }
      if (isEmpty) return notFinal;
    }
    throw new ErasureError(`after ${mostPasses} passes there is still something new about the number`);
  }

  return {
    async erase(request) {
      const { receiptId, keepOptOut } = request;
      const begun = await receipts.read(receiptId);
      if (begun === undefined) throw new ErasureError(`there is no receipt ${receiptId}`);
      if (begun.state === 'done') return { receipt: begun, notFinal: 0 };
      const notFinal = await empty(sources.history, request);
      if (!keepOptOut) await empty(sources.optOut, request);
      await empty(sources.quarantine, request);
      const finishedAt = new Date(clock()).toISOString();
      return { receipt: await receipts.finish(receiptId, finishedAt), notFinal };
    },
  };
}

interface Removal {
  readonly deleted: readonly StoredRecord[];
  readonly busy: boolean;
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
