import { formatCount, formatDuration } from '../../functions/base/basics.ts';
import type { SendFigures } from '../../functions/insights/index.ts';
import { viewSendFigures } from '../../functions/query/index.ts';
import type { OutcomeCounts } from '../../functions/query/shapes.ts';
import { formatTime } from '../text/format.ts';
import { sanitize } from '../text/sanitize.ts';
import type { Cell, Column } from '../text/table.ts';
import type { CsvRecord, EntryFormat } from './entry-format.ts';

/** The columns of counts, in the order of {@link countCells}. Shares are of the messages with an outcome, as in the console. */
export const countColumns: readonly Column[] = [
  { title: 'MESSAGES' },
  { title: 'DELIVERED' },
  { title: 'FAILED' },
  { title: 'PENDING' },
  { title: 'REPLIES' },
  { title: 'OPT-OUTS' },
  { title: '50 % WITHIN' },
  { title: '95 % WITHIN' },
];

export function countCells(counts: OutcomeCounts): Cell[] {
  const { messages, delivered, failed, pending, replies, optOuts, timeToDelivery } = counts;
  return [
    { text: String(messages) },
    { text: share(delivered, delivered + failed), format: 'green' },
    { text: share(failed, delivered + failed), ...(failed > 0 && { format: 'red' as const }) },
    { text: String(pending) },
    { text: String(replies) },
    { text: String(optOuts) },
    { text: timeToDelivery === null ? '' : formatDuration(timeToDelivery.p50) },
    { text: timeToDelivery === null ? '' : formatDuration(timeToDelivery.p95) },
  ];
}

/** The columns of cost, with a function that fills them. Without a known price or part there are none. */
export function costColumnsOf(total: OutcomeCounts): {
  readonly columns: readonly Column[];
  readonly cells: (counts: OutcomeCounts) => Cell[];
} {
  const hasSegments = total.segments > 0;
  const hasSpend = total.spend.length > 0;
  return {
    columns: [...(hasSegments ? [{ title: 'SEGMENTS' }] : []), ...(hasSpend ? [{ title: 'SPEND' }] : [])],
    cells: (counts) => [
      ...(hasSegments ? [{ text: String(counts.segments) }] : []),
      ...(hasSpend ? [{ text: spendText(counts) }] : []),
    ],
  };
}

/** Describes the spend: `12.3456 USD`, or `12.3456 USD + 3 EUR`; empty if no price is known. */
const spendText = ({ spend }: OutcomeCounts): string =>
  spend.map(({ amount, currency }) => `${amount} ${sanitize(currency)}`).join(' + ');

const pricedMessages = ({ spend }: OutcomeCounts): number =>
  spend.reduce((sum, { messages }) => sum + messages, 0);

/** The columns of {@link countRecord}. */
export const countCsvColumns: readonly string[] = [
  'messages',
  'delivered',
  'failed',
  'pending',
  'replies',
  'optOuts',
  'deliveryP50Ms',
  'deliveryP95Ms',
  'deliveryP99Ms',
  'segments',
  'spend',
  'pricedMessages',
];

export function countRecord(counts: OutcomeCounts): CsvRecord {
  const { messages, delivered, failed, pending, replies, optOuts, timeToDelivery: times } = counts;
  return {
    messages,
    delivered,
    failed,
    pending,
    replies,
    optOuts,
    deliveryP50Ms: times?.p50,
    deliveryP95Ms: times?.p95,
    deliveryP99Ms: times?.p99,
    segments: counts.segments,
    spend: spendText(counts),
    pricedMessages: pricedMessages(counts),
  };
}

/** Describes counts in a line: `300 messages, 230 with an outcome: 210 delivered (91.3 %), 20 failed (8.7 %), 70 pending; 50 % within 4.1 s`. */
export function describeCounts(counts: OutcomeCounts): string {
  const { messages, delivered, failed, pending, replies, optOuts, timeToDelivery } = counts;
  const decided = delivered + failed;
  const outcomes = decided === 0 || pending === 0 ? '' : `, ${decided} with an outcome`;
  return [
    `${formatCount(messages, 'message')}${outcomes}: ${share(delivered, decided, ' delivered')}, ${share(failed, decided, ' failed')}, ${pending} pending`,
    ...(timeToDelivery === null
      ? []
      : [
          `50 % within ${formatDuration(timeToDelivery.p50)}, 95 % within ${formatDuration(timeToDelivery.p95)}`,
        ]),
    ...(replies === 0 ? [] : [formatCount(replies, 'reply', 'replies')]),
    ...(optOuts === 0 ? [] : [formatCount(optOuts, 'opt-out')]),
    ...(counts.segments === 0 ? [] : [formatCount(counts.segments, 'segment')]),
    ...(counts.spend.length === 0
      ? []
      : [`${spendText(counts)} for ${formatCount(pricedMessages(counts), 'message')} with a price`]),
  ].join('; ');
}

function share(part: number, whole: number, unit = ''): string {
  return part === 0 || whole === 0
    ? `${part}${unit}`
    : `${part}${unit} (${((100 * part) / whole).toFixed(1)} %)`;
}

/** The format of a list of sends. */
export const sendFormat: EntryFormat<SendFigures> = {
  identify: ({ sendId }) => sendId,
  at: ({ first }) => new Date(first).toISOString(),
  json: viewSendFigures,
  columns: (zone) => [{ title: `FIRST REPORT (${zone})` }, { title: 'SEND', maximum: 36 }, ...countColumns],
  row: (send, { zone }) => [
    { text: formatTime(new Date(send.first).toISOString(), zone) },
    { text: sanitize(send.sendId) },
    ...countCells(viewSendFigures(send)),
  ],
  csvColumns: ['sendId', 'firstReportAt', ...countCsvColumns],
  csv: (send) => {
    const view = viewSendFigures(send);
    const { source, sendId, firstReportAt } = view;
    return { sendId, firstReportAt, ...countRecord(view), source };
  },
};
