import type { Insights } from '../../client/types.ts';
import { axisText, columnsOf, periodText } from '../rules/axis.ts';
import { usePreferences, useWords } from '../viewer/preferences.tsx';

/** Spacings of labels that people count hours and days in. */
const steps = { hour: [1, 2, 3, 6, 12, 24], day: [1, 2, 7, 14] } as const;

/** Returns what charts of the same figures over time share. A time without messages has a column too, and no period. */
export function useTimeAxis(insights: Insights) {
  const { charts } = useWords();
  const { language, timeZone } = usePreferences();
  const { interval, starts } = columnsOf(insights.interval, insights.since, insights.until);
  const byStart = new Map(insights.periods.map((period) => [Date.parse(period.start), period]));
  const names = starts.map((start) => periodText(start, interval, language, timeZone));
  return {
    names,
    columns: starts.map((start, index) => ({
      name: names[index] ?? '',
      axis: axisText(start, interval, language, timeZone),
    })),
    periods: starts.map((start) => byStart.get(start)),
    steps: steps[interval],
    /** Describes values for screen readers. */
    summaryOf(values: readonly (number | undefined)[], format: (value: number) => string): string {
      const known = values.filter((value) => value !== undefined);
      if (known.length === 0) return '–';
      return charts.summary(
        names[0] ?? '',
        names.at(-1) ?? '',
        format(Math.min(...known)),
        format(Math.max(...known)),
      );
    },
  };
}
