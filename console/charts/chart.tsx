import { scaleBand } from 'd3-scale';
import { type ReactNode, useId } from 'react';
import { labelledColumns, placeOf } from '../rules/axis.ts';
import { Bars } from './bars.tsx';
import { Lines, type Series } from './lines.tsx';
import { useWidth } from './use-width.ts';

interface ChartColumn {
  /** The whole name: "Mon 23 Nov, 14:00". */
  readonly name: string;
  /** The name on the axis: "14:00". */
  readonly axis: string;
}

interface ChartProps {
  readonly title: string;
  /** What the chart shows, in a sentence for screen readers. The numbers are in the table below it. */
  readonly summary: string;
  readonly columns: readonly ChartColumn[];
  readonly marks:
    | { readonly kind: 'bars'; readonly values: readonly number[] }
    | { readonly kind: 'lines'; readonly series: readonly Series[] };
  /** The values with a line and a label; the first and the last are the ends of the axis. */
  readonly ticks: readonly number[];
  readonly format: (value: number) => string;
  /** Spacings of labels below the columns. */
  readonly steps: readonly number[];
  /** The room for names at the ends of lines, in pixels. Charts below each other have the same. */
  readonly right?: number;
  /** The labels of ticks, where they are not written like values. */
  readonly formatTick?: (value: number) => string;
  /** The column that is pointed at, here or in a chart beside this. */
  readonly active: number | undefined;
  readonly onActive: (column: number | undefined) => void;
  /** The table of the chart. */
  readonly children?: ReactNode;
}

const height = 132;
const margin = { top: 10, bottom: 24, left: 52 };
/** The room for a label below the columns. */
const letterPixels = 7;
const labelGapPixels = 10;

/** A chart of columns: bars or lines, over time or by class. Pointing at a column shows its values beside the title. */
export function Chart({
  title,
  summary,
  columns,
  marks,
  ticks,
  format,
  steps,
  right = 4,
  formatTick = format,
  active,
  onActive,
  children,
}: ChartProps) {
  const id = useId();
  const { reference, width } = useWidth();
  const inner = Math.max(0, width - margin.left - right);
  const x = scaleBand(
    columns.map((_, index) => index),
    [margin.left, margin.left + inner],
  )
    .paddingInner(0.2)
    .paddingOuter(0.1);
  const y = (value: number) =>
    placeOf(value, [ticks[0] ?? 0, ticks.at(-1) ?? 1], [height - margin.bottom, margin.top]);
  const longest = Math.max(...columns.map(({ axis }) => axis.length));
  const labelled = labelledColumns(
    columns.length,
    Math.floor(inner / (longest * letterPixels + labelGapPixels)),
    steps,
  );
  const centre = (column: number) => (x(column) ?? 0) + x.bandwidth() / 2;
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption className="chart-head">
        <h3 id={id}>{title}</h3>
        <span className="chart-readout">{readout(active, columns, marks, format)}</span>
      </figcaption>
      <div ref={reference} className="chart-plot">
        {width > 0 && (
          <svg
            role="img"
            aria-label={summary}
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
            onPointerLeave={() => onActive(undefined)}
          >
            {ticks.map((tick) => (
              <g className="chart-tick" key={tick}>
                <line x1={margin.left} x2={margin.left + inner} y1={y(tick)} y2={y(tick)} />
                <text x={margin.left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
                  {formatTick(tick)}
                </text>
              </g>
            ))}
            {active !== undefined && (
              <rect
                className="chart-active"
                x={(x(active) ?? 0) - (x.step() - x.bandwidth()) / 2}
                y={margin.top}
                width={x.step()}
                height={height - margin.top - margin.bottom}
              />
            )}
            {marks.kind === 'bars' ? (
              <Bars values={marks.values} x={x} y={y} />
            ) : (
              <Lines series={marks.series} centre={centre} y={y} active={active} />
            )}
            {labelled.map((column) => (
              <AxisLabel key={column} text={columns[column]?.axis ?? ''} x={centre(column)} width={width} />
            ))}
            {columns.map(({ name }, column) => (
              <rect
                className="chart-target"
                key={name}
                x={margin.left + column * (inner / columns.length)}
                y={0}
                width={inner / columns.length}
                height={height}
                onPointerEnter={() => onActive(column)}
              />
            ))}
          </svg>
        )}
      </div>
      {children}
    </figure>
  );
}

/** A label below a column. It stays inside of the chart. */
function AxisLabel({
  text,
  x,
  width,
}: {
  readonly text: string;
  readonly x: number;
  readonly width: number;
}) {
  const isAtEnd = x + (text.length * letterPixels) / 2 > width;
  return (
    <text
      className="chart-axis"
      x={isAtEnd ? width : x}
      y={height - 6}
      textAnchor={isAtEnd ? 'end' : 'middle'}
    >
      {text}
    </text>
  );
}

function readout(
  active: number | undefined,
  columns: readonly ChartColumn[],
  marks: ChartProps['marks'],
  format: (value: number) => string,
): string {
  const column = active === undefined ? undefined : columns[active];
  if (active === undefined || column === undefined) return '';
  const values =
    marks.kind === 'bars'
      ? [format(marks.values[active] ?? 0)]
      : marks.series.map(({ name, values: own }) => {
          const value = own[active];
          const text = value === undefined ? '–' : format(value);
          return marks.series.length === 1 ? text : `${name} ${text}`;
        });
  return `${column.name}: ${values.join(', ')}`;
}
