import type { SendFigures } from '../../client/types.ts';
import { failureRate, isFailureRateHigh } from './rates.ts';

export const sendOrders = ['newest', 'worst', 'largest'] as const;
export type SendOrder = (typeof sendOrders)[number];

export function isSendOrder(value: unknown): value is SendOrder {
  return (sendOrders as readonly unknown[]).includes(value);
}

/** A high rate is worse than any other: one failure of two messages may be chance. */
const badness = (send: SendFigures) => (isFailureRateHigh(send) ? 1 : 0) + (failureRate(send) ?? -1);

/** Returns how to compare sends; undefined for the order of the query API, by time. */
export function compareSends(
  order: SendOrder,
): ((one: SendFigures, other: SendFigures) => number) | undefined {
  if (order === 'worst') return (one, other) => badness(other) - badness(one);
  if (order === 'largest') return (one, other) => other.messages - one.messages;
  return undefined;
}

/** Whether a name has a text in it, in any case; with "*" at the end of the text, whether it begins with it. */
export function hasName(name: string, text: string): boolean {
  const [own, wanted] = [name.toLowerCase(), text.trim().toLowerCase()];
  return wanted.endsWith('*') ? own.startsWith(wanted.slice(0, -1)) : own.includes(wanted);
}
