import type { Estimate } from '../support/statistics.ts';

/** A figure that is to be no more than its target. */
export interface Target {
  readonly name: string;
  readonly value: number;
  /** What the rounds of this run allow for; undefined where there are none. */
  readonly interval?: Estimate;
  readonly most: number;
  /** The unit of both; empty for a ratio. */
  readonly unit: string;
}

/** Without a figure no target is met. */
export function isReached({ value, most }: Pick<Target, 'value' | 'most'>): boolean {
  return value <= most;
}

/** Writes a line for each target: what was measured, what was promised, and whether that was reached. */
export function renderTargets(targets: readonly Target[]): string {
  return targets
    .map(({ name, value, interval, most, unit }) => {
      const verdict = isReached({ value, most }) ? 'reached' : 'MISSED ';
      const suffix = unit === '' ? '' : ` ${unit}`;
      const range =
        interval === undefined ? '' : ` (${interval.low.toFixed(3)} to ${interval.high.toFixed(3)})`;
      return `${verdict}  ${name}: ${value.toFixed(3)}${range}${suffix}, at most ${most}${suffix}`;
    })
    .join('\n');
}
