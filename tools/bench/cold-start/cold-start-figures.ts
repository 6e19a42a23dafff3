import { median } from '../../support/statistics.ts';
import { renderTable } from '../../support/table.ts';
import type { Target } from '../targets.ts';
import { deployed, emptyHandler, esbuildDefaults, sendOnly, type Variant } from './variants.ts';

/** Times of a process, milliseconds. CPU is processor time of all threads. */
export interface Figures<Value = number> {
  /** From spawning the process until it asked for its first event. */
  readonly initMs: Value;
  /** Processor time until then. */
  readonly initCpuMs: Value;
  /** From giving it its first event until its answer was there. */
  readonly firstResponseMs: Value;
  /** Processor time from then until it asked for the next event. */
  readonly firstCpuMs: Value;
  /** From giving an event to a warm process until its answer was there: the median of a turn of consecutive requests. */
  readonly warmMs: Value;
  /** Processor time of such a request: the mean of a turn. */
  readonly warmCpuMs: Value;
}

/** All measurements of a variant. */
export type Samples = Figures<number[]>;

/** @param value returns each figure by its name */
export function figuresOf<Value>(value: (figure: keyof Figures) => Value): Figures<Value> {
  return {
    initMs: value('initMs'),
    initCpuMs: value('initCpuMs'),
    firstResponseMs: value('firstResponseMs'),
    firstCpuMs: value('firstCpuMs'),
    warmMs: value('warmMs'),
    warmCpuMs: value('warmCpuMs'),
  };
}

/** The figures of all variants, by name. */
export interface Summary {
  /** @throws where it was not measured */
  median(name: string): Figures;
  /** Median above that of the empty handler, as a part of that of the handler bundled with esbuild's defaults. */
  ofDefaults(name: string): Figures;
}

export function summarize(samples: ReadonlyMap<string, Samples>): Summary {
  const medianOf = (name: string): Figures => {
    const own = samples.get(name);
    if (own === undefined) throw new Error(`no figures of ${name}`);
    return figuresOf((figure) => median(own[figure]));
  };
  const [empty, defaults] = [medianOf(emptyHandler), medianOf(esbuildDefaults)];
  return {
    median: medianOf,
    ofDefaults: (name) => {
      const own = medianOf(name);
      return figuresOf((figure) => (own[figure] - empty[figure]) / (defaults[figure] - empty[figure]));
    },
  };
}

/** The targets that are about ingest. */
export function coldStartTargets(samples: ReadonlyMap<string, Samples>): Target[] {
  const { initMs, firstResponseMs } = summarize(samples).ofDefaults(deployed);
  // Other load on the machine in a turn affected both of its figures.
  const sending = samples.get(sendOnly)?.warmCpuMs ?? [];
  const beyondSending = (samples.get(deployed)?.warmCpuMs ?? []).map(
    (warmCpuMs, turn) => warmCpuMs - (sending[turn] ?? Number.NaN),
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
export function renderFigures(variants: readonly Variant[], summary: Summary): string {
  const head = ['', 'kB', ...columns.flatMap(({ title }) => [title, 'ratio'])];
  const body = variants.map(({ name, bytes }) => [
    name,
    (bytes / 1000).toFixed(1),
    ...columns.flatMap(({ figure, digits }) => [
      summary.median(name)[figure].toFixed(digits),
      name === emptyHandler ? '' : summary.ofDefaults(name)[figure].toFixed(2),
    ]),
  ]);
  return [renderTable([head, ...body]), ...legend].join('\n');
}
