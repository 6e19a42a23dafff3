import type { Row } from './scenario.ts';

const titles = ['ALARM', 'METRIC', 'REACHED', 'THRESHOLD', 'PAGE OF docs/runbook.md', 'OUTCOME'];

/** The drill's outcome for people: a line for each alarm, then how it was made to go off and what was done about it. */
export function renderRows(rows: readonly Row[]): string {
  const lines = [titles, ...rows.map(cellsOf)];
  const widths = titles.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const table = lines.map((cells) =>
    cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '),
  );
  return [...table.map((line) => line.trimEnd()), '', ...storiesOf(rows)].join('\n');
}

function cellsOf({ alarm, value, failure }: Row): string[] {
  const { id, metric, threshold, page } = alarm;
  const reached = value === undefined ? 'no data' : String(value);
  return [id, metric, reached, String(threshold), page, failure === undefined ? 'ok' : 'FAILED'];
}

/** Alarms of one scenario have one story. */
function storiesOf(rows: readonly Row[]): string[] {
  const stories = Map.groupBy(rows, ({ how }) => how);
  return [...stories].map(([how, own]) => {
    const names = own.map(({ alarm }) => alarm.id).join(', ');
    const steps = own[0]?.steps.map((step, index) => `  ${index + 1}. ${step}`) ?? [];
    const failure = own.find((row) => row.failure !== undefined)?.failure;
    return [
      names,
      `  how: ${how}`,
      ...steps,
      ...(failure === undefined ? [] : [`  FAILED: ${failure}`]),
    ].join('\n');
  });
}
