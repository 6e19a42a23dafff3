import type { Arrangement } from '../../engine/reports.ts';
import { median } from '../../support/statistics.ts';
import { renderTable } from '../../support/table.ts';
import type { CpuUse } from './cpu-time.ts';
import type { PassResult, Stretch } from './pass.ts';
import type { UpdateRates } from './update-rate.ts';

/** Stored events a second for each UpdateItem a second that DynamoDB Local alone takes. */
const targets: Readonly<Record<Arrangement, number>> = { apart: 0.6, together: 1.2 };

export interface Verdict {
  readonly arrangement: Arrangement;
  readonly isQueuedFirst: boolean;
  readonly ratio: number;
  readonly target: number;
  readonly isReached: boolean;
}

/** Compares what was stored with what DynamoDB Local alone takes, by the median of the times that this was measured. */
export function judge(updates: readonly UpdateRates[], passes: readonly PassResult[]): Verdict[] {
  const direct = median(updates.map((rates) => rates.direct));
  return passes.map(({ arrangement, isQueuedFirst, stored }) => {
    const ratio = stored / direct;
    const target = targets[arrangement];
    return { arrangement, isQueuedFirst, ratio, target, isReached: ratio >= target };
  });
}

/** Parts with a smaller share of the CPU time are not named. */
const namedShare = 0.005;
/** How much of the cores is at work where nothing but they bounds the rate; the rest is lost in handing over. */
const busyShare = 0.85;

/**
 * Returns the bound of the rate at the end of a pass: the cores with their main user, or something else.
 *
 * @param cores of the machine
 */
export function boundOf(pass: PassResult, cores: number): string {
  const stretch = pass.stretches.at(-1);
  if (stretch === undefined) return '';
  const { seconds, cpu } = stretch;
  const all = cpu.parts.reduce((sum, [, used]) => sum + used, 0);
  const busy = (all + cpu.others) / seconds;
  const named = cpu.parts.filter(([, used]) => used >= namedShare * all);
  const most = named.slice(0, 3).map(([part, used]) => `${part} ${((used / all) * 100).toFixed(0)} %`);
  const bound = busy >= busyShare * cores ? 'the cores bound it' : 'something else than the cores bounds it';
  return `${nameOf(pass)}: ${busy.toFixed(2)} of ${cores} cores at work, ${bound}; most need ${most.join(', ')}`;
}

export interface Figures {
  readonly cores: number;
  readonly updates: readonly UpdateRates[];
  readonly passes: readonly PassResult[];
  readonly scaling: readonly (PassResult & { readonly hosts: number })[];
  readonly verdicts: readonly Verdict[];
}

/** The figures of a run as tables, for people. */
export function render({ cores, updates, passes, scaling, verdicts }: Figures): string {
  const rate = (name: string, of: (rates: UpdateRates) => number) => [
    name,
    ...updates.map((rates) => whole(of(rates))),
    whole(median(updates.map(of))),
  ];
  const coresOf = (name: string, kind: keyof UpdateRates['cores']) => [
    name,
    median(updates.map((rates) => rates.cores[kind].database)).toFixed(2),
    median(updates.map((rates) => rates.cores[kind].client)).toFixed(2),
  ];
  return [
    table(
      ['UpdateItems a second, DynamoDB Local alone', ...updates.map((_, index) => `${index + 1}`), 'median'],
      [
        rate('one event in each', (rates) => rates.direct),
        rate('three events in each', (rates) => rates.folded),
      ],
    ),
    table(
      ['cores at work meanwhile, medians', 'DynamoDB Local', 'the client (about 1 at most)'],
      [coresOf('one event in each', 'direct'), coresOf('three events in each', 'folded')],
    ),
    table(
      [
        'events a second',
        'events',
        'accepted',
        'stored',
        'published',
        'longest pause s',
        'stored/alone',
        'target',
        '',
      ],
      passes.map((pass, index) => {
        const verdict = verdicts[index];
        return [
          nameOf(pass),
          String(pass.events),
          ...[pass.accepted, pass.stored, pass.published].map(whole),
          pass.longestPauseSeconds.toFixed(0),
          (verdict?.ratio ?? Number.NaN).toFixed(2),
          String(verdict?.target),
          verdict?.isReached ? 'reached' : 'MISSED',
        ];
      }),
    ),
    passes.map((pass) => boundOf(pass, cores)).join('\n'),
    table(
      ['events a second by worker hosts', 'events', 'stored', 'published'],
      scaling.map((pass) => [
        `${nameOf(pass)}, ${pass.hosts}`,
        String(pass.events),
        whole(pass.stored),
        whole(pass.published),
      ]),
    ),
    ...passes.flatMap((pass) => pass.stretches.map((stretch) => cpuTable(nameOf(pass), stretch))),
    ...scaling.flatMap((pass) =>
      pass.stretches.map((stretch) => cpuTable(`${nameOf(pass)}, worker hosts ${pass.hosts}`, stretch)),
    ),
  ].join('\n\n');
}

function nameOf({ arrangement, isQueuedFirst }: PassResult): string {
  return `${arrangement}, ${isQueuedFirst ? 'queued first' : 'all at once'}`;
}

function cpuTable(name: string, { what, events, seconds, cpu }: Stretch): string {
  const all = cpu.parts.reduce((sum, [, used]) => sum + used, 0);
  const rows: CpuUse['parts'] = [
    ...cpu.parts.filter(([, used]) => used >= namedShare * all),
    ['all parts', all],
    ['(everything else on this machine)', cpu.others],
  ];
  const cells = rows.map(([part, used]) => [
    part,
    used.toFixed(1),
    `${((used / all) * 100).toFixed(0)} %`,
    (used / seconds).toFixed(2),
    ((used * 1000) / events).toFixed(3),
  ]);
  return `${name}: ${what}, ${seconds.toFixed(1)} s\n${table(['', 'CPU s', 'share', 'cores', 'ms an event'], cells)}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return renderTable([head, ...rows]);
}

function whole(value: number): string {
  return value.toFixed(0);
}
