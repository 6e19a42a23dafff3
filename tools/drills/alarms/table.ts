import { renderTable } from '../../support/table.ts';
import type { Row } from './scenario.ts';

/** The drill's outcome for people: a line for each alarm, then how it was made to go off and what was done about it. */
export function renderRows(rows: readonly Row[]): string {
  const cells = rows.map(({ alarm: { id, metric, threshold, page }, value, failure }) => [
    `${id}, ${metric}`,
    value === undefined ? 'no data' : String(value),
    String(threshold),
    page,
    failure === undefined ? 'ok' : 'FAILED',
  ]);
  const head = ['ALARM, METRIC', 'REACHED', 'THRESHOLD', 'PAGE OF docs/runbook.md', 'OUTCOME'];
  // Alarms of one scenario have one story.
  const stories = [...Map.groupBy(rows, ({ how }) => how)].map(([how, own]) => [
    own.map(({ alarm }) => alarm.id).join(', '),
    `  how: ${how}`,
    ...(own[0]?.steps.map((step, index) => `  ${index + 1}. ${step}`) ?? []),
    ...own.flatMap(({ failure }) => (failure === undefined ? [] : `  FAILED: ${failure}`)).slice(0, 1),
  ]);
  return [renderTable([head, ...cells]), '', ...stories.flat()].join('\n');
}
