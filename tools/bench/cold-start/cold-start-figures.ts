import { median } from '../../support/statistics.ts';
import { renderTable } from '../../support/table.ts';
import type { Target } from '../targets.ts';
import type { ByVariant, Variant, VariantName } from './variants.ts';

/** The times of the start of one process, and of its first request; milliseconds. */
export interface ColdFigures {
  /** From spawning the process until it asked for its first event. */
  readonly initMs: number;
  /** Processor time until then, all threads. */
  readonly initCpuMs: number;
  /** From giving it its first event until its answer was there. */
  readonly firstResponseMs: number;
  /** Processor time from then until it asked for the next event, all threads. */
  readonly firstCpuMs: number;
}

/** The times of consecutive requests in a warm process; milliseconds. */
export interface WarmFigures {
  /** From giving an event until its answer was there: the median. */
  readonly warmMs: number;
  /** Processor time of a request, all threads: the mean. */
  readonly warmCpuMs: number;
}

/** The measurements of each variant: by rounds, and by turns of warm requests. */
export interface Samples {
  readonly cold: ByVariant<readonly ColdFigures[]>;
  readonly warm: ByVariant<readonly WarmFigures[]>;
}

export type ProcessFigures = ColdFigures & WarmFigures;

/** A variant's medians. */
export interface VariantRow {
  readonly name: VariantName;
  readonly bytes: number;
  readonly median: ProcessFigures;
  /** Median above that of the empty handler. */
  readonly aboveEmpty: ProcessFigures;
  /** `aboveEmpty` as a part of that of the handler bundled with esbuild's defaults. */
  readonly ofDefaults: ProcessFigures;
}

export function summarize(variants: readonly Variant[], { cold, warm }: Samples): VariantRow[] {
  const medians = (name: VariantName): ProcessFigures => {
    const took = (figure: keyof ColdFigures) => median(cold[name].map((sample) => sample[figure]));
    const tookWarm = (figure: keyof WarmFigures) => median(warm[name].map((sample) => sample[figure]));
    return {
      initMs: took('initMs'),
      initCpuMs: took('initCpuMs'),
      firstResponseMs: took('firstResponseMs'),
      firstCpuMs: took('firstCpuMs'),
      warmMs: tookWarm('warmMs'),
      warmCpuMs: tookWarm('warmCpuMs'),
    };
  };
  const combine = (value: (figure: keyof ProcessFigures) => number): ProcessFigures => ({
    initMs: value('initMs'),
    initCpuMs: value('initCpuMs'),
    firstResponseMs: value('firstResponseMs'),
    firstCpuMs: value('firstCpuMs'),
    warmMs: value('warmMs'),
    warmCpuMs: value('warmCpuMs'),
  });
  const empty = medians('empty handler');
  const above = (own: ProcessFigures) => combine((figure) => own[figure] - empty[figure]);
  const defaults = above(medians('ingest, esbuild defaults'));
  return variants.map(({ name, bytes }) => {
    const own = medians(name);
    const aboveEmpty = above(own);
    const ofDefaults = combine((figure) => aboveEmpty[figure] / defaults[figure]);
    return { name, bytes, median: own, aboveEmpty, ofDefaults };
  });
}

/** @throws where it was not measured */
export function rowOf(rows: readonly VariantRow[], wanted: VariantName): VariantRow {
  const found = rows.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`no figures of ${wanted}`);
  return found;
}

/** The targets that are about ingest. */
export function coldStartTargets(rows: readonly VariantRow[], { warm }: Samples): Target[] {
  const { initMs, firstResponseMs } = rowOf(rows, 'ingest').ofDefaults;
  // Other load on the machine in a turn affected both of its figures.
  const beyondSending = warm.ingest.map(
    ({ warmCpuMs }, turn) => warmCpuMs - (warm['SendMessage only'][turn]?.warmCpuMs ?? Number.NaN),
  );
  const above = 'above the empty handler, of esbuild defaults';
  const beyond = 'warm CPU per request beyond SendMessage only, median of the differences in a turn';
  return [
    { name: `ingest, init ${above}`, value: initMs, most: 0.45, unit: '' },
    { name: `ingest, first response ${above}`, value: firstResponseMs, most: 0.6, unit: '' },
    { name: `ingest, ${beyond}`, value: median(beyondSending), most: 0.1, unit: 'ms' },
  ];
}

const columns = [
  { figure: 'initMs', title: 'init ms', digits: 1 },
  { figure: 'firstResponseMs', title: 'first ms', digits: 1 },
  { figure: 'firstCpuMs', title: 'first CPU', digits: 1 },
  { figure: 'warmCpuMs', title: 'warm CPU', digits: 3 },
] as const;

const legend = [
  'init: from spawning the process until it asks for its first event. first: from that event given until its answer is there.',
  'CPU: processor time of a request, all threads, ms. ratio: above the empty handler, of esbuild defaults.',
  'Calls to AWS go over HTTPS, handshakes included (TLS 1.3, a P-256 key), to a process on this machine that answers at once.',
];

/** A table for people, with what the columns mean. */
export function renderFigures(rows: readonly VariantRow[]): string {
  const head = ['', 'kB', ...columns.flatMap(({ title }) => [title, 'ratio'])];
  const body = rows.map(({ name, bytes, median: medians, ofDefaults }) => [
    name,
    (bytes / 1000).toFixed(1),
    ...columns.flatMap(({ figure, digits }) => [
      medians[figure].toFixed(digits),
      name === 'empty handler' ? '' : ofDefaults[figure].toFixed(2),
    ]),
  ]);
  return [renderTable([head, ...body]), ...legend].join('\n');
}
