import { useState } from 'react';
import type { Insights } from '../../../client/types.ts';
import { Chart } from '../../charts/chart.tsx';
import { ChartTable } from '../../charts/chart-table.tsx';
import { useTimeAxis } from '../../charts/time-axis.ts';
import { rateFloor } from '../../rules/axis.ts';
import { ratesBySource } from '../../rules/sources.ts';
import { useFormats } from '../../viewer/formats.ts';
import { useWords } from '../../viewer/preferences.tsx';

/** The room for the names at the ends of the lines, in pixels. A name without room is cut. */
const maxLabelPixels = 120;
const letterPixels = 7;

interface ProviderRatesProps {
  readonly insights: Insights;
  /** The sources, in the order of the cards. */
  readonly names: readonly string[];
}

/** The delivery rates of the sources over time, a line each. */
export function ProviderRates({ insights, names }: ProviderRatesProps) {
  const { overview } = useWords();
  const { percent, wholePercent } = useFormats();
  const [active, setActive] = useState<number>();
  const { names: periodNames, columns, periods, steps, summaryOf } = useTimeAxis(insights);
  const series = ratesBySource(periods, names);
  const floor = rateFloor(series.flatMap(({ values }) => values).filter((rate) => rate !== undefined));
  const longest = Math.max(...names.map(({ length }) => length));
  return (
    <Chart
      title={overview.rate}
      summary={`${overview.rate}. ${series.map(({ name, values }) => `${name}: ${summaryOf(values, percent)}`).join(' ')}`}
      columns={columns}
      marks={{ kind: 'lines', series }}
      ticks={[floor, (1 + floor) / 2, 1]}
      format={percent}
      formatTick={wholePercent}
      steps={steps}
      right={Math.min(maxLabelPixels, 16 + longest * letterPixels)}
      active={active}
      onActive={setActive}
    >
      <ChartTable
        label={overview.rate}
        headers={[overview.period, ...names]}
        rows={periodNames.map((period, index) => [
          period,
          ...series.map(({ values }) => percent(values[index])),
        ])}
      />
    </Chart>
  );
}
