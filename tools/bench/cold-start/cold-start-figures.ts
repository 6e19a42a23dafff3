import { median } from '../../support/statistics.ts';
import type { ColdFigures } from './cold-start.ts';
import type { ByVariant, Variant, VariantName } from './variants.ts';
import type { WarmFigures } from './warm-requests.ts';

/** A figure that is to be no more than its target. */
export interface Target {
  readonly name: string;
  readonly value: number;
  readonly most: number;
  /** As printed behind both; empty for a ratio. */
  readonly unit: string;
}

/** Without a figure no target is met. */
export function isReached({ value, most }: Pick<Target, 'value' | 'most'>): boolean {
  return value <= most;
}

/** A line for each target: what was measured, what was promised, and whether that was reached. */
export function renderTargets(targets: readonly Target[]): string {
  return targets.map(renderTarget).join('\n');
}

function renderTarget({ name, value, most, unit }: Target): string {
  const verdict = isReached({ value, most }) ? 'reached' : 'MISSED ';
  const suffix = unit === '' ? '' : ` ${unit}`;
  return `${verdict}  ${name}: ${value.toFixed(3)}${suffix}, at most ${most}${suffix}`;
}

/** The measurements of each variant: by rounds, and by turns of warm requests. */
export interface Samples {
  readonly cold: ByVariant<readonly ColdFigures[]>;
  readonly warm: ByVariant<readonly WarmFigures[]>;
}

/** The times of a variant, in milliseconds. */
export type ProcessFigures = ColdFigures & WarmFigures;

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

export function summarize(variants: readonly Variant[], { cold, warm }: Samples): VariantRow[] {
  const medians = (name: VariantName): ProcessFigures => {
    const ofCold = (figure: keyof ColdFigures) => median(cold[name].map((took) => took[figure]));
    const ofWarm = (figure: keyof WarmFigures) => median(warm[name].map((took) => took[figure]));
    return {
      initMs: ofCold('initMs'),
      initCpuMs: ofCold('initCpuMs'),
      firstResponseMs: ofCold('firstResponseMs'),
      firstCpuMs: ofCold('firstCpuMs'),
      warmMs: ofWarm('warmMs'),
      warmCpuMs: ofWarm('warmCpuMs'),
    };
  };
  const empty = medians('empty handler');
  const above = (name: VariantName) => combine(medians(name), empty, (own, other) => own - other);
  const defaults = above('ingest, esbuild defaults');
  return variants.map(({ name, bytes }) => ({
    name,
    bytes,
    median: medians(name),
    aboveEmpty: above(name),
    ofDefaults: combine(above(name), defaults, (own, other) => own / other),
  }));
}

/** @throws where it was not measured */
export function rowOf(rows: readonly VariantRow[], wanted: VariantName): VariantRow {
  const found = rows.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`no figures of ${wanted}`);
  return found;
}

/** The targets that are about ingest. */
export function coldStartTargets(rows: readonly VariantRow[], { warm }: Samples): Target[] {
  const { ofDefaults } = rowOf(rows, 'ingest');
  // Other load on the machine in a turn affected both of its figures.
  const beyondSending = warm.ingest.map(
    ({ warmCpuMs }, turn) => warmCpuMs - (warm['SendMessage only'][turn]?.warmCpuMs ?? Number.NaN),
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
      name: 'ingest, warm CPU per request beyond SendMessage only, median of the differences in a turn',
      value: median(beyondSending),
      most: 0.1,
      unit: 'ms',
    },
  ];
}

function combine(
  own: ProcessFigures,
  other: ProcessFigures,
  value: (own: number, other: number) => number,
): ProcessFigures {
  return {
    initMs: value(own.initMs, other.initMs),
    initCpuMs: value(own.initCpuMs, other.initCpuMs),
    firstResponseMs: value(own.firstResponseMs, other.firstResponseMs),
    firstCpuMs: value(own.firstCpuMs, other.firstCpuMs),
    warmMs: value(own.warmMs, other.warmMs),
    warmCpuMs: value(own.warmCpuMs, other.warmCpuMs),
  };
}
