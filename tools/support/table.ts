/** An aligned table of plain text: the first column to the left, the others to the right. */
export function renderTable(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(...rows.map(({ length }) => length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]) =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? '';
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd();
  return rows.map(line).join('\n');
}
