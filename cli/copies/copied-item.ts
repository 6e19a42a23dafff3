import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import {
  canonicalErrorReasons,
  canonicalStatuses,
  failedPartRank,
  rankOf,
  reportOrigins,
  unmappedRank,
} from '../../contract/schema/sms-event.ts';
import { isObject } from '../../contract/text/json.ts';
import { omitUndefined } from '../../functions/base/basics.ts';
import {
  expiryOf,
  hashPrefix,
  type Item,
  messageFromItem,
  messageKey,
  messagePrefix,
  type OptOutStatement,
  optOutKey,
  type ReplyEntry,
  receiptOf,
  replyFromItem,
  replyKey,
  replyPrefix,
  type StatusEntry,
  statementsFromItem,
  UnreadableItemError,
  versionsOf,
} from '../../functions/history/index.ts';
import { quarantineId } from '../../functions/receive/shapes.ts';

// A copy may be a file that anyone wrote. What is joined must have the form in which the pipeline writes it. An item of another form would stop the
// functions that read every item, such as those of the figures, of lists and of erasures.

/** The pipeline writes times in UTC, to the millisecond. */
const time = z.iso.datetime({ precision: 3 });
const text = z.string();

const entry = {
  /** Printable ASCII. */
  eventId: text.regex(/^[ -~]{1,128}$/),
  occurredAt: time,
  receivedAt: time,
  timeIs: z.enum(['received', 'assumed']).exactOptional(),
  unread: z.record(text, text).exactOptional(),
  channel: text.exactOptional(),
  original: text.exactOptional(),
  importIds: z.array(text).exactOptional(),
};

const ranks = new Set([unmappedRank, failedPartRank, ...canonicalStatuses.map(rankOf)]);

const report: z.ZodType<StatusEntry> = z.strictObject({
  ...entry,
  status: text,
  rank: z.int().refine((rank) => ranks.has(rank)),
  word: text.exactOptional(),
  errorCode: text.exactOptional(),
  errorReason: z.enum(canonicalErrorReasons).exactOptional(),
  errorText: text.exactOptional(),
  price: text.regex(/^\d{1,9}(?:\.\d+)?$/).exactOptional(),
  currency: text.regex(/^[A-Z]{3}$/).exactOptional(),
  segments: z.int().min(1).max(255).exactOptional(),
  network: text.regex(/^\d{5,6}$/).exactOptional(),
  carrier: text.exactOptional(),
  partId: text.exactOptional(),
  origin: z.enum(reportOrigins).exactOptional(),
  silent: z.literal(true).exactOptional(),
  get copies() {
    return z.array(report).exactOptional();
  },
});

const version: z.ZodType<ReplyEntry> = z.strictObject({
  ...entry,
  from: text,
  to: text.exactOptional(),
  text,
  messageId: text.exactOptional(),
  media: z.array(text).exactOptional(),
  optOut: z.literal(true).exactOptional(),
  origin: z.literal('import').exactOptional(),
  part: z
    .strictObject({ partId: text, number: z.int().min(0).max(255), total: z.int().min(0).max(255) })
    .exactOptional(),
  get copies() {
    return z.array(version).exactOptional();
  },
});

const heading = z.strictObject({
  phone: text.exactOptional(),
  sendId: text.exactOptional(),
  firstSeenAt: time,
});

const message = z.strictObject({
  ...heading.shape,
  messageId: text,
  events: z.array(report),
  importedBy: z.array(heading).exactOptional(),
  withoutImports: heading.exactOptional(),
});

/** A service's clock may be ahead, and the pipeline counts at most so much of it. */
const maxAheadOfReceiptMs = 5 * 60_000;

