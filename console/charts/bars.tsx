import type { ScaleBand } from 'd3-scale';

interface BarsProps {
  readonly values: readonly number[];
  readonly x: ScaleBand<number>;
  readonly y: (value: number) => number;
}

/** A value that is not zero is at least this high, so that it can be seen. */
const minPixels = 2;

/** One bar for each column. */
export function Bars({ values, x, y }: BarsProps) {
  return values.map((value, column) => {
    if (value === 0) return null;
    const height = Math.max(minPixels, y(0) - y(value));
    return (
      <rect
        className="chart-bar"
        key={x(column)}
        x={x(column)}
        y={y(0) - height}
        width={x.bandwidth()}
        height={height}
        rx={1.5}
      />
    );
  });
}
