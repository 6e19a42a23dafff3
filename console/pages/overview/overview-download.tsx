import type { Insights } from '../../../client/types.ts';
import { CsvButton } from '../../parts/download-button.tsx';
import { nameOfTimes, type OverviewRange, type Times } from '../../rules/time-range.ts';
import { countsByReason } from '../../rules/week-change.ts';

/** A row of the file: all of the time, one of its periods, a country, or a reason of failures. */
interface FiguresRow
  extends Partial<Pick<Insights['total'], 'messages' | 'delivered' | 'failed' | 'pending'>> {
  readonly kind: 'total' | 'hour' | 'day' | 'country' | 'reason';
  readonly name: string;
  readonly replies?: number;
  readonly optOuts?: number;
  readonly timeToDelivery?: Insights['total']['timeToDelivery'];
  readonly segments?: number;
  readonly spend?: Insights['total']['spend'];
}

function rowsOf({ total, periods, interval, since }: Insights): readonly FiguresRow[] {
  return [
    { ...total, kind: 'total', name: since },
    ...periods.map((period): FiguresRow => ({ ...period, kind: interval, name: period.start })),
    ...(total.countries ?? []).map((own): FiguresRow => ({ ...own, kind: 'country', name: own.country })),
    ...[...countsByReason(total.failures)].map(
      ([name, failed]): FiguresRow => ({ kind: 'reason', name, failed }),
    ),
  ];
}

const number = (value: number | undefined) => (value === undefined ? '' : String(value));

const columns = [
  { id: 'kind', csv: ({ kind }: FiguresRow) => kind },
  { id: 'name', csv: ({ name }: FiguresRow) => name },
  { id: 'messages', csv: ({ messages }: FiguresRow) => number(messages) },
  { id: 'delivered', csv: ({ delivered }: FiguresRow) => number(delivered) },
  { id: 'failed', csv: ({ failed }: FiguresRow) => number(failed) },
  { id: 'pending', csv: ({ pending }: FiguresRow) => number(pending) },
  { id: 'replies', csv: ({ replies }: FiguresRow) => number(replies) },
  { id: 'optOuts', csv: ({ optOuts }: FiguresRow) => number(optOuts) },
  { id: 'medianMs', csv: ({ timeToDelivery }: FiguresRow) => number(timeToDelivery?.p50) },
  { id: 'p95Ms', csv: ({ timeToDelivery }: FiguresRow) => number(timeToDelivery?.p95) },
  { id: 'segments', csv: ({ segments }: FiguresRow) => number(segments) },
  {
    id: 'spend',
    csv: ({ spend = [] }: FiguresRow) =>
      spend.map(({ amount, currency }) => `${amount} ${currency}`).join(' + '),
  },
  {
    id: 'pricedMessages',
    csv: ({ spend }: FiguresRow) => number(spend?.reduce((sum, { messages }) => sum + messages, 0)),
  },
];

interface OverviewDownloadProps {
  readonly insights: Insights;
  readonly times: Times<OverviewRange>;
}

/** Downloads the figures of the overview as CSV. They have no numbers, so every role may. */
export function OverviewDownload({ insights, times }: OverviewDownloadProps) {
  return (
    <CsvButton
      name="overview"
      about={nameOfTimes(times)}
      columns={columns}
      read={async () => ({ entries: rowsOf(insights), isPartial: false })}
    />
  );
}
