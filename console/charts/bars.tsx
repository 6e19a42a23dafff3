import type { ScaleBand } from 'd3-scale';

interface BarsProps {
  readonly values: readonly number[];
  readonly x: ScaleBand<number>;
  readonly y: (value: number) => number;
}

/** Wider bars look like an area. */
const maxWidth = 72;
/** A value that is not zero is at least this high, so that it can be seen. */
const minPixels = 2;

/** One bar for each column. */
export function Bars({ values, x, y }: BarsProps) {
  const width = Math.min(maxWidth, x.bandwidth());
  return values.map((value, column) => {
    if (value === 0) return null;
    const height = Math.max(minPixels, y(0) - y(value));
    return (
      <rect
        className="chart-bar"
        key={x(column)}
        x={(x(column) ?? 0) + (x.bandwidth() - width) / 2}
        y={y(0) - height}
        width={width}
        height={height}
        rx={1.5}
      />
    );
  });
}
