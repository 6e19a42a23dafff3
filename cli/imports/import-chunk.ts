import pMap from 'p-map';
import { withHistoryIds } from '../../contract/events/source-id.ts';
import { type RowDoubt, type RowReader, rowDoubts } from '../../contract/imports/row-reader.ts';
import { phoneKey } from '../../contract/phone/phone-key.ts';
import {
  type ReplyEvent,
  type ReplyText,
  type StatusEvent,
  unmappedRank,
} from '../../contract/schema/sms-event.ts';
import {
  changesOf,
  foldMessages,
  foldReplies,
  importsIn,
  importsOfReply,
  type KeywordOf,
  type Message,
  messageKey,
  messageOf,
  type OptOutStatement,
  type Reply,
  readFailure,
  readStatement,
  replyKey,
  replyOf,
  type StatusEntry,
  type StoreOutcome,
  timesOfStatement,
  versionsOf,
} from '../../functions/history/index.ts';
import type { HistoryImport } from '../stores/history-import.ts';
import { type FileRow, fileDoubts } from './read-rows.ts';

/** What happened to rows, or would happen: how many of each. */
export const outcomes = ['new', 'changed', 'known', 'leftOut', 'tooOld', 'rejected'] as const;
export type RowOutcome = (typeof outcomes)[number];

/** What an import doubts about rows that it imports. */
export const doubtKinds = [
  ...rowDoubts,
  ...fileDoubts,
  'id-of-another-number',
  'time-ahead',
  'opt-in-not-recorded',
] as const;
export type DoubtKind = (typeof doubtKinds)[number];

interface Doubt {
  readonly kind: DoubtKind;
  readonly line: number;
}

