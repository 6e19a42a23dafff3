import type { LookupsContract } from '../../contract/schema/contract-schema.ts';
import type { Position } from './walk.ts';

/**
 * The lookup function looks at each message at certain ages. A pass is one of these ages: it goes through time behind the present, so a message is
 * looked at once in each pass, and no message needs a note of when it was asked about.
 */
export interface Pass {
  /** Its name in the state of the lookups: `pending after 15 min`. */
  readonly name: string;
  /** `pending`: asks about the messages without a final report. `list`: asks the service for all of its messages. */
  readonly kind: 'pending' | 'list';
  readonly ageMs: number;
  /** Whether it lists messages for the last time. The figures of the days are its counts. */
  readonly isLast: boolean;
}

/** How far a pass has gone. Times are ISO 8601 in UTC. */
export interface Progress {
  /** The messages before this time are done. */
  readonly doneUntil?: string;
  /** The span that a run did not finish. */
  readonly open?: {
    readonly since: string;
    readonly until: string;
    /** The page of the pending list at which the next run goes on. */
    readonly cursor?: string;
    /** The page of the service at which the next run goes on. */
    readonly position?: Position;
    /** What the pages so far added. */
    readonly counts?: Counts;
    /** How many runs in a row the service did not answer at this place. */
    readonly failures?: number;
  };
}

/** What answers of the service added to the history. */
export interface Counts {
  /** The messages in the answers. */
  readonly listed: number;
  /** How many of them the history did not have. */
  readonly missing: number;
  /** How many of them the history had in another state. */
  readonly changed: number;
}

export const noCounts: Counts = { listed: 0, missing: 0, changed: 0 };

export function addCounts(a: Counts, b: Counts): Counts {
  return { listed: a.listed + b.listed, missing: a.missing + b.missing, changed: a.changed + b.changed };
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Each further question waits this many times as long as the one before. */
const growth = 4;

/** A message is asked about for the last time this long before it becomes stale. */
const beforeStaleMs = hourMs;

/** If messages never become stale, they are asked about for this long. */
const defaultStaleHours = 72;

/** A pass that was not run for longer than this leaves the time before out. `sms lookup --since` goes further back. */
const maxCatchUpMs = 3 * dayMs;

/**
 * Returns the passes of a contract. Lists come first: one request answers for many messages, and what it finds need not be asked for.
 *
 * @param staleAfterHours 0 if messages never become stale
 */
export function passesOf(
  { askAfterMinutes, message, send, list }: LookupsContract,
  staleAfterHours: number,
): readonly Pass[] {
  const lastMs = (staleAfterHours || defaultStaleHours) * hourMs - beforeStaleMs;
  const listAgesMs = (list?.afterMinutes ?? []).map((minutes) => minutes * minuteMs).sort((a, b) => a - b);
  const ages: number[] = [];
  if (message !== null || send !== null) {
    for (let age = askAfterMinutes * minuteMs; age < lastMs; age *= growth) ages.push(age);
    ages.push(Math.max(lastMs, minuteMs));
  }
  return [
    ...listAgesMs.map(
      (ageMs): Pass => ({
        name: nameOf('list', ageMs),
        kind: 'list',
        ageMs,
        isLast: ageMs === listAgesMs.at(-1),
      }),
    ),
    ...ages.map((ageMs): Pass => ({ name: nameOf('pending', ageMs), kind: 'pending', ageMs, isLast: false })),
  ];
}

const nameOf = (kind: Pass['kind'], ageMs: number) => `${kind} after ${Math.round(ageMs / minuteMs)} min`;

/** A service may list at most a day at once. */
export const maxSpanMs = dayMs;

/** The first span of a pass is this long, so that a first run looks at something. */
const firstSpanMs = hourMs;

/**
 * Returns the span that a pass goes through next; undefined if there is nothing to do yet.
 *
 * @param now milliseconds since the epoch
 * @param wholeDays whether the service can be asked for whole days only
 */
export function nextSpan(
  { doneUntil, open }: Progress,
  { ageMs }: Pass,
  now: number,
  wholeDays: boolean,
): NonNullable<Progress['open']> | undefined {
  if (open !== undefined) return open;
  const floor = (ms: number) => (wholeDays ? Math.floor(ms / dayMs) * dayMs : ms);
  const until = floor(now - ageMs);
  const first = until - (wholeDays ? dayMs : firstSpanMs);
  const since = Math.max(doneUntil === undefined ? first : Date.parse(doneUntil), until - maxCatchUpMs);
  if (since >= until) return undefined;
  const end = Math.min(until, since + maxSpanMs);
  return { since: new Date(since).toISOString(), until: new Date(end).toISOString() };
}

const keptDays = 7;

/** Adds the counts of a finished span to those of its day, and drops the days of more than a week ago. @param since ISO 8601 */
export function keepDays(
  days: Readonly<Record<string, Counts>>,
  since: string,
  counts: Counts,
): Readonly<Record<string, Counts>> {
  const day = since.slice(0, 10);
  const all = { ...days, [day]: addCounts(days[day] ?? noCounts, counts) };
  return Object.fromEntries(Object.entries(all).sort().slice(-keptDays));
}
