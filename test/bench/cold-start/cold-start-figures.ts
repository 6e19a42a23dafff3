import { median } from '../median.ts';
import { renderTable } from '../table.ts';
import type { ProcessFigures } from './measure-process.ts';
import type { Target } from './target.ts';
import type { Variant, VariantName } from './variants.ts';

/** What each process took, by variant. */
export type Samples = Readonly<Record<VariantName, readonly ProcessFigures[]>>;

type Figure = keyof ProcessFigures;

const figures = ['initMs', 'firstResponseMs', 'warmMs', 'warmCpuMs'] as const satisfies readonly Figure[];

/** A variant's medians, in milliseconds. */
export interface VariantRow {
  readonly name: VariantName;
  readonly bytes: number;
  readonly median: ProcessFigures;
  /** Median above that of the empty handler. */
  readonly aboveEmpty: ProcessFigures;
  /** `aboveEmpty` as a part of that of the handler bundled with esbuild's defaults. */
  readonly ofDefaults: ProcessFigures;
}

export function summarize(variants: readonly Variant[], samples: Samples): VariantRow[] {
  const medians = (name: VariantName) => each((figure) => median(samples[name].map((took) => took[figure])));
  const empty = medians('empty handler');
  const above = (name: VariantName) => each((figure) => medians(name)[figure] - empty[figure]);
  const defaults = above('ingest, esbuild defaults');
  return variants.map(({ name, bytes }) => ({
    name,
    bytes,
    median: medians(name),
    aboveEmpty: above(name),
    ofDefaults: each((figure) => above(name)[figure] / defaults[figure]),
  }));
}

/** The targets of issue 7 that are about ingest. */
export function coldStartTargets(rows: readonly VariantRow[], samples: Samples): Target[] {
  const row = (wanted: VariantName) => {
    const found = rows.find(({ name }) => name === wanted);
    if (found === undefined) throw new Error(`no figures of ${wanted}`);
    return found;
  };
  const { ofDefaults } = row('ingest');
  // What else the machine did in a round met both of it.
  const beyondSending = samples.ingest.map(
    ({ warmCpuMs }, round) => warmCpuMs - (samples['SendMessage only'][round]?.warmCpuMs ?? Number.NaN),
  );
  return [
    {
      name: 'ingest, init above the empty handler, of esbuild defaults',
      value: ofDefaults.initMs,
      most: 0.45,
      unit: '',
    },
    {
      name: 'ingest, first response above the empty handler, of esbuild defaults',
      value: ofDefaults.firstResponseMs,
      most: 0.6,
      unit: '',
    },
    {
      name: 'ingest, warm CPU per request beyond SendMessage only, median over the rounds',
      value: median(beyondSending),
      most: 0.1,
      unit: 'ms',
    },
  ];
}

const legend = [
  'init: from spawning the process until it asks for its first event. first: from that event given until its answer is there.',
  'warm: the same of later events. CPU: processor time of one of those. above: above the empty handler. ratio: that, of esbuild defaults.',
  'All calls go over plain HTTP: TLS handshakes are in no figure. On Lambda both sides of a ratio pay them.',
];

/** A table for people, with what its columns mean. */
export function renderColdStart(rows: readonly VariantRow[]): string {
  const head = ['init', 'first', 'warm', 'CPU'].flatMap((title) => [`${title} ms`, 'above', 'ratio']);
  const body = rows.map(({ name, bytes, median: medians, aboveEmpty, ofDefaults }) => [
    name,
    (bytes / 1000).toFixed(1),
    ...figures.flatMap((figure) => [
      medians[figure].toFixed(digits[figure]),
      name === 'empty handler' ? '' : aboveEmpty[figure].toFixed(digits[figure]),
      name === 'empty handler' ? '' : ofDefaults[figure].toFixed(2),
    ]),
  ]);
  return [renderTable([['', 'kB', ...head], ...body]), ...legend].join('\n');
}

const digits: Readonly<Record<Figure, number>> = {
  initMs: 1,
  firstResponseMs: 1,
  warmMs: 3,
  warmCpuMs: 3,
};

function each(value: (figure: Figure) => number): ProcessFigures {
  return {
    initMs: value('initMs'),
    firstResponseMs: value('firstResponseMs'),
    warmMs: value('warmMs'),
    warmCpuMs: value('warmCpuMs'),
  };
}
