import { type Recording, tableRow } from './recorder.ts';

export interface Result {
  readonly name: string;
  readonly recording: Recording;
  /** Distinct ones, however often they came. */
  readonly events: number;
}

/** Write units for each event by the documented rules, those of failed conditions included. */
export function unitsPerEvent({ recording: { computed, failedUnits }, events }: Result): number {
  return (sum(computed.values()) + failedUnits) / events;
}

/** A table of one run, for people. */
export function renderResult(result: Result, indexNames: readonly string[]): string {
  const { name, recording, events } = result;
  const { reported, computed, writes, failedWrites, failedUnits, sizes } = recording;
  const each = (units: number) => (units / events).toFixed(3);
  const rows = [
    [name, 'DynamoDB Local', 'by the rules'],
    ...[tableRow, ...indexNames].map((row) => [
      row,
      each(reported.get(row) ?? 0),
      each(computed.get(row) ?? 0),
    ]),
    ['failed conditions', 'not reported', each(failedUnits)],
    ['write units per event', each(sum(reported.values())), unitsPerEvent(result).toFixed(3)],
  ];
  const sized = [...sizes].sort(([a], [b]) => a - b).map(([count, bytes]) => describeSizes(count, bytes));
  return [
    ...rows.map(([first = '', ...rest]) => first.padEnd(36) + rest.map((cell) => cell.padStart(16)).join('')),
    `${writes} writes and ${failedWrites} failed conditions for ${events} events; item bytes: ${sized.join('; ')}`,
  ].join('\n');
}

function describeSizes(events: number, bytes: readonly number[]): string {
  const mean = Math.round(sum(bytes) / bytes.length);
  return `${events} events ${mean}, at most ${Math.max(...bytes)}`;
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}
