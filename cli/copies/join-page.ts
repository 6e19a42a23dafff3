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
  timesOf,
  UnreadableItemError,
} from '../../functions/history/index.ts';
import { quarantinedFromItem, quarantineKeys } from '../../functions/receive/io.ts';
import type { KnownErasures } from '../personal-data/erased-persons.ts';
import { textsOf } from '../personal-data/sources.ts';
import type { ConditionalPut, HistoryItems } from '../stores/history-items.ts';

/** The kinds of items that are joined, in the order in which commands show them. */
export const joinedKinds = ['message', 'reply', 'opt-out', 'quarantined', 'erasure'] as const;
export type JoinedKind = (typeof joinedKinds)[number];

/**
 * What became of an item of the copy: an outcome of the join, or
 *
 * - `expired`: it is older than the history keeps items.
 * - `out-of-range`: nothing of it was received in the range of time.
 * - `unreadable`: it cannot be read.
 * - `too-large`: the joined item is larger than DynamoDB accepts.
 */
export type ItemOutcome = JoinOutcome | 'expired' | 'out-of-range' | 'unreadable' | 'too-large';

/** An item of the copy after the join. */
export interface JoinedEntry {
  readonly kind: JoinedKind;
  readonly key: string;
  readonly outcome: ItemOutcome;
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
      const same = sameKeys
        .map((one) => stored.get(one))
        .find((one) => one !== undefined && isSameReply(item, one));
      return same === undefined || stored.has(key)
        ? joinCandidate(candidate, stored.get(key), options)
        : { kind, key, outcome: 'equal' as const };
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

/** Finds out without the history that an item is not joined. */
function earlyOutcome(
  item: Item,
  kind: JoinedKind,
  { range, rules, now }: JoinedRange,
): ItemOutcome | undefined {
  if (kind === 'erasure') return undefined;
  try {
    const [first, last] = kind === 'quarantined' ? receiptOf(item) : timesOf(item);
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
  } catch (error) {
    if (error instanceof UnreadableItemError) return 'unreadable';
    throw error;
  }
}

/** @throws UnreadableItemError */
function receiptOf(item: Item): readonly [string, string] {
  const receivedAt = item.receivedAt?.S;
  if (receivedAt === undefined || item.requestId?.S === undefined || item.body?.S === undefined)
    throw new UnreadableItemError('an entry of the quarantine without its receipt or its body');
  return [receivedAt, receivedAt];
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
    first ??= outcome;
    if (write === undefined || isDryRun) return { kind, key, outcome: first };
    const put = await here.put('history', write);
    if (put.kind === 'written') return { kind, key, outcome: first };
    if (put.kind === 'refused') return { kind, key, outcome: 'too-large' };
    stored = put.item;
  }
  throw new Error(`an item changed ${maxAttempts} times while it was joined`);
}

/** A receipt never changes once its erasure is done. */
function joinReceipt(copy: Item, stored: Item | undefined): JoinedItem {
  const write = (condition: Omit<ConditionalPut, 'Item'>) => ({ Item: copy, ...condition });
  const ExpressionAttributeNames = { '#read': stored === undefined ? 'pk' : 'state' };
  if (stored === undefined)
    return {
      outcome: 'added',
      write: write({ ConditionExpression: 'attribute_not_exists(#read)', ExpressionAttributeNames }),
    };
  if (copy.state?.S !== 'done' || stored.state?.S === 'done') return { outcome: 'equal' };
  return {
    outcome: 'completed',
    write: write({
      ConditionExpression: '#read = :running',
      ExpressionAttributeNames,
      ExpressionAttributeValues: { ':running': { S: 'running' } },
    }),
  };
}

/** Adds entries of a quarantine that this one lacks. */
async function keepEntries(items: readonly Item[], options: JoinOptions): Promise<readonly JoinedEntry[]> {
  const { here, rules, erased, isDryRun } = options;
  const keyed = items.map((item) => {
    const entry = quarantinedFromItem(item);
    return {
      item,
      entry,
      keys: quarantineKeys(entry, rules.listShards).map(({ pk, sk }) => ({ pk: pk.S, sk: sk.S })),
    };
  });
  const stored = await here.readQuarantine(keyed.flatMap(({ keys }) => keys));
  const known = new Set(stored.map(keyOfEntry));
  return pMap(
    keyed,
    async ({ item, entry, keys: [own] }): Promise<JoinedEntry> => {
      const key = keyOfEntry(item);
      const done = (outcome: ItemOutcome) => ({ kind: 'quarantined', key, outcome }) as const;
      if (known.has(key)) return done('equal');
      for (const text of textsOf(entry))
        if (entry.receivedAt <= (erased.untilOfText(text) ?? '')) return done('erased');
      if (isDryRun) return done('added');
      const put = await here.put('quarantine', {
        Item: { ...item, pk: { S: own?.pk ?? '' } },
        ConditionExpression: 'attribute_not_exists(#pk)',
        ExpressionAttributeNames: { '#pk': 'pk' },
      });
      return done(put.kind === 'written' ? 'added' : put.kind === 'changed' ? 'equal' : 'too-large');
    },
    { concurrency },
  );
}
