import * as z from 'zod';
import { formatCount } from '../../../functions/base/basics.ts';
import { showPhone, type View } from '../../output/print.ts';
import {
  type ErasureReceipt,
  noRecords,
  type RecordCounts,
  type RecordKind,
  type RecordNote,
  type RecordSummary,
  recordKinds,
} from '../../personal-data/record.ts';
import type { WaitingRequests } from '../../target/connection.ts';
import { formatTime } from '../../text/format.ts';
import { sanitize } from '../../text/sanitize.ts';
import { renderFields, renderTable } from '../../text/table.ts';

/** The records that an erasure would delete. */
export interface ErasurePlan {
  /** E.164 */
  readonly phone: string;
  readonly records: readonly RecordSummary[];
  readonly waiting: WaitingRequests;
  readonly unsearched: readonly string[];
}

/** The counts behind the warnings of an erasure. */
interface Consequences {
  readonly waiting: WaitingRequests;
  /** Messages that may get more reports. */
  readonly mayGetReports: number;
  /** Opt-outs that an erasure leaves, because they may be another person's. */
  readonly leftOptOuts: number;
  /** The ids of the entries of the quarantine that have more than was searched. */
  readonly unsearched: readonly string[];
}

const names: Readonly<Record<RecordKind, readonly [one: string, many: string]>> = {
  message: ['message', 'messages'],
  reply: ['reply', 'replies'],
  'opt-out': ['opt-out', 'opt-outs'],
  quarantined: ['quarantine entry', 'quarantine entries'],
};

const notes: Readonly<Record<RecordNote, string>> = {
  'may-get-reports': 'may get reports, which restore it',
  'opted-out': 'opted out; the opt-out would be lost (--keep-opt-out)',
  stays: 'stays, because it may be the opt-out of another person',
  'whole-body': 'a whole body, with all events in it',
};

const counts = z.object({
  messages: z.int(),
  replies: z.int(),
  optOuts: z.int(),
  quarantined: z.int(),
});

const waiting = z
  .object({ events: z.int(), deadLetters: z.int() })
  .describe('Requests in the queues, which may hold data about the number.');

const unsearchedIds = z
  .array(z.string())
  .describe(
    'Quarantine entries that have more in them than could be searched, and in which the number was not found.',
  );

export const receiptDocument = z.object({
  id: z.string(),
  state: z.enum(['running', 'done']),
  startedAt: z.string(),
  finishedAt: z.string().nullable(),
  deleted: counts,
  keepOptOut: z.boolean(),
  toolVersion: z.string(),
});

export const erasureDocument = z.union([
  z
    .object({
      phone: z.string(),
      counts,
      records: z.array(
        z.object({
          kind: z.enum(recordKinds),
          id: z.string(),
          at: z.string(),
          note: z.string().nullable(),
          withoutCountryCode: z.boolean(),
        }),
      ),
      waiting,
      unsearched: unsearchedIds,
    })
    .describe('With --dry-run.'),
  receiptDocument
    .extend({ mayGetReports: z.int(), leftOptOuts: z.int(), unsearched: unsearchedIds, waiting })
    .describe('The receipt of an erasure.'),
]);

export function viewPlan({ phone, records, waiting, unsearched }: ErasurePlan): unknown {
  return {
    phone,
    counts: countsByName(countRecords(records)),
    records: records.map(({ kind, id, at, note = null, withoutCountryCode = false }) => ({
      kind,
      id,
      at,
      note,
      withoutCountryCode,
    })),
    waiting,
    unsearched,
  };
}

