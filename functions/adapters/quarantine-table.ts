import { gzipSync } from 'node:zlib';
import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { QuarantineEntry } from '../core/quarantine.ts';
import { expiryOf, shardOf } from './history-items.ts';

/** Keeps what was acknowledged but could not become history. Keeping the same entry again changes nothing. */
export interface Quarantine {
  keep(entry: QuarantineEntry): Promise<void>;
}

/** An item holds 400 KB; an event written out again can be larger than the body it came in. */
const largestPlainBytes = 300_000;

/** How many keys share a day, so that a day of bad events does not throttle one partition. */
const quarantineShards = 8;

/** The quarantine's own DynamoDB table: a key a day and shard, sorted by arrival. */
export function createQuarantine(
  client: DynamoDBClient,
  tableName: string,
  retentionDays: number,
): Quarantine {
  return {
    keep: async (entry) => {
      const { index, raw, headers, url, ...fields } = entry;
      const compressed = raw.length > largestPlainBytes;
      const shard = shardOf(entry.requestId, quarantineShards);
      await client.send(
        new PutItemCommand({
          TableName: tableName,
          Item: marshall(
            {
              pk: `${entry.receivedAt.slice(0, 10)}#${shard}`,
              sk: `${entry.receivedAt}#${entry.requestId}#${index ?? 'body'}`,
              ...fields,
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
