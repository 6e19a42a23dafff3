import { useState } from 'react';
import type { Insights, Period } from '../../client/types.ts';
import { countTicks, rateFloor, waitTicks } from '../rules/axis.ts';
import { deliveryRate, waitTickText } from '../rules/rates.ts';
import { useFormats } from '../viewer/formats.ts';
import { usePreferences, useWords } from '../viewer/preferences.tsx';
import { Chart } from './chart.tsx';
import { ChartTable } from './chart-table.tsx';
import { useTimeAxis } from './time-axis.ts';

/** Volume, delivery rate and time to delivery over the same time. Pointing at an hour or day shows it in all three. */
export function TimeCharts({ insights }: { readonly insights: Insights }) {
  const { overview, charts, figures, outcomes } = useWords();
  const { language } = usePreferences();
  const { count, percent, wholePercent, wait } = useFormats();
  const [active, setActive] = useState<number>();
  const { names, columns, periods, steps, summaryOf } = useTimeAxis(insights);
  const valuesOf = <T,>(read: (period: Period) => T) => periods.map((period) => period && read(period));
  const volume = valuesOf(({ messages }) => messages).map((messages) => messages ?? 0);
  const rates = valuesOf(deliveryRate);
  const [medians, slow] = [
    valuesOf(({ timeToDelivery }) => timeToDelivery?.p50),
    valuesOf(({ timeToDelivery }) => timeToDelivery?.p95),
  ];
  const waits = waitTicks(Math.max(1000, ...slow.filter((value) => value !== undefined)));
  const floor = rateFloor(rates.filter((rate) => rate !== undefined));
  const shared = { columns, steps, right: 58, active, onActive: setActive };
  return (
    <>
      <Chart
        {...shared}
        title={overview.volume}
        summary={`${overview.volume}. ${summaryOf(volume, count)}`}
        marks={{ kind: 'bars', values: volume }}
        ticks={countTicks(Math.max(...volume))}
        format={count}
      />
      <Chart
        {...shared}
        title={overview.rate}
        summary={`${overview.rate}. ${summaryOf(rates, percent)}`}
        marks={{ kind: 'lines', series: [{ name: overview.rate, values: rates }] }}
        ticks={[floor, (1 + floor) / 2, 1]}
        format={percent}
        formatTick={wholePercent}
      />
      <Chart
        {...shared}
        title={overview.times}
        summary={`${overview.times}. ${charts.median}: ${summaryOf(medians, wait)} ${charts.slow}: ${summaryOf(slow, wait)}`}
        marks={{
          kind: 'lines',
          series: [
            { name: charts.median, values: medians },
            { name: charts.slow, values: slow },
          ],
        }}
        ticks={waits}
        format={wait}
        formatTick={(tick) => waitTickText(tick, waits[1] ?? tick, language)}
      >
        <ChartTable
          label={overview.charts}
          headers={[
            overview.period,
            figures.messages,
            outcomes.delivered,
            outcomes.failed,
            outcomes.pending,
            overview.rate,
            `${overview.times}, ${charts.median}`,
            `${overview.times}, ${charts.slow}`,
          ]}
          rows={periods.map((period, index) => [
            names[index] ?? '',
            ...(['messages', 'delivered', 'failed', 'pending'] as const).map((name) =>
              count(period?.[name] ?? 0),
            ),
            percent(rates[index]),
            ...[medians[index], slow[index]].map((time) => (time === undefined ? '–' : wait(time))),
          ])}
        />
      </Chart>
    </>
  );
}
