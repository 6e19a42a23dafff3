import type { Language } from './time-text.ts';

/** How messages are doing: those delivered, failed and pending add up to all. */
export interface OutcomeCounts {
  readonly messages: number;
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
}

/** The order in bars and tiles. */
export const outcomeOrder = ['delivered', 'failed', 'pending'] as const;
export type Outcome = (typeof outcomeOrder)[number];

export function isOutcome(value: unknown): value is Outcome {
  return (outcomeOrder as readonly unknown[]).includes(value);
}

type DecidedCounts = Pick<OutcomeCounts, 'delivered' | 'failed'>;

/** Returns the share delivered of the messages with an outcome; undefined while there is none. Pending ones do not count, so a new send does not look bad. */
export function deliveryRate({ delivered, failed }: DecidedCounts): number | undefined {
  const decided = delivered + failed;
  return decided === 0 ? undefined : delivered / decided;
}

/** Returns the share that failed of the messages with an outcome; undefined while there is none. */
export function failureRate({ delivered, failed }: DecidedCounts): number | undefined {
  const decided = delivered + failed;
  return decided === 0 ? undefined : failed / decided;
}

/** From this share on, failures are highlighted. */
const highFailureRate = 0.03;

/** Fewer failures may be chance, whatever their share. */
const minFailed = 5;

export function isFailureRateHigh(counts: DecidedCounts): boolean {
  return counts.failed >= minFailed && (failureRate(counts) ?? 0) >= highFailureRate;
}

/** Some of all: failures of messages with an outcome. */
export interface Part {
  readonly part: number;
  readonly all: number;
}

/** A difference of two shares that is larger in standard deviations happens by chance once in a thousand comparisons. */
const chanceLimit = 3.09;

/**
 * Returns whether a share has grown by more than chance explains, and by enough to matter: by at least five, and by a share of `all`.
 * The test is that of two proportions with a pooled variance.
 *
 * @param minShare from 0 to 1: a smaller growth does not matter, however certain it is
 */
export function hasGrown(now: Part, before: Part | undefined, minShare: number): boolean {
  if (before === undefined || now.all === 0 || before.all === 0) return false;
  const difference = now.part / now.all - before.part / before.all;
  const pooled = (now.part + before.part) / (now.all + before.all);
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / now.all + 1 / before.all));
  return difference * now.all >= minFailed && difference >= minShare && difference > chanceLimit * deviation;
}

/** A delivery rate that fell by less than a point does not matter. */
const minFall = 0.01;

/** Returns whether the delivery rate fell by more than chance explains. */
export function hasFallen(now: DecidedCounts, before: DecidedCounts | undefined): boolean {
  return hasGrown(failedPart(now), before && failedPart(before), minFall);
}

function failedPart({ delivered, failed }: DecidedCounts): Part {
  return { part: failed, all: delivered + failed };
}

/**
 * Returns a share as a percentage with one decimal. Only all is 100 %, and only none is 0 %: other shares do not round to these.
 *
 * @param share from 0 to 1
 */
export function percentText(share: number, language: Language): string {
  const isWhole = share === 0 || share === 1;
  const format = new Intl.NumberFormat(language, {
    style: 'percent',
    minimumFractionDigits: isWhole ? 0 : 1,
    maximumFractionDigits: 1,
  });
  if (isWhole) return format.format(share);
  if (share < 0.0005) return `< ${format.format(0.001)}`;
  return format.format(Math.min(share, 0.999));
}

/** Prices of messages are parts of a cent, so an amount has up to so many decimals. */
const amountDecimals = 6;

/** Returns an amount with its currency: "$12.35", "$0.0079". @param currency ISO 4217 */
export function moneyText(amount: string, currency: string, language: Language): string {
  const isLarge = Number(amount) >= 1;
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    ...(!isLarge && { maximumFractionDigits: amountDecimals }),
  }).format(Number(amount));
}

const [secondMs, minuteMs, hourMs, dayMs] = [1000, 60_000, 3_600_000, 86_400_000];

/**
 * Returns a time on an axis in one unit, that of the step between ticks: "80 min", "36 h". An axis has no room for two.
 *
 * @param ms,stepMs milliseconds
 */
export function waitTickText(ms: number, stepMs: number, language: Language): string {
  const [length, unit] =
    stepMs < minuteMs ? [secondMs, 's'] : stepMs < hourMs ? [minuteMs, 'min'] : [hourMs, 'h'];
  return `${new Intl.NumberFormat(language).format(ms / length)} ${unit}`;
}

/** Returns a time to delivery in two units at most: "0.4 s", "12 s", "2 min 5 s", "1 h 3 min". @param ms milliseconds */
export function waitText(ms: number, language: Language): string {
  const number = (value: number, decimals = 0) =>
    new Intl.NumberFormat(language, { maximumFractionDigits: decimals }).format(value);
  if (ms < 9950) return `${number(ms / secondMs, 1)} s`;
  const seconds = Math.round(ms / secondMs);
  if (seconds < 60) return `${seconds} s`;
  const units = [
    [dayMs, 'd'],
    [hourMs, 'h'],
    [minuteMs, 'min'],
    [secondMs, 's'],
  ] as const;
  const first = units.findIndex(([length]) => seconds * secondMs >= length);
  const [unit, next] = [units[first], units[first + 1]];
  if (unit === undefined || next === undefined) return `${seconds} s`;
  const inNext = Math.round((seconds * secondMs) / next[0]);
  const perUnit = unit[0] / next[0];
  const [whole, rest] = [Math.floor(inNext / perUnit), inNext % perUnit];
  return `${number(whole)} ${unit[1]}${rest === 0 ? '' : ` ${rest} ${next[1]}`}`;
}
