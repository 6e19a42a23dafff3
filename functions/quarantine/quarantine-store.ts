import { gunzipSync, gzipSync } from 'node:zlib';
import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { expiryOf, type Item, shardOf } from '../history/history-item-store.ts';
import {
  type QuarantinedEntry,
  type QuarantineEntry,
  type QuarantineId,
  type QuarantineSummary,
  quarantineId,
} from './quarantine.ts';

/** Keeps what was acknowledged but could not be stored in the history. Keeping the same entry again changes nothing. */
export interface Quarantine {
  keep(entry: QuarantineEntry): Promise<void>;
}

/** Larger entries are compressed: an item holds 400 KB, and an event written as JSON can be larger than its body was. */
const maxPlainBytes = 300_000;

/** The number of keys that share a day, so that a day of bad events does not throttle one partition. */
export const quarantineShards = 8;

/** Returns the key of an entry in the table. */
export function quarantineKey(id: QuarantineId) {
  const shard = shardOf(id.requestId, quarantineShards);
  return { pk: `${id.receivedAt.slice(0, 10)}#${shard}`, sk: quarantineId(id) };
}

/** Returns the entry of an item. An item that was read in part has only those properties; `raw` is decompressed. */
export function quarantinedFromItem(item: Item): QuarantinedEntry {
  const { pk: _pk, sk, encoding, expiresAt: _expiresAt, raw, ...fields } = unmarshall(item) as StoredEntry;
  return { ...fields, id: sk, raw: encoding === 'gzip' ? gunzipSync(raw) : raw };
}

export function summaryFromItem(item: Item): QuarantineSummary {
  const { sk, reason, field, receivedAt, requestId, index } = unmarshall(item) as Omit<StoredEntry, 'raw'>;
  return { id: sk, reason, field, receivedAt, requestId, index };
}

/** An item of the table. Only this store writes it. */
interface StoredEntry extends QuarantineEntry {
  readonly pk: string;
  readonly sk: string;
  readonly encoding?: 'gzip';
  readonly expiresAt: number;
}

/**
 * Stores entries in the quarantine's own DynamoDB table: one partition key for each day and shard, sorted by arrival.
 *
 * @param identity the `identityHash` of the contract that the entries were read by
 */
export function createQuarantine(
  client: DynamoDBClient,
  tableName: string,
  retentionDays: number,
  identity: string,
): Quarantine {
  return {
    keep: async (entry) => {
      const { index, raw, headers, url, ...fields } = entry;
      const compressed = raw.length > maxPlainBytes;
      await client.send(
        new PutItemCommand({
          TableName: tableName,
          Item: marshall(
            {
              ...quarantineKey(entry),
              ...fields,
              identity,
              raw: compressed ? gzipSync(raw) : raw,
              encoding: compressed ? 'gzip' : undefined,
              index,
              headers: headers && wellFormed(headers),
              url: url?.toWellFormed(),
              expiresAt: expiryOf(entry.receivedAt, retentionDays),
            },
            { removeUndefinedValues: true },
          ),
        }),
      );
    },
  };
}

/** DynamoDB stores only UTF-8, and any sender could have chosen these headers. */
function wellFormed(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]),
  );
}
