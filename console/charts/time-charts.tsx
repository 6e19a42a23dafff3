import { useState } from 'react';
import type { Insights, Period } from '../../client/types.ts';
import { axisText, columnsOf, countTicks, periodText, rateFloor, waitTicks } from '../rules/axis.ts';
import { deliveryRate, waitTickText } from '../rules/rates.ts';
import { useFormats } from '../viewer/formats.ts';
import { usePreferences, useWords } from '../viewer/preferences.tsx';
import { Chart } from './chart.tsx';
import { ChartTable } from './chart-table.tsx';

/** Spacings of labels that people count hours and days in. */
const steps = { hour: [1, 2, 3, 6, 12, 24], day: [1, 2, 7, 14] } as const;

/** Volume, delivery rate and time to delivery over the same time. Pointing at an hour or day shows it in all three. */
export function TimeCharts({ insights }: { readonly insights: Insights }) {
  const { overview, charts, figures, outcomes } = useWords();
  const { language, timeZone } = usePreferences();
  const { count, percent, wholePercent, wait } = useFormats();
  const [active, setActive] = useState<number>();
  const { interval, starts } = columnsOf(insights.interval, insights.since, insights.until);
  const byStart = new Map(insights.periods.map((period) => [Date.parse(period.start), period]));
  const periods = starts.map((start) => byStart.get(start));
  const names = starts.map((start) => periodText(start, interval, language, timeZone));
  const columns = starts.map((start, index) => ({
    name: names[index] ?? '',
    axis: axisText(start, interval, language, timeZone),
  }));
  const valuesOf = <T,>(read: (period: Period) => T) => periods.map((period) => period && read(period));
  const volume = valuesOf(({ messages }) => messages).map((messages) => messages ?? 0);
  const rates = valuesOf(deliveryRate);
  const [medians, slow] = [
    valuesOf(({ timeToDelivery }) => timeToDelivery?.p50),
    valuesOf(({ timeToDelivery }) => timeToDelivery?.p95),
  ];
  const summaryOf = (values: readonly (number | undefined)[], format: (value: number) => string) => {
    const known = values.filter((value) => value !== undefined);
    if (known.length === 0) return '–';
    return charts.summary(
      names[0] ?? '',
      names.at(-1) ?? '',
      format(Math.min(...known)),
      format(Math.max(...known)),
    );
  };
  const waits = waitTicks(Math.max(1000, ...slow.filter((value) => value !== undefined)));
  const floor = rateFloor(rates.filter((rate) => rate !== undefined));
  const shared = { columns, steps: steps[interval], right: 58, active, onActive: setActive };
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
