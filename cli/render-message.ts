import { formatDuration } from '../functions/core/duration.ts';
import {
  compareByTime,
  decidingEntry,
  hasConflict,
  isFinal,
  type Message,
  type StatusEntry,
} from '../functions/core/history/message.ts';
import { type Outcome, outcomeOf, unmappedRank } from '../functions/core/statuses.ts';
import { deliveryTime } from './delivery-time.ts';
import type { View } from './print.ts';
import { detailOf, showPhone, statusCell } from './show.ts';
import { sanitize } from './text/sanitize.ts';
import { type Cell, type Column, openTable, renderFields, renderTable } from './text/table.ts';
import { formatTime } from './text/time.ts';

/** A message whose reports are shown as they come. */
export interface OpenMessage {
  /** Its state at the beginning. */
  readonly head: string;
  /** Lays out reports in the order they happened; the first time below titles. */
  readonly reports: (reports: readonly StatusEntry[]) => string;
}

export function openMessage(message: Message, view: View): OpenMessage {
  const [first] = reportsOf(message);
  const table = openTable(columnsOf(view, true), view);
  return {
    head: fieldsOf(message, view),
    reports: (reports) => table(reports.toSorted(compareByTime).map((report) => rowOf(report, first, view))),
  };
}

/** One message for people: its state, every report in the order they happened, and what is remarkable about them. */
export function renderMessage(message: Message, view: View): string {
  const reports = reportsOf(message);
  return [fieldsOf(message, view), tableOf(reports, view), notesOf(message, reports, view)]
    .filter((part) => part !== '')
    .join('\n\n');
}

function reportsOf({ events }: Message): StatusEntry[] {
  return [...events.values()].sort(compareByTime);
}

function fieldsOf(message: Message, view: View): string {
  const { style, zone } = view;
  const deciding = decidingEntry(message);
  const status = statusCell(deciding);
  const took = deliveryTime(message);
  const state = [
    style(status.format ?? 'bold', status.text),
    isFinal(deciding) ? 'final' : 'not final yet',
    formatTime(deciding.occurredAt, zone),
  ].join(', ');
  return renderFields(
    [
      ['Message', style('bold', sanitize(message.messageId))],
      ['State', state],
      ['Number', message.phone === undefined ? 'not told' : showPhone(message.phone, view)],
      ...(message.sendId === undefined ? [] : [['Send', sanitize(message.sendId)] as const]),
      ...(took === undefined
        ? []
        : [['Took', `${formatDuration(took)} from the first report to delivery`] as const]),
    ],
    view,
  );
}

function tableOf(reports: readonly StatusEntry[], view: View): string {
  const rows = reports.map((report) => rowOf(report, reports[0], view));
  const hasDetails = rows.some((row) => row.at(-1)?.text !== '');
  return renderTable(columnsOf(view, hasDetails), rows, view);
}

function columnsOf({ zone }: View, hasDetails: boolean): Column[] {
  return [
    { title: `TIME (${zone})` },
    { title: 'ELAPSED' },
    { title: 'STATUS', maximum: 24 },
    { title: 'RECEIVED' },
    { title: hasDetails ? 'DETAIL' : '' },
  ];
}

/** @param first the report that the time is counted from */
function rowOf(report: StatusEntry, first: StatusEntry | undefined, view: View): Cell[] {
  return [
    { text: formatTime(report.occurredAt, view.zone) },
    {
      text: first === undefined || report === first ? '' : `+${between(first.occurredAt, report.occurredAt)}`,
    },
    statusCell(report),
    { text: arrivalOf(report), format: 'dim' },
    { text: detailOf(report, view) },
  ];
}

function arrivalOf({ occurredAt, receivedAt }: StatusEntry): string {
  const isEarlier = Date.parse(receivedAt) < Date.parse(occurredAt);
  return `${between(occurredAt, receivedAt)} ${isEarlier ? 'before (clocks differ)' : 'later'}`;
}

function between(from: string, to: string): string {
  return formatDuration(Date.parse(to) - Date.parse(from));
}

function notesOf(message: Message, reports: readonly StatusEntry[], view: View): string {
  const notes: string[] = [];
  if (hasConflict(message)) {
    const stands = sanitize(decidingEntry(message).status);
    notes.push(
      `The reports contradict each other: ${said('success')} and ${said('failure')}. "${stands}" stands, because it ranks higher.`,
    );
  }
  const unlisted = new Set(
    reports.filter(({ rank }) => rank === unmappedRank).map(({ status }) => sanitize(status)),
  );
  if (unlisted.size > 0)
    notes.push(
      `The contract does not list ${[...unlisted].map((word) => `"${word}"`).join(', ')}: such a report ranks below every other. Say what it means under "statuses".`,
    );
  return notes.map((note) => `${view.style('yellow', '!')} ${note}`).join('\n');

  function said(outcome: Outcome): string {
    const report = reports.findLast(({ rank }) => outcomeOf(rank) === outcome);
    return report === undefined
      ? ''
      : `"${sanitize(report.status)}" at ${formatTime(report.occurredAt, view.zone)}`;
  }
}
