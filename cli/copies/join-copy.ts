import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import * as z from 'zod';
import { readOwnFile } from '../../contract/document/own-file-store.ts';
import type { Item } from '../../functions/history/index.ts';
import { replaceFile } from '../output/replace-file.ts';
import type { ItemPage } from '../stores/history-items.ts';
import type { HistoryCopy } from '../stores/table-copy.ts';
import { explainFileErrors } from '../target/errors.ts';
import { parseJson } from '../text/format.ts';
import {
  type ItemOutcome,
  isReadableReceipt,
  type JoinedEntry,
  type JoinedKind,
  type JoinOptions,
  joinPage,
} from './join-page.ts';
import { readParts } from './read-parts.ts';

/** The first items of each outcome are named, up to so many. */
const maxNamed = 100;

const tallySchema = z.object({
  items: z.int(),
  /** How many items were written. */
  written: z.int(),
  /** Items of other kinds, which are left out: only the pipeline of the copy needs them, or the copy is no history. */
  others: z.int(),
  /** How many items of each kind have each outcome. */
  counts: z.record(z.string(), z.record(z.string(), z.int())),
  /** The keys of the first items that are neither equal nor newer here, by kind and outcome. */
  named: z.array(z.object({ kind: z.string(), key: z.string(), outcome: z.string() })),
});

/** What became of the items of a copy so far. */
export type JoinTally = z.output<typeof tallySchema>;

const progressSchema = z.object({
  /** What is joined into what, and how. */
  identity: z.string(),
  /** The receipts of erasures that were known when the join was begun. */
  erasures: z.array(z.string()),
  /** What is doubtful about parts of the copy. */
  doubts: z.array(z.string()),
  tally: tallySchema,
  /** Where each part continues; null if it is done. */
  parts: z.record(z.string(), z.string().nullable()),
});

const unnamedOutcomes: ReadonlySet<ItemOutcome> = new Set(['equal', 'newer', 'out-of-range']);

function addTo(tally: JoinTally, entries: readonly JoinedEntry[]): void {
  tally.items += entries.length;
  const namedOf = new Map<string, number>();
  for (const { kind, outcome } of tally.named)
    namedOf.set(`${kind} ${outcome}`, (namedOf.get(`${kind} ${outcome}`) ?? 0) + 1);
  for (const { kind, key, outcome, isWritten } of entries) {
    if (isWritten === true) tally.written += 1;
    const counts = tally.counts[kind] ?? {};
    tally.counts[kind] = counts;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
    const name = `${kind} ${outcome}`;
    const named = namedOf.get(name) ?? 0;
    if (unnamedOutcomes.has(outcome) || named >= maxNamed) continue;
    namedOf.set(name, named + 1);
    tally.named.push({ kind, key, outcome });
  }
}

/** Returns how many items of a kind have an outcome; of all kinds without a kind. */
export function countOf(tally: JoinTally, outcome: string, kind?: JoinedKind): number {
  return Object.entries(tally.counts).reduce(
    (sum, [one, counts]) => sum + (kind === undefined || one === kind ? (counts[outcome] ?? 0) : 0),
    0,
  );
}

export interface JoinRun {
  readonly copy: HistoryCopy;
  readonly options: JoinOptions;
  /** The file that keeps the progress; undefined if none is kept. */
  readonly progressPath: string | undefined;
  /** What else the progress depends on: the history that is joined into, and how. */
  readonly identity: string;
  /** Called after each page; false interrupts the join. */
  readonly onPage: (tally: JoinTally) => Promise<boolean>;
  /** Called with the items of each page. */
  readonly onItems?: (entries: readonly JoinedEntry[]) => void;
}

export interface JoinResult {
  /** `interrupted`: the same call continues after the last page. */
  readonly kind: 'done' | 'interrupted';
  readonly tally: JoinTally;
  /** Whether an earlier run was interrupted, which may have written what it did not count. */
  readonly isResumed: boolean;
  /** What is doubtful about the copy. */
  readonly doubts: readonly string[];
  /** The receipts of erasures that were known when the first run began. */
  readonly knownErasures: ReadonlySet<string>;
}