export function renderPlan({ phone, records }: Pick<ErasurePlan, 'phone' | 'records'>, view: View): string {
  const number = showPhone(phone, view);
  if (records.length === 0) return `Nothing is stored about ${number}.`;
  const columns = [
    { title: 'KIND' },
    { title: 'ID', maximum: 72 },
    { title: `TIME (${view.zone})` },
    { title: '' },
  ];
  const rows = records.map(({ kind, id, at, note, withoutCountryCode }) => [
    { text: kind },
    { text: sanitize(id) },
    { text: formatTime(at, view.zone) },
    {
      text: [
        ...(note === undefined ? [] : [notes[note]]),
        ...(withoutCountryCode
          ? ['stored without a country code: check that it belongs to this person']
          : []),
      ].join('; '),
    },
  ]);
  return [
    `${view.style('bold', number)}  an erasure would delete ${listCounts(countRecords(records))}`,
    renderTable(columns, rows, view),
    'Nothing was changed: this was a dry run. --confirm instead of --dry-run deletes the records.',
  ].join('\n\n');
}

export function viewReceipt(receipt: ErasureReceipt) {
  const { id, state, startedAt, finishedAt = null, counts, toolVersion, keepOptOut } = receipt;
  return { id, state, startedAt, finishedAt, deleted: countsByName(counts), keepOptOut, toolVersion };
}

export function renderReceipt(receipt: ErasureReceipt, view: View): string {
  const { id, state, startedAt, finishedAt, counts, toolVersion, keepOptOut } = receipt;
  return renderFields(
    [
      ['Receipt', sanitize(id)],
      [
        'State',
        state === 'done' ? view.style('green', 'done') : view.style('yellow', 'running, or interrupted'),
      ],
      ['Started', formatTime(startedAt, view.zone)],
      ...(finishedAt === undefined ? [] : [['Finished', formatTime(finishedAt, view.zone)] as const]),
      ['Deleted', listCounts(counts)],
      ...(keepOptOut ? [['Kept', 'the opt-out, if there is one (--keep-opt-out)'] as const] : []),
      ['Version', sanitize(toolVersion)],
    ],
    view,
  );
}

/** Warns of data about the number that remains or may return. */
export function warningsOf({
  waiting: { events, deadLetters },
  mayGetReports,
  leftOptOuts,
  unsearched,
}: Consequences): string[] {
  const warnings: string[] = [];
  if (mayGetReports > 0)
    warnings.push(
      `${formatCount(mayGetReports, 'message')} may get more reports (not final, or with a report in the last 7 days). Any report, also a repeated one, restores its message: erase again after seven days.`,
    );
  if (leftOptOuts > 0)
    warnings.push(
      `${formatCount(leftOptOuts, 'opt-out without a country code stays', 'opt-outs without a country code stay')}, possibly of another person. person export shows each text; person erase --as-written with that text deletes its opt-out.`,
    );
  if (unsearched.length > 0) warnings.push(unsearchedWarning(unsearched));
  if (events > 0)
    warnings.push(
      `${formatCount(events, 'request waits', 'requests wait')} in the events queue, possibly with data about the number. The worker processes them within seconds: erase again after that.`,
    );
  if (deadLetters > 0)
    warnings.push(
      `${formatCount(deadLetters, 'request is', 'requests are')} in the dead-letter queue, possibly with data about the number: redrive them and erase again, or purge the queue (docs/guides/erase.md, "What it does not reach").`,
    );
  return warnings;
}

const maxNamed = 5;

/** Names entries of the quarantine that have more than was searched. */
export function unsearchedWarning(ids: readonly string[]): string {
  const named = ids.slice(0, maxNamed).map(sanitize).join(', ');
  const more = ids.length > maxNamed ? ` and ${ids.length - maxNamed} more` : '';
  return `${formatCount(ids.length, 'quarantine entry has', 'quarantine entries have')} more in them than could be searched, and may be about the number: ${named}${more}. quarantine show with the id shows each (docs/guides/erase.md, "In quarantine").`;
}

function countRecords(records: readonly RecordSummary[]): RecordCounts {
  const counts = { ...noRecords };
  for (const { kind, note } of records) if (note !== 'stays') counts[kind] += 1;
  return counts;
}

function countsByName({ message, reply, 'opt-out': optOuts, quarantined }: RecordCounts) {
  return { messages: message, replies: reply, optOuts, quarantined };
}

/** `2 messages, 1 reply` */
function listCounts(counts: RecordCounts): string {
  const parts = recordKinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => formatCount(counts[kind], ...names[kind]));
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
