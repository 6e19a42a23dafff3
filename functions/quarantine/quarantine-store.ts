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

/** Keeps what was acknowledged but could not become history. Keeping the same entry again changes nothing. */
export interface Quarantine {
  keep(entry: QuarantineEntry): Promise<void>;
}

/** An item holds 400 KB; an event written out again can be larger than the body it came in. */
const largestPlainBytes = 300_000;

/** How many keys share a day, so that a day of bad events does not throttle one partition. */
export const quarantineShards = 8;

/** Where an entry lies in the table. */
export function quarantineKey(id: QuarantineId) {
  const shard = shardOf(id.requestId, quarantineShards);
  return { pk: `${id.receivedAt.slice(0, 10)}#${shard}`, sk: quarantineId(id) };
}

/** An entry as it was given, with the attributes that were read; `raw` is inflated where it was compressed. */
export function quarantinedFromItem(item: Item): QuarantinedEntry {
  const { pk: _pk, sk, encoding, expiresAt: _expiresAt, raw, ...fields } = unmarshall(item) as StoredEntry;
  return { ...fields, id: sk, raw: encoding === 'gzip' ? gunzipSync(raw) : raw };
}

export function summaryFromItem(item: Item): QuarantineSummary {
  const { sk, reason, field, receivedAt, requestId, index } = unmarshall(item) as Omit<StoredEntry, 'raw'>;
  return {
    id: sk,
    reason,
    ...(field === undefined ? {} : { field }),
    receivedAt,
    requestId,
    ...(index === undefined ? {} : { index }),
  };
}

/** An item of the table, which nobody but this adapter writes. */
interface StoredEntry extends QuarantineEntry {
  readonly pk: string;
  readonly sk: string;
  readonly encoding?: 'gzip';
  readonly expiresAt: number;
}

/**
 * The quarantine's own DynamoDB table: a key a day and shard, sorted by arrival.
 *
 * @param identity as `identityHash` gives it, of the contract that the entries were read by
 */
export function createQuarantine(
  client: DynamoDBClient,
  tableName: string,
  retentionDays: number,
  identity?: string,
): Quarantine {
  return {
    keep: async (entry) => {
      const { index, raw, headers, url, ...fields } = entry;
      const compressed = raw.length > largestPlainBytes;
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

/** DynamoDB keeps UTF-8 only, and whoever sent these was nobody we know. */
function wellFormed(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]),
  );
}