/**
 * Joins a copy into the history, all parts at the same time. What a run did before it was interrupted is not done again.
 *
 * @throws as the database and the files, after the progress was kept
 */
export async function joinCopy({
  copy,
  options,
  progressPath,
  identity,
  onPage,
  onItems,
}: JoinRun): Promise<JoinResult> {
  const whole = [copy.identity, identity].join('\n');
  const begun =
    progressPath === undefined
      ? undefined
      : await withPath(progressPath, async () => readProgress(progressPath, whole));
  const tally = begun?.tally ?? { items: 0, written: 0, others: 0, counts: {}, named: [] };
  const erasures = begun?.erasures ?? [...options.erased.ids];
  const doubts = new Set(begun?.doubts);
  const parts = new Map(Object.entries(begun?.parts ?? {}));
  let isInterrupted = false;
  let saving = Promise.resolve();

  async function save(): Promise<void> {
    if (progressPath === undefined) return;
    const progress: z.input<typeof progressSchema> = {
      identity: whole,
      erasures,
      doubts: [...doubts],
      tally,
      parts: Object.fromEntries(parts),
    };
    const text = JSON.stringify(progress);
    saving = saving.then(() => withPath(progressPath, () => replaceFile(progressPath, text)));
    await saving;
  }

  /** Keeps the progress, one page after another. */
  async function keep(
    part: string,
    { items, next, doubt }: ItemPage,
    entries: readonly JoinedEntry[],
  ): Promise<void> {
    addTo(tally, entries);
    tally.others += items.length - entries.length;
    if (doubt !== undefined) doubts.add(doubt);
    parts.set(part, next ?? null);
    onItems?.(entries);
    await save();
    if (!(await onPage(tally))) isInterrupted = true;
  }

  // A run that is killed before its first page may have written items.
  await save();
  const left = copy.parts.filter((part) => parts.get(part) !== null);
  await readParts(
    left,
    (part) => copy.pages(part, parts.get(part) ?? undefined),
    async (part, page) => {
      await keep(part, page, await joinPage(page.items, options));
      return !isInterrupted;
    },
  );
  const isDone = !isInterrupted || copy.parts.every((part) => parts.get(part) === null);
  return {
    kind: isDone ? 'done' : 'interrupted',
    tally,
    isResumed: begun !== undefined,
    doubts: [...doubts],
    knownErasures: new Set(erasures),
  };
}

/**
 * Reads the receipts of erasures that were complete when the copy was made, so that a join leaves out these persons from its first item on.
 *
 * @param now epoch seconds
 */
export async function readReceipts(
  copy: HistoryCopy,
  now: number,
  onRead: (items: number) => void,
): Promise<readonly Item[]> {
  const receipts: Item[] = [];
  await readParts(
    copy.parts,
    (part) => copy.pages(part),
    async (_, { items }) => {
      receipts.push(...items.filter((item) => isReadableReceipt(item, now)));
      onRead(items.length);
      return true;
    },
  );
  return receipts;
}

/** Removes the progress of a join that is done. */
export async function forgetProgress(path: string): Promise<void> {
  await withPath(path, () => rm(path, { force: true }));
}

/** Returns the progress of the same join; undefined if there is none. Another join begins from the start, because it stores nothing twice. */
function readProgress(path: string, identity: string) {
  const progress = progressSchema.safeParse(existsSync(path) ? parseJson(readOwnFile(path)) : undefined);
  return progress.success && progress.data.identity === identity ? progress.data : undefined;
}

function withPath<T>(path: string, operation: () => Promise<T>): Promise<T> {
  return explainFileErrors(
    (code) => `${path} cannot be written (${code}); a join keeps its progress in this file.`,
    operation,
  );
}
