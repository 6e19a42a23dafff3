import { renderTable } from '../support/table.ts';

/** Something that was measured, and what it may be at most. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** Undefined if the figure is there to read only. */
  readonly target?: number;
  /** Empty for a ratio. */
  readonly unit: string;
}

/** A figure that could not be measured misses its target. */
export function isMissed({ value, target }: Pick<Figure, 'value' | 'target'>): boolean {
  return target !== undefined && !(value <= target);
}

/** Returns a table with a row for each figure. */
export function renderFigures(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { name, value, target, unit } = figure;
    const digits = value < 10 ? 3 : 0;
    const verdict = target === undefined ? '' : isMissed(figure) ? 'MISSED' : 'reached';
    return [name, value.toFixed(digits), target === undefined ? '' : String(target), unit, verdict];
  });
  return renderTable([['', 'measured', 'at most', 'unit', ''], ...rows]);
}
