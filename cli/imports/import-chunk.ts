import pMap from 'p-map';
import { withHistoryIds } from '../../contract/events/source-id.ts';
import { type RowDoubt, type RowReader, rowDoubts } from '../../contract/imports/row-reader.ts';
import { phoneKey } from '../../contract/phone/phone-key.ts';
import { type StatusEvent, unmappedRank } from '../../contract/schema/sms-event.ts';
import {
  changesOf,
  foldMessages,
  importsIn,
  type Message,
  messageOf,
  type OptOutStatement,
  readFailure,
  type StatusEntry,
} from '../../functions/history/index.ts';
import type { HistoryImport } from '../stores/history-import.ts';
import type { FileRow } from './read-rows.ts';

/** What happened to rows, or would happen: how many of each. */
export const outcomes = ['new', 'changed', 'known', 'leftOut', 'tooOld', 'rejected'] as const;
export type RowOutcome = (typeof outcomes)[number];

/** What an import doubts about rows that it imports. */
export const doubtKinds = [...rowDoubts, 'id-of-another-number'] as const;
export type DoubtKind = (typeof doubtKinds)[number];

interface Doubt {
  readonly kind: DoubtKind;
  readonly line: number;
}

/** Why a row was not imported. It names a field, never a value. */
interface RowProblem {
  readonly line: number;
  readonly reason: string;
  readonly field?: string | undefined;
}

/** A row that was not imported, as the file has it. */
export interface RejectedRow extends RowProblem {
  readonly row: unknown;
}

/** A word of the status that was found in rows. */
interface FoundWord {
  readonly word: string;
  readonly status: string;
  readonly isKnown: boolean;
}

export interface ChunkResult {
  readonly rows: readonly RowOutcome[];
  readonly rejected: readonly RejectedRow[];
  readonly words: readonly FoundWord[];
  readonly doubts: readonly Doubt[];
  /** How many rows say that the number opted out at the provider. */
  readonly optOuts: number;
}