const statement: z.ZodType<OptOutStatement> = z
  .strictObject({
    phone: text,
    state: z.enum(['out', 'in']),
    at: time,
    by: z.enum(['person', 'operator', 'provider']),
    source: text.exactOptional(),
    replyId: text.exactOptional(),
    entryId: text.exactOptional(),
    messageId: text.exactOptional(),
    reason: text.exactOptional(),
    recordedBy: text.exactOptional(),
    onlySource: z.literal(true).exactOptional(),
    eventId: text.exactOptional(),
    receivedAt: time.exactOptional(),
    importId: text.exactOptional(),
  })
  .refine(
    ({ at, receivedAt }) =>
      receivedAt === undefined ||
      (receivedAt !== at && Date.parse(at) <= Date.parse(receivedAt) + maxAheadOfReceiptMs),
  );

const count = z.int().min(0);

/** The receipt of an erasure that is complete. */
const receipt = z.strictObject({
  pk: text,
  state: z.literal('done'),
  startedAt: time,
  finishedAt: time,
  toolVersion: text,
  keepOptOut: z.boolean(),
  person: z.strictObject({ number: text, spellings: z.array(text), key: text }),
  listName: z.literal('erasures'),
  listedAt: time,
  messages: count,
  replies: count,
  optOuts: count,
  quarantined: count,
  /** A script may have let it expire. Its person stays erased, and it is joined without this. */
  expiresAt: count.exactOptional(),
});

