import { renderTable } from '../../support/table.ts';
import type { Target } from '../cold-start/cold-start-figures.ts';
import type { WorkRow } from './measure-work.ts';

/** The targets that are about the worker. */
export function workTargets(rows: readonly WorkRow[]): Target[] {
  const row = rows.find(
    ({ name, batchSize, perMessage }) => name === 'worker' && batchSize === 100 && perMessage === 3,
  );
  if (row === undefined) throw new Error('no figures of the worker in batches of 100');
  const of = 'worker in batches of 100, 3 events a message';
  return [
    { name: `${of}, CPU per event`, value: row.cpuMicroseconds / 1000, most: 0.6, unit: 'ms' },
    { name: `${of}, SDK calls per event`, value: row.sdkCalls, most: 0.4, unit: '' },
  ];
}

export function renderWork(rows: readonly WorkRow[]): string {
  const table = renderTable([
    ['', 'events a message', 'batch', 'CPU per event, us', 'SDK calls per event'],
    ...rows.map(({ name, perMessage, batchSize, cpuMicroseconds, sdkCalls }) => [
      name,
      String(perMessage),
      String(batchSize),
      cpuMicroseconds.toFixed(0),
      sdkCalls.toFixed(3),
    ]),
  ]);
  return `${table}\nAll calls go over plain HTTP: TLS is in no figure.`;
}