/** Why a row was not imported. It names a field, never a value. */
interface RowProblem {
  readonly line: number;
  /** The line in which the row begins, if it has several. */
  readonly firstLine?: number | undefined;
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
  /** How many rows say that the number opted out. */
  readonly optOuts: number;
  /** How many rows say that the number opted in again. */
  readonly optIns: number;
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
  /** Whether rows that say so opt their number out, or in again. */
  readonly recordsOptOuts: boolean;
  /** Whether a row may opt a number in. Not one of CSV: in many exports the author of a text can write rows of other people. */
  readonly recordsOptIns: boolean;
  readonly keywordOf: KeywordOf;
  readonly isDryRun: boolean;
  /** The number of each message and each reply in earlier rows that are not stored, by their keys; it is added to. */
  readonly numbers: Map<string, string>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** No zone is further behind UTC, and none is further ahead of it. */
const [maxBehindMs, maxAheadMs] = [12 * hourMs, 14 * hourMs];
const concurrentWrites = 32;
/** A dry run remembers the numbers of this many messages, which is some 100 MB. */
const maxNumbers = 1_000_000;

/** A row with the report that it becomes, by the ids of the history. */
interface ReportRow {
  readonly row: FileRow;
  readonly report: StatusEvent;
  /** The numbers that its recipient may be, if its text may be several. */
  readonly mayBe: readonly string[];
  readonly doubts: readonly RowDoubt[];
}

/** A row with the reply that it becomes, by the ids of the history. */
interface ReplyRow {
  readonly row: FileRow;
  readonly reply: ReplyEvent;
  readonly text: ReplyText;
  readonly doubts: readonly RowDoubt[];
}

/** What became of the rows of a chunk so far. */
interface Fates {
  readonly outcomeOf: Map<FileRow, RowOutcome>;
  readonly rejected: RejectedRow[];
  readonly doubts: Doubt[];
}

function reject({ outcomeOf, rejected }: Fates, row: FileRow, reason: string, field?: string): void {
  outcomeOf.set(row, 'rejected');
  const { line, firstLine } = row;
  rejected.push({ line, firstLine, reason, field, row: row.value });
}

/**
 * Imports some rows: compares them with the history, and stores what it does not have. Any order, repetition or division of rows into chunks gives
 * the same messages and replies.
 *
 * @throws as the database: the caller imports the same rows again
 */
export async function importChunk(rows: readonly FileRow[], options: ChunkOptions): Promise<ChunkResult> {
  const { access, isDryRun } = options;
  const fates: Fates = { outcomeOf: new Map(), rejected: [], doubts: [] };
  const { reports, replies, tooOld } = sortRows(rows, options, fates);
  const writes = [
    ...(await compareReports(reports, options, fates)),
    ...(await compareReplies(replies, options, fates)),
  ];
  const wishes = wishesIn([...reports, ...replies, ...tooOld], options, fates);
  if (!isDryRun) {
    // The register comes first: an import that is repeated takes a stored report for known.
    if (options.recordsOptOuts) await record(wishes.flat(), access);
    await pMap(writes, (write) => write(), { concurrency: concurrentWrites });
  }
  return {
    rows: rows.map((row) => fates.outcomeOf.get(row) ?? 'rejected'),
    rejected: fates.rejected.sort((a, b) => a.line - b.line),
    words: reports.map(({ report: { status, word = status, rank } }) => ({
      word,
      status,
      isKnown: rank !== unmappedRank,
    })),
    doubts: fates.doubts,
    optOuts: wishes.filter(([wish]) => wish?.state === 'out').length,
    optIns: wishes.filter(([wish]) => wish?.state === 'in').length,
  };
}

type Write = () => Promise<void>;

/** Compares rows with the messages of the history. @returns the writes of those that it does not have */
async function compareReports(
  rows: readonly ReportRow[],
  { access, importId, numbers, now }: ChunkOptions,
  fates: Fates,
): Promise<Write[]> {
  const ids = [...new Set(rows.map(({ report }) => report.messageId))];
  const stored = ids.length === 0 ? new Map<string, Message>() : await access.readMessages(ids);
  const additions = new Map<string, ReportRow[]>();
  const viewOf = ({ report }: ReportRow) => viewIn(report, importId, now);
  for (const { row, report, mayBe, doubts: ofRow } of rows) {
    const { messageId, phone } = report;
    const message = stored.get(messageId);
    const isOfAnother = hasAnotherNumber(numbers, messageKey(messageId), phone, [message?.phone]);
    const kinds = isOfAnother ? [...ofRow, 'id-of-another-number' as const] : ofRow;
    fates.doubts.push(...kinds.map((kind) => ({ kind, line: row.line })));
    const marked = markedAs(message?.events.get(report.eventId), report);
    const one = { row, report: marked, mayBe, doubts: ofRow };
    const outcome = compare(viewOf(one), message);
    fates.outcomeOf.set(row, outcome);
    if (outcome !== 'known' || !hasImport(viewOf(one), message))
      additions.set(messageId, [...(additions.get(messageId) ?? []), one]);
  }
  return [...additions.values()].map((added) => async () => {
    const [first, ...others] = added.map(viewOf);
    if (first === undefined) return;
    const outcome = await access.history.storeMessage(foldMessages([first, ...others]));
    rejectRefused(
      outcome,
      added.map(({ row, report }) => ({ row, eventId: report.eventId })),
      fates,
    );
  });
}

/** Returns whether an id has another number than a row says, in the history or in an earlier row. @param numbers is added to */
function hasAnotherNumber(
  numbers: Map<string, string>,
  key: string,
  phone: string | undefined,
  stored: readonly (string | undefined)[],
): boolean {
  if (phone === undefined) return false;
  const own = phoneKey(phone);
  const before = numbers.get(key);
  if (before === undefined && numbers.size < maxNumbers) numbers.set(key, own);
  return [before, ...stored.map((one) => one && phoneKey(one))].some(
    (one) => one !== undefined && one !== own,
  );
}

/** Compares rows with the replies of the history. @returns the writes of those that it does not have */
async function compareReplies(
  rows: readonly ReplyRow[],
  { access, importId, publishes, numbers, now }: ChunkOptions,
  fates: Fates,
): Promise<Write[]> {
  const ids = [...new Set(rows.map(({ reply }) => reply.replyId))];
  const stored = ids.length === 0 ? new Map<string, Reply>() : await access.readReplies(ids);
  const additions = new Map<string, ReplyRow[]>();
  const viewOf = ({ reply }: ReplyRow) => replyOf(reply, receiptOf(reply, now), importId);
  for (const one of rows) {
    const { row, reply, doubts } = one;
    const known = stored.get(reply.replyId);
    const senders = known === undefined ? [] : [...versionsOf(known).values()].map(({ from }) => from);
    const isOfAnother = hasAnotherNumber(numbers, replyKey(reply.replyId), reply.from, senders);
    const kinds = isOfAnother ? [...doubts, 'id-of-another-number' as const] : doubts;
    fates.doubts.push(...kinds.map((kind) => ({ kind, line: row.line })));
    const merged = known === undefined ? viewOf(one) : foldReplies([viewOf(one), known]);
    fates.outcomeOf.set(row, compareReply(reply, merged, known));
    if (known === undefined || importsOfReply(merged) !== importsOfReply(known))
      additions.set(reply.replyId, [...(additions.get(reply.replyId) ?? []), one]);
  }
  return [...additions].map(([replyId, added]) => async () => {
    const [first, ...others] = added.map(viewOf);
    if (first === undefined) return;
    const isQuiet = !publishes || stored.has(replyId);
    const outcome = await access.history.storeReply(foldReplies([first, ...others]), [], isQuiet);
    rejectRefused(
      outcome,
      added.map(({ row, reply }) => ({ row, eventId: reply.eventId })),
      fates,
    );
  });
}

/** A reply is known if the history has one with the same words, whether the webhook received it or another import has it. */
function compareReply(
  reply: ReplyEvent,
  merged: Reply,
  known: Reply | undefined,
): 'new' | 'changed' | 'known' {
  if (known === undefined) return 'new';
  const versions = versionsOf(known);
  const { added, replaced } = changesOf(versionsOf(merged).values(), versions);
  const hasWords = [...versions.values()].some(({ text }) => text === reply.text);
  return hasWords || added.length + replaced.length === 0 ? 'known' : 'changed';
}

function rejectRefused(
  outcome:
    | Pick<Extract<StoreOutcome, { kind: 'stored' }>, 'kind' | 'refused'>
    | { readonly kind: 'unstorable' },
  rows: readonly { readonly row: FileRow; readonly eventId: string }[],
  fates: Fates,
): void {
  for (const { row, eventId } of rows) {
    if (outcome.kind === 'unstorable') reject(fates, row, 'message-too-large');
    else if (outcome.refused.includes(eventId)) reject(fates, row, 'message-has-100-reports');
  }
}

/** Returns the statements of each row that has some: one, or one for each number that its text may be. */
function wishesIn(
  rows: readonly (ReportRow | ReplyRow)[],
  { importId, keywordOf, recordsOptIns, now }: ChunkOptions,
  { doubts }: Fates,
): OptOutStatement[][] {
  return rows.flatMap((one) => {
    const isReport = 'report' in one;
    const event = isReport ? one.report : one.reply;
    const wish = isReport
      ? readFailure(one.report, event.occurredAt)
      : statementIn(one.text, event.occurredAt, keywordOf);
    if (wish === undefined) return [];
    if (!recordsOptIns && wish.state === 'in') {
      doubts.push({ kind: 'opt-in-not-recorded', line: one.row.line });
      return [];
    }
    // The row may be years old, and is received now: a person who was erased before may be in it again.
    const receivedAt = new Date(now).toISOString();
    const { receivedAt: _, ...said } = wish;
    const statement = { ...said, ...timesOfStatement(timeOfWish(wish.state, event, now), receivedAt) };
    const others = isReport ? one.mayBe : (one.text.mayBeFrom ?? []);
    // In doubt the person is opted out, whichever number it is. A START counts for the text alone.
    const phones = [statement.phone, ...(statement.state === 'out' ? others : [])];
    return [phones.map((phone) => ({ ...statement, phone, importId }))];
  });
}

/** Reads the wish of a reply. Some exports write a line break or another control character as an escape: `STOP\\n` is a STOP. */
function statementIn(
  reply: ReplyText,
  receivedAt: string,
  keywordOf: KeywordOf,
): OptOutStatement | undefined {
  const unescaped = { ...reply, text: reply.text.replace(/\\[0bfnrtvZ]/g, ' ') };
  const [asWritten, read] = [reply, unescaped].map((one) => readStatement(one, receivedAt, keywordOf));
  return read?.state === 'out' ? read : asWritten;
}

/** Finds the rows to import, and what becomes of the others. */
function sortRows(
  rows: readonly FileRow[],
  { read, access, source, publishes, now }: ChunkOptions,
  fates: Fates,
): {
  readonly reports: readonly ReportRow[];
  readonly replies: readonly ReplyRow[];
  /** Rows that are too old for the history. An opt-out does not expire. */
  readonly tooOld: readonly (ReportRow | ReplyRow)[];
} {
  const reports: ReportRow[] = [];
  const replies: ReplyRow[] = [];
  const tooOld: (ReportRow | ReplyRow)[] = [];
  const oldest = new Date(now - access.retentionDays * dayMs).toISOString();
  // Clocks differ. A time in another zone than the mapping takes it for may be ahead by hours.
  const latest = new Date(now + dayMs).toISOString();
  const results = read(rows.map(({ value, problem }) => (problem === undefined ? value : undefined)));
  for (const [index, row] of rows.entries()) {
    const result = results[index];
    if (row.doubt !== undefined) fates.doubts.push({ kind: row.doubt, line: row.line });
    if (row.problem !== undefined) reject(fates, row, row.problem);
    else if (result === undefined) reject(fates, row, 'expression-failed');
    else if (result.kind === 'unreadable') reject(fates, row, result.reason, result.field);
    else if (result.kind === 'left-out') fates.outcomeOf.set(row, 'leftOut');
    else {
      const { occurredAt } = result.kind === 'report' ? result.report : result.reply;
      if (occurredAt > latest) reject(fates, row, 'in-the-future', 'occurredAt');
      else {
        const isOld = occurredAt < oldest;
        if (isOld) fates.outcomeOf.set(row, 'tooOld');
        if (Date.parse(occurredAt) > now) fates.doubts.push({ kind: 'time-ahead', line: row.line });
        const { doubts } = result;
        if (result.kind === 'report') {
          const report = withHistoryIds(source, result.report);
          const marked = publishes ? report : { ...report, silent: true as const };
          (isOld ? tooOld : reports).push({ row, report: marked, mayBe: result.mayBe, doubts });
        } else {
          const reply = withHistoryIds(source, result.reply);
          const text = withHistoryIds(source, result.text);
          (isOld ? tooOld : replies).push({ row, reply, text, doubts });
        }
      }
    }
  }
  return { reports, replies, tooOld };
}

/** Whether a report was published is decided by its first import. Another import does not change it. */
function markedAs(known: StatusEntry | undefined, report: StatusEvent): StatusEvent {
  if (known === undefined || known.silent === report.silent) return report;
  const { silent: _, ...unmarked } = report;
  return { ...unmarked, ...(known.silent === true && { silent: true }) };
}

/**
 * Returns the time at which an imported wish counts, ISO 8601 in UTC. It is never after now, because a STOP that arrives later must win. A time
 * without a zone is read as UTC and may be wrong by hours, and so may one that is ahead of the clock. In doubt the person is opted out: a STOP
 * counts as late as it may have been, and a START as early.
 */
function timeOfWish(
  state: OptOutStatement['state'],
  { occurredAt, timeIs }: Pick<StatusEvent, 'occurredAt' | 'timeIs'>,
  now: number,
): string {
  const time = Date.parse(occurredAt);
  if (timeIs === undefined && time <= now) return occurredAt;
  const possible = state === 'out' ? time + maxBehindMs : time - maxAheadMs;
  return new Date(Math.min(possible, now)).toISOString();
}

/**
 * Returns the time that stands for the receipt of a row, ISO 8601: its own, so that lists and expiry are those of the history. Nothing is received
 * after now: a join or a comparison of copies refuses items that seem to be.
 */
function receiptOf({ occurredAt }: Pick<StatusEvent, 'occurredAt'>, now: number): string {
  const latest = new Date(now).toISOString();
  return occurredAt < latest ? occurredAt : latest;
}

function viewIn(report: StatusEvent, importId: string, now: number): Message {
  return messageOf(report, receiptOf(report, now), importId);
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
