import { useState } from 'react';
import type { Send } from '../../client/types.ts';
import { countTicks } from '../rules/axis.ts';
import { useFormats } from '../viewer/formats.ts';
import { useWords } from '../viewer/preferences.tsx';
import { Chart } from './chart.tsx';
import { ChartTable } from './chart-table.tsx';

/** How long messages took: bars of the times to delivery, and the quantiles in a sentence. */
export function Histogram({
  send: { histogram, timeToDelivery },
}: {
  readonly send: Pick<Send, 'histogram' | 'timeToDelivery'>;
}) {
  const { figures, charts, columns } = useWords();
  const { count, percent, wait } = useFormats();
  const [active, setActive] = useState<number>();
  if (timeToDelivery === null) return <p className="note">{figures.noTimes}</p>;
  // Rows after the longest time say nothing, except for the first of them: it shows where the times end.
  const last = histogram.findLastIndex(({ messages }) => messages > 0);
  const rows = histogram.slice(0, last + 2);
  const longestKnown = histogram.findLast(({ upTo }) => upTo !== null)?.upTo ?? 0;
  const nameOf = (upTo: number | null) =>
    upTo === null ? charts.longer(wait(longestKnown)) : charts.upTo(wait(upTo));
  const most = Math.max(1, ...rows.map(({ messages }) => messages));
  const sentence = figures.times(
    wait(timeToDelivery.p50),
    wait(timeToDelivery.p95),
    wait(timeToDelivery.p99),
  );
  return (
    <>
      <p className="note">{sentence}</p>
      <Chart
        title={columns.messages}
        summary={sentence}
        columns={rows.map(({ upTo }) => ({ name: nameOf(upTo), axis: nameOf(upTo) }))}
        marks={{ kind: 'bars', values: rows.map(({ messages }) => messages) }}
        ticks={countTicks(most)}
        format={count}
        steps={[1, 2, 3]}
        active={active}
        onActive={setActive}
      >
        <ChartTable
          label={figures.timeToDelivery}
          headers={[figures.timeToDelivery, columns.messages, columns.share]}
          rows={rows.map(({ upTo, messages }) => [
            nameOf(upTo),
            count(messages),
            percent(messages / timeToDelivery.messages),
          ])}
        />
      </Chart>
    </>
  );
}
