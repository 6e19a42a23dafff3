import pMap from 'p-map';
import {
  erasurePrefix,
  type Item,
  isSameReply,
  type JoinedItem,
  type JoinOutcome,
  type JoinRules,
  joinedPrefixes,
  joinItem,
  keysOfSameReply,
  UnreadableItemError,
} from '../../functions/history/index.ts';
import { quarantinedFromItem, quarantineKeys } from '../../functions/receive/io.ts';
import type { QuarantinedEntry } from '../../functions/receive/shapes.ts';
import type { KnownErasures } from '../personal-data/erased-persons.ts';
import { textsOf } from '../personal-data/sources.ts';
import type { HistoryItems } from '../stores/history-items.ts';
import { readTimes } from './copied-item.ts';

/** The kinds of items that are joined, in the order in which commands show them. */
export const joinedKinds = ['message', 'reply', 'opt-out', 'quarantined', 'erasure'] as const;
export type JoinedKind = (typeof joinedKinds)[number];

/**
 * What became of an item of the copy: an outcome of the join, or
 *
 * - `expired`: it is older than the history keeps items.
 * - `out-of-range`: nothing of it was received in the range of time.
 * - `unreadable`: it cannot be read.
 * - `still-here`: it is about a person who was erased, and this history has it too.
 * - `too-large`: the joined item is larger than DynamoDB accepts.
 * - `unfinished`: the receipt of an erasure that was not complete when the copy was made.
 */
export type ItemOutcome =
  | JoinOutcome
  | 'expired'
  | 'out-of-range'
  | 'unreadable'
  | 'still-here'
  | 'too-large'
  | 'unfinished';

/** An item of the copy after the join. */
export interface JoinedEntry {
  readonly kind: JoinedKind;
  readonly key: string;
  readonly outcome: ItemOutcome;
  /** Whether it was written, or would be in a dry run. */
  readonly isWritten?: boolean;
  /** The key under which the history has the same reply, if it is another one. */
  readonly sameAs?: string;
}

export interface JoinOptions {
  readonly here: HistoryItems;
  readonly rules: Omit<JoinRules, 'erased'>;
  readonly erased: KnownErasures;
  /** ISO 8601 in UTC. */
  readonly range: { readonly since?: string; readonly until?: string };
  /** Epoch seconds. */
  readonly now: number;
  readonly isDryRun: boolean;
  readonly newGeneration: () => string;
}

/** So many items are joined at the same time. */
const concurrency = 16;

/** An item that keeps changing is given up after so many attempts; the join is run again. */
const maxAttempts = 10;

/**
 * Joins some items of a copy into the history. Items of other kinds, which only the pipeline of the copy needs, are left out.
 *
 * @throws as the database: the same items may be joined again
 */
export async function joinPage(
  items: readonly Item[],
  options: JoinOptions,
): Promise<readonly JoinedEntry[]> {
  const ofHistory: Candidate[] = [];
  const ofQuarantine: Item[] = [];
  const entries: JoinedEntry[] = [];
  for (const item of items) {
    const key = item.pk?.S ?? '';
    const kind = kindOf(item);
    if (kind === undefined) continue;
    const early = earlyOutcome(item, kind, options);
    if (early !== undefined) entries.push({ kind, key: keyOfEntry(item), outcome: early });
    else if (kind === 'quarantined') ofQuarantine.push(item);
    else ofHistory.push({ item, kind, key, sameKeys: kind === 'reply' ? keysOfSameReply(item) : [] });
  }
  const stored = await options.here.read(ofHistory.flatMap(({ key, sameKeys }) => [key, ...sameKeys]));
  const joined = await pMap(
    ofHistory,
    (candidate) => {
      const { item, kind, key, sameKeys } = candidate;
      const same = sameKeys.find((one) => isSameReply(item, stored.get(one)));
      return same === undefined || stored.has(key)
        ? joinCandidate(candidate, stored.get(key), options)
        : { kind, key, outcome: 'equal' as const, sameAs: same };
    },
    { concurrency },
  );
  const kept = await keepEntries(ofQuarantine, options);
  return [...entries, ...joined, ...kept];
}

interface Candidate {
  readonly item: Item;
  readonly kind: JoinedKind;
  readonly key: string;
  /** Keys under which the history may have the same reply. */
  readonly sameKeys: readonly string[];
}

const kindsByPrefix: readonly (readonly [prefix: string, kind: JoinedKind])[] = [
  [joinedPrefixes[0], 'message'],
  [joinedPrefixes[1], 'reply'],
  [joinedPrefixes[2], 'opt-out'],
  [erasurePrefix, 'erasure'],
];

/** Returns undefined for items that only the pipeline of the copy needs. */
function kindOf(item: Item): JoinedKind | undefined {
  if (item.sk !== undefined)
    return item.reason?.S !== undefined && item.body !== undefined ? 'quarantined' : undefined;
  return kindsByPrefix.find(([prefix]) => item.pk?.S?.startsWith(prefix))?.[1];
}

/** Returns what identifies an item among those of its kind. */
export function keyOfEntry({ pk, sk }: Item): string {
  return sk?.S ?? pk?.S ?? '';
}

/** Which items are joined. */
interface JoinedRange extends Pick<JoinOptions, 'range' | 'now'> {
  readonly rules: Pick<JoinRules, 'retentionDays'>;
}

/** Returns the kind of an item that is joined; undefined for one of another kind, of another time, or that cannot be read. */
export function consideredKind(item: Item, options: JoinedRange): JoinedKind | undefined {
  const kind = kindOf(item);
  return kind !== undefined && earlyOutcome(item, kind, options) === undefined ? kind : undefined;
}

