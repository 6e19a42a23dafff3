import type { Arrangement } from '../../engine/reports.ts';
import { median } from '../../support/statistics.ts';
import { renderTable } from '../../support/table.ts';
import type { PassResult, Stretch } from './pass.ts';

/** Stored events a second for each UpdateItem a second that DynamoDB Local alone takes. */
const targets: Readonly<Record<Arrangement, number>> = { apart: 0.6, together: 1.2 };

export interface Verdict {
  readonly name: string;
  readonly ratio: number;
  readonly target: number;
  readonly isReached: boolean;
}

/** Compares what was stored with what DynamoDB Local alone takes, by the median of the times that this was measured. */
export function judge(updateRates: readonly number[], passes: readonly PassResult[]): Verdict[] {
  return passes.map(({ name, arrangement, stored }) => {
    const ratio = stored / median(updateRates);
    const target = targets[arrangement];
    return { name, ratio, target, isReached: ratio >= target };
  });
}

/** Parts with a smaller share of the CPU time are not named. */
const namedShare = 0.005;
/** How much of the cores is at work where nothing but they bounds the rate; the rest is lost in handing over. */
const busyShare = 0.85;

/**
 * Describes the CPU time of a period: what bounds the rate, and what each part needs, most first.
 *
 * @param cores of the machine
 */
function describeCpu({ what, events, seconds, cpu }: Stretch, cores: number): string {
  const all = cpu.parts.reduce((sum, [, used]) => sum + used, 0);
  const busy = (all + cpu.others) / seconds;
  const bound = busy >= busyShare * cores ? 'the cores bound it' : 'something else than the cores bounds it';
  const parts = cpu.parts
    .filter(([, used]) => used >= namedShare * all)
    .map(
      ([part, used]) =>
        `${part} ${((used / all) * 100).toFixed(0)} % (${((used * 1000) / events).toFixed(2)} ms an event)`,
    );
  return `${what}, ${seconds.toFixed(1)} s: ${busy.toFixed(2)} of ${cores} cores at work, ${bound}; ${parts.join(', ')}`;
}

export interface Figures {
  readonly cores: number;
  readonly updateRates: readonly number[];
  readonly passes: readonly PassResult[];
  readonly verdicts: readonly Verdict[];
}

/** The figures of a run, for people. */
export function render({ cores, updateRates, passes, verdicts }: Figures): string {
  const head = ['events a second', 'events', 'accepted', 'stored', 'published', 'stored/alone', 'target', ''];
  const rows = passes.map(({ name, events, accepted, stored, published }) => {
    const verdict = verdicts.find((one) => one.name === name);
    const judged = verdict === undefined ? [] : [verdict.ratio.toFixed(2), String(verdict.target)];
    const outcome = verdict === undefined ? [] : [verdict.isReached ? 'reached' : 'MISSED'];
    const figures = [events, accepted, stored, published].map((figure) => figure.toFixed(0));
    return [name, ...figures, ...judged, ...outcome];
  });
  return [
    `UpdateItems a second, DynamoDB Local alone: ${updateRates.map((rate) => rate.toFixed(0)).join(', ')}`,
    renderTable([head, ...rows]),
    ...passes.map(({ name, stretches }) =>
      [`${name}:`, ...stretches.map((stretch) => describeCpu(stretch, cores))].join('\n  '),
    ),
  ].join('\n\n');
}
