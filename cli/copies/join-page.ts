import { isDeepStrictEqual } from 'node:util';
import pMap from 'p-map';
import {
  erasurePrefix,
  type Item,
  ifReadable,
  isSameReply,
  type JoinedItem,
  type JoinOutcome,
  type JoinRules,
  joinedPrefixes,
  joinItem,
  keysOfSameReply,
} from '../../functions/history/index.ts';
import { quarantinedFromItem, quarantineKeys } from '../../functions/receive/io.ts';
import type { QuarantinedEntry } from '../../functions/receive/shapes.ts';
import type { KnownErasures } from '../personal-data/erased-persons.ts';
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
 * - `unsearched`: it has more in it than could be searched for persons who were erased, and this history does not have it in the same form.
 * - `too-large`: the joined item is larger than DynamoDB accepts.
 * - `unfinished`: the receipt of an erasure that was not complete when the copy was made.
 */
export type ItemOutcome =
  | JoinOutcome
  | 'expired'
  | 'out-of-range'
  | 'unreadable'
  | 'still-here'
  | 'unsearched'
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

/**
 * Returns what a comparison says about an item that only the history has: `broken` if it cannot be read.
 *
 * @returns undefined for an item that is not joined: of another kind, or of another time
 */
export function onlyHereEntry(
  item: Item,
  options: JoinedRange,
): { readonly kind: JoinedKind; readonly key: string; readonly outcome: 'only-here' | 'broken' } | undefined {
  const kind = item.sk === undefined ? kindOf(item) : 'quarantined';
  if (kind === undefined) return undefined;
  const early = earlyOutcome(item, kind, options);
  if (early !== undefined && early !== 'unreadable') return undefined;
  return { kind, key: keyOfEntry(item), outcome: early === undefined ? 'only-here' : 'broken' };
}

/** Returns whether an item is the receipt of an erasure that is complete, and can be read. @param now epoch seconds */
export function isReadableReceipt(item: Item, now: number): boolean {
  return (
    kindOf(item) === 'erasure' &&
    isReceipt(item) &&
    ifReadable(() => readTimes(item, 'erasure', now)) !== undefined
  );
}

const isReceipt = ({ state }: Item): boolean => state?.S === 'done';

/** Finds out without the history that an item is not joined. */
function earlyOutcome(
  item: Item,
  kind: JoinedKind,
  { range, rules, now }: JoinedRange,
): ItemOutcome | undefined {
  if (kind === 'erasure' && !isReceipt(item)) return 'unfinished';
  const times = ifReadable(() => readTimes(item, kind, now));
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
        ? joinReceipt(item, stored, options)
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
  const here = stored && ifReadable(() => joinItem(stored, undefined, '', { ...rules, erased }));
  return here?.outcome === 'erased';
}

const ifMissing = {
  ConditionExpression: 'attribute_not_exists(#pk)',
  ExpressionAttributeNames: { '#pk': 'pk' },
};

/** A receipt never changes once its erasure is done, and never expires. One that is still running here prevents a join. */
function joinReceipt(
  { expiresAt: _, ...copy }: Item,
  stored: Item | undefined,
  { rules, now }: JoinOptions,
): JoinedItem {
  const write = { Item: copy };
  if (stored === undefined) return { outcome: 'added', write: { ...write, ...ifMissing } };
  const { expiresAt, ...here } = stored;
  if (isDeepStrictEqual(here, copy))
    return expiresAt === undefined ? { outcome: 'equal' } : { outcome: 'repaired', write };
  return replaceable(isReadableReceipt(here, now), write, rules);
}

/** Returns what a join does with an item that never changes, and that the history has with another content. */
function replaceable(
  isReadable: boolean,
  write: NonNullable<JoinedItem['write']>,
  { prefersCopy }: Pick<JoinRules, 'prefersCopy'>,
): JoinedItem {
  if (!prefersCopy) return { outcome: isReadable ? 'conflict' : 'broken' };
  return { outcome: isReadable ? 'conflict' : 'repaired', write };
}

const entryOf = (item: Item) => ifReadable(() => quarantinedFromItem(item));

/** Joins entries of a quarantine. */
async function keepEntries(items: readonly Item[], options: JoinOptions): Promise<readonly JoinedEntry[]> {
  const { here, rules, isDryRun } = options;
  const keyed = items.map((item) => {
    const entry = entryOf(item);
    const keys = entry === undefined ? [] : quarantineKeys(entry, rules.listShards);
    return { item, entry, keys: keys.map(({ pk, sk }) => ({ pk: pk.S, sk: sk.S })) };
  });
  const found = await here.readQuarantine(keyed.flatMap(({ keys }) => keys));
  const known = new Map(found.map((item) => [keyOfEntry(item), item]));
  return pMap(
    keyed,
    async ({ item, entry, keys: [own] }): Promise<JoinedEntry> => {
      const key = keyOfEntry(item);
      const done = (outcome: ItemOutcome, isWritten = false) =>
        ({ kind: 'quarantined', key, outcome, isWritten }) as const;
      if (entry === undefined) return done('unreadable');
      const stored = known.get(key);
      const copy = { ...item, pk: stored?.pk ?? { S: own?.pk ?? '' } };
      const { outcome, write } = joinEntry(copy, entry, stored, options);
      if (write === undefined) return done(outcome);
      if (isDryRun) return done(outcome, true);
      const put = await here.put('quarantine', write);
      if (put.kind === 'written') return done(outcome, true);
      // The worker kept the entry meanwhile, or a replay removed it.
      return done(put.kind === 'changed' ? 'equal' : 'too-large');
    },
    { concurrency },
  );
}

/** @param copy under the key that it has in this quarantine @param entry its content */
function joinEntry(
  copy: Item,
  entry: QuarantinedEntry,
  stored: Item | undefined,
  { rules, erased }: JoinOptions,
): { readonly outcome: ItemOutcome } & Pick<JoinedItem, 'write'> {
  const here = stored && entryOf(stored);
  const isSame = isDeepStrictEqual(here, entry);
  const mentions = erased.mentionedIn(entry);
  if (mentions === true) {
    // A copy that mentions the person is left out, also if this history's entry has more in it than could be searched.
    const isStillHere = isSame || (here !== undefined && erased.mentionedIn(here) === true);
    return { outcome: isStillHere ? 'still-here' : 'erased' };
  }
  // A join adds nothing of an entry that this history has in the same form.
  if (mentions === undefined && !isSame) return { outcome: 'unsearched' };
  if (stored === undefined) return { outcome: 'added', write: { Item: copy, ...ifMissing } };
  const write = { Item: copy, ...ifMissing, ConditionExpression: 'attribute_exists(#pk)' };
  if (!isSame) return replaceable(here !== undefined, write, rules);
  // DynamoDB deletes only what has the time as a number.
  return stored.expiresAt?.N === undefined ? { outcome: 'repaired', write } : { outcome: 'equal' };
}
