import type { Sample } from './metric-samples.ts';

export type Statistic = 'Sum' | 'Maximum';

/**
 * The highest value that an alarm would see: of each period the statistic over the values in it. Periods begin at whole
 * multiples of their length, as CloudWatch's do; without a value there is no data point.
 *
 * @param samples of the alarm's metric alone
 * @returns undefined where no period has a value
 */
export function highestDatapoint(
  samples: readonly Pick<Sample, 'at' | 'value'>[],
  statistic: Statistic,
  periodSeconds: number,
): number | undefined {
  const periods = new Map<number, number>();
  for (const { at, value } of samples) {
    const period = Math.floor(at / (periodSeconds * 1000));
    const before = periods.get(period);
    if (before === undefined) periods.set(period, value);
    else periods.set(period, statistic === 'Sum' ? before + value : Math.max(before, value));
  }
  return periods.size === 0 ? undefined : Math.max(...periods.values());
}
