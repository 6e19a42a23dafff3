interface Label {
  /** Its middle, in pixels. */
  readonly middle: number;
  /** In pixels. */
  readonly length: number;
}

/**
 * Returns for each label the row that it fits in without touching another, counted from 0, and where it begins. Labels stay within the
 * width. A label without room in any row has none.
 *
 * @param labels from left to right
 * @param width in pixels
 */
export function labelRows(
  labels: readonly Label[],
  width: number,
  maxRows: number,
): readonly ({ readonly row: number; readonly start: number } | undefined)[] {
  const ends: number[] = Array.from({ length: maxRows }, () => Number.NEGATIVE_INFINITY);
  return labels.map(({ middle, length }) => {
    const start = Math.max(0, Math.min(middle - length / 2, width - length));
    const row = ends.findIndex((end) => end <= start);
    if (row === -1) return undefined;
    ends[row] = start + length;
    return { row, start };
  });
}
