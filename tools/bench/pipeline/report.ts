import type { Arrangement } from '../../engine/reports.ts';
import { median } from '../../support/statistics.ts';
import { renderTable } from '../../support/table.ts';
import type { PassResult, Stretch } from './pass.ts';
import type { Updates } from './update-rate.ts';

/** Stored events a second for each UpdateItem a second that DynamoDB Local alone takes. */
const targets: Readonly<Record<Arrangement, number>> = { apart: 0.85, together: 1.2 };

export interface Verdict {
  readonly name: string;
  readonly ratio: number;
  /** The processor time of an UpdateItem alone by that of an event: the ratio, were it bound by the cores and by nothing else on the machine. */
  readonly cpuRatio: number;
  readonly target: number;
  readonly isReached: boolean;
}

/** Compares what was stored with what DynamoDB Local alone takes, by the median of the times that this was measured. */
export function judge(updates: readonly Updates[], passes: readonly PassResult[]): Verdict[] {
  const alone = {
    perSecond: median(updates.map(({ perSecond }) => perSecond)),
    cpuMs: median(updates.map(({ cpuMs }) => cpuMs)),
  };
  return passes.map(({ name, arrangement, stored, stretches }) => {
    const ratio = stored / alone.perSecond;
    const target = targets[arrangement];
    const last = stretches.at(-1);
    const cpuRatio = last === undefined ? Number.NaN : alone.cpuMs / cpuMsAnEvent(last);
    return { name, ratio, cpuRatio, target, isReached: ratio >= target };
  });
}

/** The processor time of an event in all parts. */
function cpuMsAnEvent({ cpu, events }: Stretch): number {
  return (cpu.parts.reduce((sum, [, used]) => sum + used, 0) * 1000) / events;
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
function describeCpu(stretch: Stretch, cores: number): string {
  const { what, events, seconds, cpu } = stretch;
  const all = cpu.parts.reduce((sum, [, used]) => sum + used, 0);
  const busy = (all + cpu.others) / seconds;
  const bound = busy >= busyShare * cores ? 'the cores bound it' : 'something else than the cores bounds it';
  const parts = cpu.parts
    .filter(([, used]) => used >= namedShare * all)
    .map(
      ([part, used]) =>
        `${part} ${((used / all) * 100).toFixed(0)} % (${((used * 1000) / events).toFixed(2)} ms an event)`,
    );
  return `${what}, ${seconds.toFixed(1)} s: ${cpuMsAnEvent(stretch).toFixed(2)} ms of CPU an event, ${busy.toFixed(2)} of ${cores} cores at work, ${bound}; ${parts.join(', ')}`;
}

export interface Figures {
  readonly cores: number;
  readonly batchSize: number;
  readonly updates: readonly Updates[];
  readonly passes: readonly PassResult[];
  readonly verdicts: readonly Verdict[];
}

/** The figures of a run, for people. */
export function render({ cores, batchSize, updates, passes, verdicts }: Figures): string {
  const head = [
    'events a second',
    'events',
    'accepted',
    'stored',
    'published',
    'stored/alone',
    'by CPU',
    'target',
    '',
  ];
  const rows = passes.map(({ name, events, accepted, stored, published }) => {
    const verdict = verdicts.find((one) => one.name === name);
    const judged =
      verdict === undefined
        ? []
        : [verdict.ratio.toFixed(2), verdict.cpuRatio.toFixed(2), String(verdict.target)];
    const outcome = verdict === undefined ? [] : [verdict.isReached ? 'reached' : 'MISSED'];
    const figures = [events, accepted, stored, published].map((figure) => figure.toFixed(0));
    return [name, ...figures, ...judged, ...outcome];
  });
  return [
    `Batches of at most ${batchSize}. DynamoDB Local alone, UpdateItems a second: ${updates.map(({ perSecond, cpuMs }) => `${perSecond.toFixed(0)} (${cpuMs.toFixed(2)} ms of CPU each)`).join(', ')}`,
    renderTable([head, ...rows]),
    ...passes.map(({ name, stretches }) =>
      [`${name}:`, ...stretches.map((stretch) => describeCpu(stretch, cores))].join('\n  '),
    ),
  ].join('\n\n');
}