/** Returns whether an item is the receipt of an erasure that is complete, and can be read. @param now epoch seconds */
export function isReadableReceipt(item: Item, now: number): boolean {
  return kindOf(item) === 'erasure' && isReceipt(item) && timesOrNone(item, 'erasure', now) !== undefined;
}

const isReceipt = ({ state }: Item): boolean => state?.S === 'done';

/** Reads the first and the last time of an item; undefined for one that cannot be read. */
function timesOrNone(item: Item, kind: JoinedKind, now: number): ReturnType<typeof readTimes> | undefined {
  try {
    return readTimes(item, kind, now);
  } catch (error) {
    if (error instanceof UnreadableItemError) return undefined;
    throw error;
  }
}

/** Finds out without the history that an item is not joined. */
function earlyOutcome(
  item: Item,
  kind: JoinedKind,
  { range, rules, now }: JoinedRange,
): ItemOutcome | undefined {
  if (kind === 'erasure' && !isReceipt(item)) return 'unfinished';
  const times = timesOrNone(item, kind, now);
  if (times === undefined) return 'unreadable';
  if (kind === 'erasure') return undefined;
  const [first, last] = times;
  if (
    (range.since !== undefined && last < range.since) ||
    (range.until !== undefined && first >= range.until)
  )
    return 'out-of-range';
  if (kind === 'opt-out') return undefined;
  const expiresAt =
    kind === 'quarantined'
      ? Number(item.expiresAt?.N ?? 0)
      : Date.parse(last) / 1000 + rules.retentionDays * 86_400;
  return expiresAt < now ? 'expired' : undefined;
}

async function joinCandidate(
  { item, kind, key }: Candidate,
  known: Item | undefined,
  options: JoinOptions,
): Promise<JoinedEntry> {
  const { here, rules, erased, isDryRun, newGeneration } = options;
  let stored = known;
  let first: ItemOutcome | undefined;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { outcome, write } =
      kind === 'erasure'
        ? joinReceipt(item, stored)
        : joinItem(item, stored, newGeneration(), { ...rules, erased });
    if (outcome === 'erased' && isErased(stored, options)) return { kind, key, outcome: 'still-here' };
    first ??= outcome;
    if (write === undefined) return { kind, key, outcome: first };
    if (isDryRun) return { kind, key, outcome: first, isWritten: true };
    const put = await here.put('history', write);
    if (put.kind === 'written') return { kind, key, outcome: first, isWritten: true };
    if (put.kind === 'refused') return { kind, key, outcome: 'too-large' };
    stored = put.item;
  }
  throw new Error(`an item changed ${maxAttempts} times while it was joined`);
}

/** Returns whether an item of the history is about a person who was erased, by an erasure that did not reach this history. */
function isErased(stored: Item | undefined, { rules, erased }: JoinOptions): boolean {
  try {
    return stored !== undefined && joinItem(stored, undefined, '', { ...rules, erased }).outcome === 'erased';
  } catch (error) {
    if (error instanceof UnreadableItemError) return false;
    throw error;
  }
}

/** A receipt never changes once its erasure is done. One that is still running here prevents a join. */
function joinReceipt(copy: Item, stored: Item | undefined): JoinedItem {
  if (stored !== undefined) return { outcome: 'equal' };
  return {
    outcome: 'added',
    write: {
      Item: copy,
      ConditionExpression: 'attribute_not_exists(#pk)',
      ExpressionAttributeNames: { '#pk': 'pk' },
    },
  };
}

/** Returns undefined for an entry whose body cannot be decoded. */
function readEntry(item: Item): QuarantinedEntry | undefined {
  try {
    return quarantinedFromItem(item);
  } catch (error) {
    // The body was not compressed by this pipeline, was cut off, or would be larger than one that a pipeline keeps.
    if (error instanceof Error && 'code' in error && /^(?:Z_|ERR_BUFFER_TOO_LARGE$)/.test(String(error.code)))
      return undefined;
    throw error;
  }
}

/** Adds entries of a quarantine that this one lacks. */
async function keepEntries(items: readonly Item[], options: JoinOptions): Promise<readonly JoinedEntry[]> {
  const { here, rules, erased, isDryRun } = options;
  const keyed = items.map((item) => {
    const entry = readEntry(item);
    const keys = entry === undefined ? [] : quarantineKeys(entry, rules.listShards);
    return { item, entry, keys: keys.map(({ pk, sk }) => ({ pk: pk.S, sk: sk.S })) };
  });
  const stored = await here.readQuarantine(keyed.flatMap(({ keys }) => keys));
  const known = new Set(stored.map(keyOfEntry));
  return pMap(
    keyed,
    async ({ item, entry, keys: [own] }): Promise<JoinedEntry> => {
      const key = keyOfEntry(item);
      const done = (outcome: ItemOutcome, isWritten = false) =>
        ({ kind: 'quarantined', key, outcome, isWritten }) as const;
      if (entry === undefined) return done('unreadable');
      if (known.has(key)) return done('equal');
      for (const text of textsOf(entry))
        if (entry.receivedAt <= (erased.untilOfText(text) ?? '')) return done('erased');
      if (isDryRun) return done('added', true);
      const put = await here.put('quarantine', {
        Item: { ...item, pk: { S: own?.pk ?? '' } },
        ConditionExpression: 'attribute_not_exists(#pk)',
        ExpressionAttributeNames: { '#pk': 'pk' },
      });
      if (put.kind === 'written') return done('added', true);
      return done(put.kind === 'changed' ? 'equal' : 'too-large');
    },
    { concurrency },
  );
}
