import { line } from 'd3-shape';

export interface Series {
  /** Written at the end of the line. */
  readonly name: string;
  /** A value for each column; undefined where there is none, which interrupts the line. */
  readonly values: readonly (number | undefined)[];
}

interface LinesProps {
  readonly series: readonly Series[];
  readonly centre: (column: number) => number;
  readonly y: (value: number) => number;
  readonly active: number | undefined;
}

/** Labels at the ends of two lines keep this distance. */
const labelPixels = 14;

/** Lines over columns, each with its name at its end. They differ by dashes too, not by colour alone. */
export function Lines({ series, centre, y, active }: LinesProps) {
  const labels = endLabels(series, y);
  return series.map(({ name, values }, index) => {
    const path = line<number | undefined>()
      .defined((value) => value !== undefined)
      .x((_, column) => centre(column))
      .y((value) => y(value ?? 0))([...values]);
    const label = labels[index];
    return (
      <g className="chart-line" data-series={index} key={name}>
        <path d={path ?? ''} />
        {values.map((value, column) => {
          const isAlone = values[column - 1] === undefined && values[column + 1] === undefined;
          if (value === undefined || (column !== active && !isAlone)) return null;
          // biome-ignore lint/suspicious/noArrayIndexKey: a point is known by its column.
          return <circle key={column} cx={centre(column)} cy={y(value)} r={3.5} />;
        })}
        {series.length > 1 && label && (
          <text x={centre(label.column) + 8} y={label.y} dy="0.32em">
            {name}
          </text>
        )}
      </g>
    );
  });
}

/** Places the names at the last points, and moves them apart where they would overlap. */
function endLabels(series: readonly Series[], y: LinesProps['y']) {
  const ends = series.map(({ values }, index) => {
    const column = values.findLastIndex((value) => value !== undefined);
    const value = values[column];
    return value === undefined ? undefined : { index, column, y: y(value) };
  });
  const ordered = ends.filter((end) => end !== undefined).toSorted((a, b) => b.y - a.y);
  for (const [position, end] of ordered.entries()) {
    const below = ordered[position - 1];
    if (below !== undefined) end.y = Math.min(end.y, below.y - labelPixels);
  }
  return ends;
}
