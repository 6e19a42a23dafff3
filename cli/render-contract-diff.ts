import type { Counted, Diff, HistoryDiff, QuarantineDiff } from './contract-difference.ts';
import type { View } from './print.ts';
import { whyItStays } from './render-replayed.ts';
import type { NotReplayable } from './replayable-request.ts';
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
    diff.groups.map(({ count, reason, contract, becomes, isReplayable, stays, signature, examples }) => [
      { text: String(count) },
      { text: sanitize(reason), format: 'yellow' },
      {
        text:
          contract === undefined ? 'unknown' : contract === diff.contract ? 'this one' : sanitize(contract),
      },
      {
        text: `${becomes.map(sanitize).join(', ')}${isToTell(stays) ? `; stays (${stays})` : ''}`,
        format: isReplayable ? 'green' : 'red',
      },
      { text: signature ?? '' },
      { text: sanitize(examples[0] ?? '') },
    ]),
    view,
  );
  return [
    title,
    table,
    [
      ...staying(diff).map(([stays, count]) => `Stays, ${count}: ${whyItStays[stays]}.`),
      `${diff.replayable} of ${diff.entries} hold an event that this contract reads, and can be sent. Once it is deployed, quarantine replay sends them through the worker; a signature-mismatch only with --reason signature-mismatch.`,
    ].join('\n'),
  ].join('\n\n');
}

/** Of what no event can be read, what it would be says why. */
function isToTell(stays: NotReplayable | undefined): stays is keyof typeof whyItStays {
  return stays !== undefined && stays !== 'unreadable';
}

/** Why entries would stay, and how many. */
function staying({ groups }: QuarantineDiff): (readonly [keyof typeof whyItStays, number])[] {
  const reasons = new Set(groups.map(({ stays }) => stays).filter(isToTell));
  return [...reasons].map((reason) => {
    const counts = groups.filter(({ stays }) => stays === reason).map(({ count }) => count);
    return [reason, counts.reduce((sum, count) => sum + count, 0)];
  });
}

export function renderHistoryDiff(diff: HistoryDiff, view: View): string {
  const { messages, reports, isPart, changedReports, words, codes, statuses } = diff;
  const title = `Contract ${diff.contract} and ${reports} reports of ${messages} messages${during(diff, view)}${isPart ? ' (any of that time, not the newest)' : ''}: ${changedReports} would differ`;
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
