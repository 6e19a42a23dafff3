import { isUtf8 } from 'node:buffer';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type AttributeValue, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { mainSource } from '../../../contract/events/source-id.ts';
import { omitUndefined } from '../../base/basics.ts';
import {
  expiryOf,
  type HistorySettings,
  type Item,
  listKey,
  listKeys,
  textIn,
  UnreadableItemError,
} from '../../history/index.ts';
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

/** Bodies that take more bytes in the item are compressed: an item holds 400 KB, and an event written as JSON can be larger than its body was. */
const maxPlainBytes = 300_000;

/** Far more than the JSON of an event takes. An item of 400 KB that another copy brought could inflate to hundreds of megabytes. */
const maxBodyBytes = 16 * 1024 * 1024;

const dayOf = ({ receivedAt }: QuarantineId) => receivedAt.slice(0, 10);

/** Returns the key under which an entry is written. */
export function quarantineKey(id: QuarantineId, settings: Pick<HistorySettings, 'listShards'>) {
  return { pk: listKey(dayOf(id), id.requestId, settings), sk: quarantineId(id) };
}

/**
 * Returns the keys under which an entry may be, because the number of shards may have been smaller when it was written. The likeliest key
 * comes first.
 */
export function quarantineKeys(id: QuarantineId, listShards: number) {
  const { pk: newest, sk } = quarantineKey(id, { listShards });
  const all = new Set([newest, ...listKeys(dayOf(id), listShards)]);
  return [...all].map((pk) => ({ pk: { S: pk }, sk: { S: sk } }));
}

/** Returns the entry of an item, with the bytes of its body. @throws UnreadableItemError */
export function quarantinedFromItem(item: Item): QuarantinedEntry {
  const { pk: _pk, expiresAt: _expiresAt, ...attributes } = item;
  for (const name of ['sk', 'reason', 'receivedAt', 'requestId']) textIn(item, name);
  if (!Object.entries(attributes).every(([name, value]) => (kindsOfOthers.get(name) ?? isText)(value)))
    throw new UnreadableItemError('an entry with a value of another kind');
  const { sk, body, bodyEncoding, ...fields } = unmarshall(attributes) as StoredEntry;
  return { ...fields, id: sk, raw: decodedBody({ body, bodyEncoding }) };
}

const isText = ({ S }: AttributeValue): boolean => S !== undefined;
const isCount = ({ N }: AttributeValue): boolean => Number.isSafeInteger(Number(N));

/** The attributes that are no text. */
const kindsOfOthers: ReadonlyMap<string, (value: AttributeValue) => boolean> = new Map([
  ['index', isCount],
  ['eventsInBody', isCount],
  ['masked', ({ BOOL }) => BOOL !== undefined],
  ['headers', ({ M }) => M !== undefined && Object.values(M).every(isText)],
]);

/** A body as an item has it. */
interface StoredBody {
  /** The body itself if it is text in UTF-8. */
  readonly body: string;
  /** How other bodies, and those that are large, are written as text. */
  readonly bodyEncoding?: 'base64' | 'gzip+base64' | undefined;
}

function storedBody(raw: Uint8Array): StoredBody {
  const bytes = Buffer.from(raw);
  const plain: StoredBody = isUtf8(bytes)
    ? { body: bytes.toString() }
    : { body: bytes.toString('base64'), bodyEncoding: 'base64' };
  if (Buffer.byteLength(plain.body) <= maxPlainBytes) return plain;
  return { body: gzipSync(bytes).toString('base64'), bodyEncoding: 'gzip+base64' };
}

function decodedBody({ body, bodyEncoding }: { readonly [K in keyof StoredBody]: unknown }): Uint8Array {
  if (typeof body !== 'string') throw new UnreadableItemError('an entry without its body');
  if (bodyEncoding === undefined) return Buffer.from(body);
  const bytes = Buffer.from(body, 'base64');
  return bodyEncoding === 'gzip+base64' ? gunzip(bytes) : bytes;
}

function gunzip(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBodyBytes });
  } catch {
    // The body was not compressed by this pipeline, was cut off, or would be larger than one that a pipeline keeps.
    throw new UnreadableItemError('an entry whose body cannot be decompressed');
  }
}

export function summaryFromItem(item: Item): QuarantineSummary {
  const { sk, reason, field, source, receivedAt, requestId, index } = unmarshall(item) as Omit<
    StoredEntry,
    'body'
  >;
  return { id: sk, reason, field, ...omitUndefined({ source }), receivedAt, requestId, index };
}

/** An item of the table. Only this store writes it. */
interface StoredEntry extends Omit<QuarantineEntry, 'raw'>, StoredBody {
  readonly pk: string;
  readonly sk: string;
  readonly expiresAt: number;
}

/**
 * Stores entries in the quarantine's own DynamoDB table: one partition key for each day, and shard if lists are split, sorted by arrival.
 *
 * @param identity the `identityHash` of the contract that the entries were read by
 * @param source the source whose requests they are
 */
export function createQuarantine(
  client: DynamoDBClient,
  tableName: string,
  settings: HistorySettings,
  identity: string,
  source: string = mainSource,
): Quarantine {
  return {
    keep: async (entry) => {
      const { index, raw, headers, url, query, path, ...fields } = entry;
      await client.send(
        new PutItemCommand({
          TableName: tableName,
          Item: marshall(
            {
              ...quarantineKey(entry, settings),
              ...fields,
              ...(source !== mainSource && { source }),
              identity,
              ...storedBody(raw),
              index,
              headers: headers && wellFormedHeaders(headers),
              url: url?.toWellFormed(),
              query: query?.toWellFormed(),
              path: path?.toWellFormed(),
              expiresAt: expiryOf(entry.receivedAt, settings.retentionDays),
            },
            { removeUndefinedValues: true },
          ),
        }),
      );
    },
  };
}

/** DynamoDB stores only UTF-8, and any sender could have chosen these headers. */
function wellFormedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]),
  );
}
