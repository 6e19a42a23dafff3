import { estimate } from '../cost/estimate.ts';
import {
  type EventUsage,
  type FunctionName,
  functionNames,
  type MeasuredUsage,
} from '../cost/event-usage.ts';
import type { Figure } from './figure.ts';

/** More than twice what an AMD EPYC takes: another machine may be slower. */
const maxCpuMs: Readonly<Record<FunctionName, number>> = { ingest: 5, worker: 4, publisher: 1.5 };

/**
 * Returns what was measured, with its limits.
 * @param committed what estimates are computed from: tools/cost/measured-usage.json
 */
export function eventFigures(usage: MeasuredUsage, committed: MeasuredUsage): Figure[] {
  const { cpuMs, writeUnits, tableBytes, indexBytes, logBytes } = usage.inSends;
  return [
    ...functionNames.map((name) => ({
      name: `CPU an event, ${name}`,
      value: cpuMs[name],
      target: maxCpuMs[name],
      unit: 'ms',
    })),
    { name: 'write units an event', value: writeUnits, target: 3.1, unit: '' },
    { name: 'bytes an event, history table', value: tableBytes, target: 300, unit: 'bytes' },
    { name: 'bytes an event, its indexes', value: indexBytes, target: 210, unit: 'bytes' },
    { name: 'bytes of logs an event', value: logBytes, target: 200, unit: 'bytes' },
    {
      name: 'bytes of logs of an event that is alone',
      value: usage.alone.logBytes,
      target: 750,
      unit: 'bytes',
    },
    { name: 'dollars a million events', value: dollarsOfMillion(usage, 1), target: 7.8, unit: 'US dollars' },
    {
      name: 'dollars a million events, each alone',
      value: dollarsOfMillion(usage, 0),
      target: 11.8,
      unit: 'US dollars',
    },
    {
      name: 'counts, by those of tools/cost/measured-usage.json',
      value: ratioOf(usage, committed),
      target: 1.03,
      unit: '',
    },
  ];
}

/** Returns what a million events cost with default settings, without what a month costs anyway. */
function dollarsOfMillion(usage: MeasuredUsage, inSends: number): number {
  const dollars = (events: number) => estimate({ events, inSends }, {}, usage).dollars;
  // The first events of a month also bring metrics, which then cost the same for any number of events.
  return dollars(2e6) - dollars(1e6);
}

/** Returns the largest ratio between the two, of counts that do not depend on the machine. */
function ratioOf(usage: MeasuredUsage, committed: MeasuredUsage): number {
  const countsIn = ({ inSends, alone }: MeasuredUsage) => [
    ...[inSends, alone].flatMap(({ writeUnits, tableBytes, indexBytes, publishedEvents }: EventUsage) => [
      writeUnits,
      tableBytes,
      indexBytes,
      publishedEvents,
    ]),
    // The log of an event that shares its batches depends on how many share them.
    alone.logBytes,
  ];
  const before = countsIn(committed);
  const ratios = countsIn(usage).map((value, index) => value / (before[index] ?? Number.NaN));
  return Math.max(...ratios.map((ratio) => Math.max(ratio, 1 / ratio)));
}
