import { baselineOf, scoreOf } from './baseline.ts';
import type { Step } from './control-chart.ts';
import { type CountersByCountry, sumCounters } from './counters.ts';
import { minMessages, type Signal } from './measure.ts';
import { measuresOf, type Subject } from './subject.ts';

/** What one quarter hour says about one signal. */
export interface Finding {
  readonly signal: Signal;
  /** A share from 0 to 1, or a median time in milliseconds. */
  readonly figure: number;
  readonly usual: number;
  /** Standard deviations worse than usual. */
  readonly score: number;
  /** How much worse than usual, on a scale on which chance varies all figures alike. */
  readonly distance: number;
  /** The standard deviation of `distance` by chance alone. */
  readonly chance: number;
  readonly messages: number;
  /** The start of the quarter hour, milliseconds since the epoch. */
  readonly quarter: number;
  /** A share of slow messages is compared with a limit. */
  readonly comparedWith: 'weeks' | 'days' | 'limit';
  /** The quarter hours from which `usual` was computed; 0 if it is only assumed. */
  readonly quarters: number;
}

/**
 * The sizes of effects by signal: a drop or a rise in points of a hundred, and the factor of a time. A notable one is worth an event if it lasts, a
 * large one at once, and half of a notable one is normal again.
 */
const effectSizes: Readonly<
  Record<Exclude<Signal, 'slow-share'>, { readonly notable: number; readonly large: number }>
> = {
  'delivery-rate': { notable: 0.05, large: 0.12 },
  'failure-share': { notable: 0.015, large: 0.025 },
  'time-to-delivery': { notable: Math.log(1.5), large: Math.log(1.5) },
};

/** A drop of all messages that is worth an event at once. It is smaller than that of a country, because single sends change it less. */
const largeDropOfAll = 0.05;

/** A source with this share of slow messages is degraded at once, unless so many are usual for it (slow-share.ts). */
export const slowLimit = 0.15;

export interface History {
  readonly comparedWith: 'weeks' | 'days';
  readonly quarters: readonly CountersByCountry[];
  /** Index of the horizon. */
  readonly late: number;
  /** The quarter hour that is judged. */
  readonly start: number;
}

/** Compares each signal of a subject with its history. */
export function findingsOf(
  subject: Subject,
  current: CountersByCountry,
  { comparedWith, quarters, late, start }: History,
): (Finding | 'few-messages' | 'no-history')[] {
  return measuresOf(subject, late, quarters).map(([signal, measure]) => {
    const measured = measure.of(current);
    const messages = sumCounters(current.values()).messages;
    if (measured === undefined) return messages < minMessages ? 'few-messages' : 'no-history';
    const baseline = baselineOf(quarters.flatMap((each) => measure.of(each) ?? []));
    if (baseline === undefined) return 'no-history';
    const worse = signal === 'delivery-rate' ? -1 : 1;
    return {
      signal,
      figure: measured.figure,
      usual: measure.usual(measured, measured.value - baseline.value),
      score: worse * scoreOf(measured, baseline),
      distance: worse * (measured.value - baseline.value),
      chance: Math.sqrt(measured.variance),
      messages: measured.messages,
      quarter: start,
      comparedWith,
      quarters: baseline.quarters,
    };
  });
}

/** Returns the step of a control chart that a finding is. */
export function stepOf(subject: Subject, { signal, figure, usual, score }: Finding): Step {
  if (signal === 'slow-share')
    return { score, effect: figure >= slowLimit && usual <= slowLimit ? 'large' : 'none' };
  const worse = {
    'delivery-rate': usual - figure,
    'failure-share': figure - usual,
    'time-to-delivery': Math.log(figure / Math.max(usual, 1)),
  }[signal];
  const { notable, large } = effectSizes[signal];
  const isDropOfAll = subject.kind === 'all' && signal === 'delivery-rate';
  if (worse >= (isDropOfAll ? largeDropOfAll : large)) return { score, effect: 'large' };
  if (worse >= notable) return { score, effect: 'notable' };
  return { score, effect: worse >= notable / 2 ? 'small' : 'none' };
}
