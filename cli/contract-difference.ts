import type { RereadMessage } from '../functions/core/contract/reread-message.ts';
import type { BoundedRange } from '../functions/core/history/listing.ts';
import type { RereadEntry } from './reread-quarantined.ts';

/** What was compared. */
export interface Diff extends BoundedRange {
  /** Hash of the contract that is compared. */
  readonly contract: string;
}

interface QuarantineGroup extends Omit<RereadEntry, 'id'> {
  readonly count: number;
  /** The ids of some, the newest first. */
  readonly examples: readonly string[];
}

export interface QuarantineDiff extends Diff {
  readonly entries: number;
  /** How many of them a replay would send that hold an event it reads. */
  readonly replayable: number;
  readonly groups: readonly QuarantineGroup[];
}

/** How many reports, or messages, share a change; null is no reason. */
export interface Counted {
  readonly from: string | null;
  readonly to: string | null;
  readonly count: number;
}

export interface HistoryDiff extends Diff {
  readonly messages: number;
  readonly reports: number;
  /** Whether there are more than were asked for: then these are any of them, not the newest. */
  readonly isPart: boolean;
  readonly changedReports: number;
  /** By the service's word. */
  readonly words: readonly (Counted & { readonly word: string })[];
  /** By the service's error code. */
  readonly codes: readonly (Counted & { readonly code: string })[];
  /** Of messages as a whole. */
  readonly statuses: readonly Counted[];
}

const mostExamples = 3;

export function quarantineDiff(
  contract: string,
  { since, until }: BoundedRange,
  entries: readonly RereadEntry[],
): QuarantineDiff {
  const groups = groupBy(entries, ({ id: _, ...group }) => group);
  return {
    contract,
    since,
    until,
    entries: entries.length,
    replayable: entries.filter(({ isReplayable }) => isReplayable).length,
    groups: groups.map(({ key: group, members }) => ({
      ...group,
      count: members.length,
      examples: members.slice(0, mostExamples).map(({ id }) => id),
    })),
  };
}

export function historyDiff(
  contract: string,
  { since, until }: BoundedRange,
  messages: readonly RereadMessage[],
  isPart: boolean,
): HistoryDiff {
  const changed = messages.flatMap((message) => message.changed);
  const words = changed.filter(({ status }) => status.from !== status.to);
  const codes = changed.flatMap(({ code, errorReason: { from = null, to = null } }) =>
    code === undefined || from === to ? [] : [{ code, from, to }],
  );
  return {
    contract,
    since,
    until,
    messages: messages.length,
    reports: messages.reduce((sum, { reports }) => sum + reports, 0),
    isPart,
    changedReports: changed.length,
    words: counted(words.map(({ word, status }) => ({ word, ...status }))),
    codes: counted(codes),
    statuses: counted(messages.flatMap(({ status }) => status ?? [])),
  };
}

function counted<T extends object>(changes: readonly T[]): (T & { readonly count: number })[] {
  return groupBy(changes, (change) => change).map(({ key, members }) => ({ ...key, count: members.length }));
}

/** Groups what has the same key, as JSON tells; the largest group first. */
function groupBy<T, K>(
  values: readonly T[],
  keyOf: (value: T) => K,
): { readonly key: K; readonly members: T[] }[] {
  const groups = new Map<string, { readonly key: K; readonly members: T[] }>();
  for (const value of values) {
    const key = keyOf(value);
    const name = JSON.stringify(key);
    const group = groups.get(name) ?? { key, members: [] };
    group.members.push(value);
    groups.set(name, group);
  }
  return [...groups.values()].sort((a, b) => b.members.length - a.members.length);
}
