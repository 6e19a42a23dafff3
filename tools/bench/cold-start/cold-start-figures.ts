import { type Estimate, estimateMedian, median } from '../../support/statistics.ts';
import { renderTable } from '../../support/table.ts';
import type { Target } from '../targets.ts';
import { deployed, emptyHandler, esbuildDefaults, notAwaited, sendOnly, type Variant } from './variants.ts';

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
  /** Both together: from spawning the process until its first answer. */
  readonly coldMs: Value;
  readonly coldCpuMs: Value;
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
    coldMs: value('coldMs'),
    coldCpuMs: value('coldCpuMs'),
    warmMs: value('warmMs'),
    warmCpuMs: value('warmCpuMs'),
  };
}

/** The figures of all variants, by name. */
export interface Summary {
  /** @throws where it was not measured */
  median(name: string): Figures;
  /**
   * Of each round: the figure above that of the empty handler, as a part of that of the handler bundled with esbuild's defaults. What else
   * the machine did in a round affected all three, so a ratio varies less than a time.
   */
  ratios(name: string): Samples;
}

export function summarize(samples: ReadonlyMap<string, Samples>): Summary {
  const samplesOf = (name: string): Samples => {
    const own = samples.get(name);
    if (own === undefined) throw new Error(`no figures of ${name}`);
    return own;
  };
  const [empty, defaults] = [samplesOf(emptyHandler), samplesOf(esbuildDefaults)];
  return {
    median: (name) => {
      const own = samplesOf(name);
      return figuresOf((figure) => median(own[figure]));
    },
    ratios: (name) => {
      const own = samplesOf(name);
      return figuresOf((figure) =>
        own[figure].map((value, round) => {
          const least = empty[figure][round] ?? Number.NaN;
          return (value - least) / ((defaults[figure][round] ?? Number.NaN) - least);
        }),
      );
    },
  };
}

/** The targets that are about ingest. Processor time is judged, because other load on the machine delays a process more than it costs it. */
export function coldStartTargets(samples: ReadonlyMap<string, Samples>): Target[] {
  const { ratios } = summarize(samples);
  const sending = samples.get(sendOnly)?.warmCpuMs ?? [];
  const beyondSending = (samples.get(deployed)?.warmCpuMs ?? []).map(
    (warmCpuMs, turn) => warmCpuMs - (sending[turn] ?? Number.NaN),
  );
  const above = 'CPU above the empty handler, of esbuild defaults';
  return [
    { name: `ingest, cold answer, ${above}`, ...ofRounds(ratios(deployed).coldCpuMs), most: 0.4, unit: '' },
    {
      name: `${notAwaited}, init, ${above}`,
      ...ofRounds(ratios(notAwaited).initCpuMs),
      most: 0.33,
      unit: '',
    },
    {
      name: 'ingest, warm CPU per request beyond SendMessage only',
      ...ofRounds(beyondSending),
      most: 0.1,
      unit: 'ms',
    },
  ];
}

function ofRounds(values: readonly number[]): { value: number; interval: Estimate } {
  const interval = estimateMedian(values);
  return { value: interval.value, interval };
}

const columns = [
  { figure: 'initMs', title: 'init', digits: 1 },
  { figure: 'initCpuMs', title: 'init CPU', digits: 1 },
  { figure: 'firstResponseMs', title: 'first', digits: 1 },
  { figure: 'firstCpuMs', title: 'first CPU', digits: 1 },
  { figure: 'coldMs', title: 'cold', digits: 1 },
  { figure: 'coldCpuMs', title: 'cold CPU', digits: 1 },
  { figure: 'warmCpuMs', title: 'warm CPU', digits: 3 },
] as const;

const titles = columns.map(({ title }) => title);

const legend = [
  'init: from spawning the process until it asks for its first event. first: from that event given until its answer is there. cold: both together.',
  'CPU: processor time, all threads. Calls to AWS go over HTTPS, handshakes included (TLS 1.3, a P-256 key), to a process on this machine that answers at once.',
];

/** Two tables for people, of milliseconds and of ratios, with what they mean. */
export function renderFigures(variants: readonly Variant[], summary: Summary): string {
  const medians = variants.map(({ name, bytes }) => {
    const own = summary.median(name);
    const values = columns.map(({ figure, digits }) => own[figure].toFixed(digits));
    return [name, (bytes / 1000).toFixed(1), ...values];
  });
  const ratios = variants
    .filter(({ name }) => name !== emptyHandler && name !== esbuildDefaults)
    .map(({ name }) => {
      const own = summary.ratios(name);
      return [name, ...columns.map(({ figure }) => renderEstimate(estimateMedian(own[figure])))];
    });
  return [
    'medians, ms',
    renderTable([['', 'kB', ...titles], ...medians]),
    '\nabove the empty handler, of esbuild defaults: median of the ratios of each round, and its 95 % interval',
    renderTable([['', ...titles], ...ratios]),
    ...legend,
  ].join('\n');
}

export function renderEstimate({ value, low, high }: Estimate): string {
  return `${value.toFixed(2)} (${low.toFixed(2)}-${high.toFixed(2)})`;
}
