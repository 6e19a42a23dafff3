import { renderTable } from '../../support/table.ts';
import { billOf } from '../cost/bill.ts';
import type { CostModel } from '../cost/model.ts';
import type { Scenario } from '../cost/scenario.ts';
import { onLambda, type Windows } from './mappings.ts';
import type { Measured } from './measure.ts';
import { type Simulated, simulate } from './simulate.ts';

/** Post to published of 95 % at so many events a second, and dollars for a million events more than with {@link thrifty}. */
export const target = { perSecond: 50, p95Ms: 1200, dollars: 0.2 };

/** The windows that others are compared with. */
export const thrifty: Windows = { batchSize: 100, queueSeconds: 1, streamSeconds: 1 };

export const rates = [1, 10, 50, 100, 1000] as const;

/** One way to set the windows, at all rates. */
export interface Choice {
  readonly windows: Windows;
  readonly isDefault: boolean;
  readonly byRate: readonly {
    readonly perSecond: number;
    readonly simulated: Simulated;
    /** The same if Lambda's last receive of a window lasts for its 20 seconds. */
    readonly late: Simulated;
    /** Dollars for a million events, more than with {@link thrifty}. */
    readonly dollars: number;
  }[];
}

/** Simulates each of the windows at each rate. */
export function chart(
  all: readonly Windows[],
  defaults: Windows,
  { model, scenario }: { readonly model: CostModel; readonly scenario: Scenario },
): Choice[] {
  const cost = (perSecond: number, { batches }: Simulated) =>
    billOf(model, scenario, perSecond, batches).variable;
  const before = new Map(rates.map((rate) => [rate, cost(rate, simulate(onLambda(rate, thrifty)))]));
  return all.map((windows) => ({
    windows,
    isDefault: nameOf(windows) === nameOf(defaults),
    byRate: rates.map((perSecond) => {
      const simulated = simulate(onLambda(perSecond, windows));
      const late = simulate(onLambda(perSecond, windows, 'late'));
      const dollars = cost(perSecond, simulated) - (before.get(perSecond) ?? Number.NaN);
      return { perSecond, simulated, late, dollars };
    }),
  }));
}

export function nameOf({ batchSize, queueSeconds, streamSeconds }: Windows): string {
  return `${batchSize}, ${queueSeconds} s, ${streamSeconds} s`;
}

const ms = (value: number) => value.toFixed(0);
const pair = ({ p50, p95 }: { readonly p50: number; readonly p95: number }) => [ms(p50), ms(p95)];

/** The table of simulated latencies and costs. */
export function choiceTable(choices: readonly Choice[]): string {
  const rows = choices.flatMap(({ windows, isDefault, byRate }) =>
    byRate.map(({ perSecond, simulated, late, dollars }) => [
      `${nameOf(windows)}${isDefault ? ' (default)' : ''}`,
      String(perSecond),
      ...[...pair(simulated.stored), ...pair(simulated.published), ms(late.published.p95)],
      ...[simulated.batches.worker.toFixed(1), simulated.batches.publisher.toFixed(1), dollars.toFixed(2)],
    ]),
  );
  const head = ['batch, window of queue and stream', 'a second', 'stored p50', 'p95', 'published p50', 'p95'];
  return renderTable([[...head, 'p95, late receive', 'worker', 'publisher', 'dollars more'], ...rows]);
}

/** A measurement with the simulation of the same windows and service times. */
export interface Compared {
  readonly windows: Windows;
  readonly perSecond: number;
  readonly measured: Measured;
  readonly simulated: Simulated;
}

/** The table of measured latencies beside simulated ones. */
export function comparedTable(all: readonly Compared[]): string {
  const both = (measured: number, simulated: number) => `${ms(measured)} / ${ms(simulated)}`;
  const rows = all.map(({ windows, perSecond, measured, simulated }) => [
    nameOf(windows),
    String(perSecond),
    both(measured.stored.p50, simulated.stored.p50),
    both(measured.stored.p95, simulated.stored.p95),
    both(measured.published.p50, simulated.published.p50),
    both(measured.published.p95, simulated.published.p95),
    `${measured.batches.worker.toFixed(1)} / ${simulated.batches.worker.toFixed(1)}`,
    `${measured.batches.publisher.toFixed(1)} / ${simulated.batches.publisher.toFixed(1)}`,
  ]);
  const head = ['measured / simulated', 'a second', 'stored p50', 'p95', 'published p50', 'p95'];
  return renderTable([[...head, 'worker', 'publisher'], ...rows]);
}

/** Returns the targets that the default windows miss, in words. */
export function missed(choices: readonly Choice[]): string[] {
  return choices
    .filter(({ isDefault }) => isDefault)
    .flatMap(({ byRate }) => byRate.filter(({ perSecond }) => perSecond === target.perSecond))
    .flatMap(({ simulated: { published }, dollars }) => [
      ...(published.p95 > target.p95Ms ? [`p95 is ${ms(published.p95)} ms, target ${target.p95Ms}`] : []),
      ...(dollars > target.dollars ? [`${dollars.toFixed(2)} dollars more, target ${target.dollars}`] : []),
    ]);
}
