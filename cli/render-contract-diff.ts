import type { Counted, Diff, HistoryDiff, QuarantineDiff } from './contract-difference.ts';
import type { View } from './print.ts';
import { sanitize } from './text/sanitize.ts';
import { renderTable } from './text/table.ts';
import { formatTime } from './text/time.ts';

export function renderQuarantineDiff(diff: QuarantineDiff, view: View): string {
  const title = `Contract ${diff.contract} and ${diff.entries} quarantine entries${during(diff, view)}`;
  if (diff.entries === 0) return `${title}: nothing to compare.`;
  const table = renderTable(
    [
      { title: 'ENTRIES' },
      { title: 'KEPT FOR' },
      { title: 'BY CONTRACT' },
      { title: 'WOULD BE' },
      { title: 'SIGNATURE' },
      { title: 'FOR EXAMPLE', whole: true },
    ],
    diff.groups.map(({ count, reason, contract, becomes, isReadable, signature, examples }) => [
      { text: String(count) },
      { text: sanitize(reason), format: 'yellow' },
      {
        text:
          contract === undefined ? 'unknown' : contract === diff.contract ? 'this one' : sanitize(contract),
      },
      { text: becomes.map(sanitize).join(', '), format: isReadable ? 'green' : 'red' },
      { text: signature ?? '' },
      { text: sanitize(examples[0] ?? '') },
    ]),
    view,
  );
  return [
    title,
    table,
    `${diff.readable} of ${diff.entries} hold an event that this contract reads. Once it is deployed, quarantine replay sends them through the worker.`,
  ].join('\n\n');
}

export function renderHistoryDiff(diff: HistoryDiff, view: View): string {
  const { messages, reports, changedReports, words, codes, statuses } = diff;
  const title = `Contract ${diff.contract} and ${reports} reports of ${messages} messages${during(diff, view)}: ${changedReports} would differ`;
  const line = (what: string, { from, to, count }: Counted) =>
    `${what}: ${sanitize(from ?? 'no reason')} -> ${sanitize(to ?? 'no reason')} (${count})`;
  const lines = [
    ...words.map((one) => line(`word "${sanitize(one.word)}"`, one)),
    ...codes.map((one) => line(`error code "${sanitize(one.code)}"`, one)),
    ...statuses.map((one) => line('messages', one)),
  ];
  return [
    title,
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
    view.style(
      'dim',
      'Not compared: webhook and events. The history keeps words, codes and times, not bodies, so what expressions would find there nobody can say; contract test --file does it with a captured request. What is stored stays as it is.',
    ),
  ].join('\n\n');
}

function during({ since, until }: Diff, { zone }: View): string {
  return `, ${formatTime(since, zone)} to ${formatTime(until, zone)}`;
}
