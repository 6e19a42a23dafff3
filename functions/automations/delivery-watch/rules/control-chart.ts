/** The state of one signal between quarter hours. */
export interface ChartState {
  /** The sum of what recent quarter hours were worse than usual, in standard deviations. */
  readonly sum: number;
  readonly isOut: boolean;
  /** Normal quarter hours in a row, while the signal is out. */
  readonly calm: number;
}

export const chartAtRest: ChartState = { sum: 0, isOut: false, calm: 0 };

/** The sizes of what is worse than usual, in rising order: not worth an event; worth one if it lasts; worth one at once. */
type EffectSize = 'none' | 'small' | 'notable' | 'large';

/** How much worse than usual one quarter hour is. */
export interface Step {
  /** In standard deviations; positive is worse. */
  readonly score: number;
  readonly effect: EffectSize;
}

/** The limits of the chart, in standard deviations. They were chosen by a simulation of 30 days of traffic: docs/adr/0022-the-delivery-watch-is-a-control-chart.md. */
const limits = {
  /** One quarter hour with a large effect and this score is out at once. */
  atOnce: 4,
  /** The part of each score that is taken for chance. */
  slack: 0.75,
  /** The sum that is out. */
  sum: 7,
  /** A higher score counts as this one in the sum, so that one bad quarter hour alone does not fill it. */
  cap: 3.5,
  /** The score of the quarter hour in which the sum is out: what is over gives no event. */
  present: 2,
  /** A lower score is normal again. */
  normal: 1.5,
};

/** Normal quarter hours in a row after which a signal that was out is back. */
export const calmQuarters = 4;

/**
 * Advances a signal by one quarter hour: a combined Shewhart-CUSUM chart (J. M. Lucas, "Combined Shewhart-CUSUM Quality Control Schemes",
 * Journal of Quality Technology 14, 1982; E. S. Page, "Continuous Inspection Schemes", Biometrika 41, 1954). The single limit finds what is
 * far out at once, the sum finds small changes that last, and slow drifts. A signal that is out returns after some normal quarter hours.
 */
export function advanceChart(state: ChartState, { score, effect }: Step): ChartState {
  if (state.isOut) {
    const isNormal = score < limits.normal || effect === 'none';
    const calm = isNormal ? state.calm + 1 : 0;
    return calm >= calmQuarters ? chartAtRest : { sum: 0, isOut: true, calm };
  }
  const { sum } = addToSum(state, score);
  const isFarOut = effect === 'large' && score >= limits.atOnce;
  const isOutForLong =
    (effect === 'large' || effect === 'notable') && score >= limits.present && sum >= limits.sum;
  return isFarOut || isOutForLong ? { sum: 0, isOut: true, calm: 0 } : { sum, isOut: false, calm: 0 };
}

/** Advances a signal that is not out by a quarter hour that must not take it out yet. */
export function addToSum(state: ChartState, score: number): ChartState {
  const sum = Math.max(0, state.sum + Math.min(score, limits.cap) - limits.slack);
  return { sum, isOut: false, calm: 0 };
}