/** An entry of the quarantine without its keys. */
const quarantined = z.strictObject({
  reason: text,
  field: text.exactOptional(),
  source: text.exactOptional(),
  receivedAt: time,
  requestId: text.regex(/^[^#]+$/),
  index: z.int().min(0).max(999_999_999).exactOptional(),
  eventsInBody: count.exactOptional(),
  signedId: text.exactOptional(),
  headers: z.record(text, text).exactOptional(),
  url: text.exactOptional(),
  query: text.exactOptional(),
  path: text.exactOptional(),
  method: text.exactOptional(),
  masked: z.literal(true).exactOptional(),
  contract: text.exactOptional(),
  identity: text.exactOptional(),
  body: text,
  bodyEncoding: z.enum(['base64', 'gzip+base64']).exactOptional(),
  expiresAt: count,
});

/** The longest that a quarantine can be set to keep its entries. */
const maxQuarantineDays = 3650;

/** The clock of a service may be ahead of ours. AWS itself rejects requests of a clock that is off by more. */
const maxAheadSeconds = 15 * 60;

/** The kinds of items that are checked. */
export type CopiedKind = 'message' | 'reply' | 'opt-out' | 'quarantined' | 'erasure';

/**
 * Checks that an item of a copy has the form in which the pipeline writes items of its kind, under the key that follows from its content.
 *
 * @param now epoch seconds: the pipeline received nothing after it
 * @returns the first and the last time at which its facts were received or said, ISO 8601 in UTC
 * @throws UnreadableItemError
 */
export function readTimes(item: Item, kind: CopiedKind, now: number): readonly [first: string, last: string] {
  requirePlainValues(item);
  requireShortKeys(item);
  const times = checks[kind](item).toSorted();
  const [first = '', last = ''] = [times[0], times.at(-1)];
  // An opt-in of tomorrow would outlast the STOP of today, and an item that was received tomorrow would be kept longer than it may be.
  if (Date.parse(last) / 1000 > now + maxAheadSeconds) throw new UnreadableItemError('a time in the future');
  return [first, last];
}

/** The checks by kind. They return the times of receipt. */
const checks: Readonly<Record<CopiedKind, (item: Item) => readonly string[]>> = {
  message(item) {
    const { messageId, events, importedBy, ...others } = messageFromItem(item);
    const read = requireForm(message, {
      ...others,
      messageId,
      events: [...events.values()],
      ...(importedBy !== undefined && { importedBy: [...importedBy.values()] }),
    });
    requireKey(item, messagePrefix, messageKey(messageId));
    return [
      ...read.events.map(({ receivedAt }) => receivedAt),
      ...[read, ...(read.importedBy ?? []), read.withoutImports ?? read].map((one) => one.firstSeenAt),
    ];
  },

  reply(item) {
    const { replyId, current, olderVersions } = replyFromItem(item);
    const versions = requireForm(z.array(version), [
      ...versionsOf({ replyId, current, olderVersions }).values(),
    ]);
    requireKey(item, replyPrefix, replyKey(replyId));
    return versions.map(({ receivedAt }) => receivedAt);
  },

  'opt-out'(item) {
    const statements = requireForm(z.array(statement), statementsFromItem(item));
    for (const { phone } of statements) requireKey(item, '', optOutKey(phone));
    // A time in the future must not be overlooked.
    return statements.map((one) => [one.at, receiptOf(one)].sort().at(-1) ?? '');
  },

  quarantined(item) {
    const { pk: _pk, sk, ...fields } = unmarshall(item);
    const entry = requireForm(quarantined, fields);
    const { receivedAt, expiresAt } = entry;
    if (sk !== quarantineId(omitUndefined(entry)))
      throw new UnreadableItemError('an entry under another key');
    if (expiresAt > expiryOf(receivedAt, maxQuarantineDays))
      throw new UnreadableItemError('an entry that is kept too long');
    return [receivedAt];
  },

  erasure(item) {
    const { startedAt, finishedAt } = requireForm(receipt, unmarshall(item));
    return [startedAt, finishedAt];
  },
};

/** DynamoDB accepts keys of at most so many bytes, and rejects a whole batch of reads for one that is longer. */
const maxKeyBytes = { pk: 2048, sk: 1024 };

function requireShortKeys({ pk, sk }: Item): void {
  const bytesOf = (key: Item[string] | undefined) => Buffer.byteLength(key?.S ?? '');
  if (bytesOf(pk) > maxKeyBytes.pk || bytesOf(sk) > maxKeyBytes.sk)
    throw new UnreadableItemError('a key that is too long');
}

/** DynamoDB accepts at most so many levels of maps and lists. */
const maxDepth = 32;

/**
 * Requires values of the kinds that the pipeline writes. Others could not be read, or not be compared. A line of a file may have anything in their
 * places. An attribute called `__proto__` would be read as if it were many attributes, and written as one.
 */
function requirePlainValues(item: unknown, depth = 0): void {
  if (!isObject(item) || depth > maxDepth || Object.hasOwn(item, '__proto__')) throw otherValue();
  for (const value of Object.values(item)) {
    if (!isObject(value)) throw otherValue();
    const [[kind, content] = [], ...others] = Object.entries(value);
    if (others.length > 0) throw otherValue();
    if (kind === 'M') requirePlainValues(content, depth + 1);
    else if (kind === 'L' && Array.isArray(content)) requirePlainValues({ ...content }, depth + 1);
    else if (!isPlainValue(kind, content)) throw otherValue();
  }
}

function isPlainValue(kind: string | undefined, content: unknown): boolean {
  if (kind === 'N')
    return typeof content === 'string' && /^-?\d+$/.test(content) && Number.isSafeInteger(Number(content));
  return kind === 'S' ? typeof content === 'string' : kind === 'BOOL' && typeof content === 'boolean';
}

const otherValue = () => new UnreadableItemError('a value of a kind that the pipeline does not write');

/** Requires the key of a content. The key of an id with a lone surrogate is a hash, and does not follow from the id that the item has. */
function requireKey({ pk, messageId, replyId }: Item, prefix: string, expected: string): void {
  // The hash of an id that was no Unicode cannot be computed from what is stored, where such parts are replaced.
  const isHashed =
    prefix !== '' &&
    pk?.S?.startsWith(prefix + hashPrefix) === true &&
    [messageId, replyId].some((id) => id?.S?.includes('\uFFFD'));
  if (pk?.S !== expected && !isHashed) throw new UnreadableItemError('an item under another key');
}

function requireForm<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const read = schema.safeParse(value);
  // The message of the schema could quote the item.
  if (!read.success) throw new UnreadableItemError('an item of another form');
  return read.data;
}