export interface ChunkOptions {
  readonly read: RowReader;
  readonly access: HistoryImport;
  /** Each report and each statement is marked with it. */
  readonly importId: string;
  /** The source that the rows are of. */
  readonly source: string;
  /** Whether the events of the rows are published. */
  readonly publishes: boolean;
  /** Whether rows that say so opt their number out. */
  readonly recordsOptOuts: boolean;
  readonly isDryRun: boolean;
  /** The number of each message in earlier rows that are not stored, which is added to. */
  readonly numbers: Map<string, string>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const dayMs = 86_400_000;
/** A zone is at most so far behind UTC. */
const maxOffsetMs = dayMs / 2;
const concurrentWrites = 32;
/** A dry run remembers the numbers of this many messages, which is some 100 MB. */
const maxNumbers = 1_000_000;

/** A row with the report that it becomes, by the ids of the history. */
interface ImportedRow {
  readonly row: FileRow;
  readonly report: StatusEvent;
  /** The numbers that its recipient may be, if its text may be several. */
  readonly mayBe: readonly string[];
  readonly doubts: readonly RowDoubt[];
}

/**
 * Imports some rows: compares them with the history, and stores what it does not have. Any order, repetition or division of rows into chunks gives
 * the same messages.
 *
 * @throws as the database: the caller imports the same rows again
 */
export async function importChunk(rows: readonly FileRow[], options: ChunkOptions): Promise<ChunkResult> {
  const { access, importId, isDryRun, numbers } = options;
  const viewOf = ({ report }: ImportedRow) => viewIn(report, importId);
  const { imported, tooOld, outcomeOf, rejected } = sortRows(rows, options);
  const reject = ({ row }: ImportedRow, reason: string) => {
    outcomeOf.set(row, 'rejected');
    rejected.push({ line: row.line, reason, row: row.value });
  };

  const ids = [...new Set(imported.map(({ report }) => report.messageId))];
  const stored = ids.length === 0 ? new Map<string, Message>() : await access.readMessages(ids);
  const additions = new Map<string, ImportedRow[]>();
  const doubts: Doubt[] = [];
  for (const { row, report, mayBe, doubts: ofRow } of imported) {
    const { messageId, phone } = report;
    const message = stored.get(messageId);
    const before = numbers.get(messageId) ?? (message?.phone && phoneKey(message.phone));
    if (phone !== undefined && numbers.size < maxNumbers) numbers.set(messageId, before ?? phoneKey(phone));
    const isOfAnother = before !== undefined && phone !== undefined && before !== phoneKey(phone);
    const kinds = isOfAnother ? [...ofRow, 'id-of-another-number' as const] : ofRow;
    doubts.push(...kinds.map((kind) => ({ kind, line: row.line })));
    const marked = markedAs(message?.events.get(report.eventId), report);
    const one = { row, report: marked, mayBe, doubts: ofRow };
    const outcome = compare(viewOf(one), message);
    outcomeOf.set(row, outcome);
    if (outcome !== 'known' || !hasImport(viewOf(one), message))
      additions.set(messageId, [...(additions.get(messageId) ?? []), one]);
  }

  const optOuts = [...imported, ...tooOld].flatMap(({ report, mayBe }) => {
    const statement = readFailure(report, latestTimeOf(report, options.now));
    return statement === undefined ? [] : [{ statement, mayBe }];
  });
  const statements = optOuts.flatMap(({ statement, mayBe }) =>
    [statement.phone, ...mayBe].map((phone) => ({ ...statement, phone, importId })),
  );
  if (!isDryRun) {
    // The register comes first: an import that is repeated takes a stored report for known.
    if (options.recordsOptOuts) await record(statements, access);
    await pMap(
      additions.values(),
      async ([first, ...others]) => {
        if (first === undefined) return;
        const added = [first, ...others];
        const outcome = await access.history.storeMessage(
          foldMessages([viewOf(first), ...others.map(viewOf)]),
        );
        for (const one of added) {
          if (outcome.kind === 'unstorable') reject(one, 'message-too-large');
          else if (outcome.refused.includes(one.report.eventId)) reject(one, 'message-has-100-reports');
        }
      },
      { concurrency: concurrentWrites },
    );
  }
  return {
    rows: rows.map((row) => outcomeOf.get(row) ?? 'rejected'),
    rejected: rejected.sort((a, b) => a.line - b.line),
    words: imported.map(({ report: { status, word = status, rank } }) => ({
      word,
      status,
      isKnown: rank !== unmappedRank,
    })),
    doubts,
    optOuts: optOuts.length,
  };
}

/** Finds the rows to import, and what becomes of the others. */
function sortRows(
  rows: readonly FileRow[],
  { read, access, source, publishes, now }: ChunkOptions,
): {
  imported: ImportedRow[];
  /** Reports that are too old for the history. An opt-out does not expire. */
  tooOld: Pick<ImportedRow, 'report' | 'mayBe'>[];
  outcomeOf: Map<FileRow, RowOutcome>;
  rejected: RejectedRow[];
} {
  const imported: ImportedRow[] = [];
  const tooOld: Pick<ImportedRow, 'report' | 'mayBe'>[] = [];
  const outcomeOf = new Map<FileRow, RowOutcome>();
  const rejected: RejectedRow[] = [];
  const reject = ({ line, value: row }: FileRow, reason: string, field?: string) =>
    void rejected.push({ line, reason, field, row });
  const oldest = new Date(now - access.retentionDays * dayMs).toISOString();
  // Clocks differ. A time in another zone than the mapping takes it for may be ahead by hours.
  const latest = new Date(now + dayMs).toISOString();
  const results = read(rows.map(({ value, problem }) => (problem === undefined ? value : undefined)));
  rows.forEach((row, index) => {
    const result = results[index];
    if (row.problem !== undefined) reject(row, row.problem);
    else if (result === undefined) reject(row, 'expression-failed');
    else if (result.kind === 'unreadable') reject(row, result.reason, result.field);
    else if (result.kind === 'left-out') outcomeOf.set(row, 'leftOut');
    else if (result.report.occurredAt > latest) reject(row, 'in-the-future', 'occurredAt');
    else if (result.report.occurredAt < oldest) {
      outcomeOf.set(row, 'tooOld');
      tooOld.push({ report: withHistoryIds(source, result.report), mayBe: result.mayBe });
    } else {
      const report = withHistoryIds(source, result.report);
      const marked = publishes ? report : { ...report, silent: true as const };
      imported.push({ row, report: marked, mayBe: result.mayBe, doubts: result.doubts });
    }
  });
  return { imported, tooOld, outcomeOf, rejected };
}

/** Whether a report was published is decided by its first import. Another import does not change it. */
function markedAs(known: StatusEntry | undefined, report: StatusEvent): StatusEvent {
  if (known === undefined || known.silent === report.silent) return report;
  const { silent: _, ...unmarked } = report;
  return { ...unmarked, ...(known.silent === true && { silent: true }) };
}

/** Returns when a report happened at the latest, ISO 8601. A time without a zone is read as UTC, and may be 12 hours later. */
function latestTimeOf({ occurredAt, timeIs }: StatusEvent, now: number): string {
  if (timeIs === undefined) return occurredAt;
  return new Date(Math.min(Date.parse(occurredAt) + maxOffsetMs, now)).toISOString();
}

/** The time of the report stands for its receipt, so that lists and expiry are those of the history. */
function viewIn(report: StatusEvent, importId: string): Message {
  return messageOf(report, report.occurredAt, importId);
}

/** Returns whether a stored message shows that this import has a report of it, so that an undo of another import keeps the report. */
function hasImport(view: Message, stored: Message | undefined): boolean {
  return stored !== undefined && importsIn(foldMessages([view, stored])) === importsIn(stored);
}

function compare(view: Message, stored: Message | undefined): 'new' | 'changed' | 'known' {
  if (stored === undefined) return 'new';
  const { added, replaced } = changesOf(view.events.values(), stored.events);
  const merged = foldMessages([view, stored]);
  const isSame = merged.phone === stored.phone && merged.sendId === stored.sendId;
  return added.length + replaced.length === 0 && isSame ? 'known' : 'changed';
}

async function record(statements: readonly OptOutStatement[], { optOuts }: HistoryImport): Promise<void> {
  const byNumber = Map.groupBy(statements, ({ phone }) => phone);
  await pMap(byNumber.values(), (ofNumber) => optOuts.record(...ofNumber), {
    concurrency: concurrentWrites,
  });
}
