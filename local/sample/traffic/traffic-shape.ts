import type { CanonicalErrorReason } from '../../../contract/schema/sms-event.ts';

/** A country with made-up figures. They are plausible; no operator published them. */
export interface Country {
  readonly code: string;
  /** Messages of a usual day of the week. */
  readonly perDay: number;
  /** Hours that the local day is ahead of UTC. */
  readonly ahead: number;
  /** The share of messages that are delivered. */
  readonly rate: number;
  /** The median time to delivery in seconds. */
  readonly seconds: number;
}

/** The share of a day's messages by local hour: little at night, most from nine to eight. */
const hours = [1, 1, 1, 1, 1, 2, 4, 8, 12, 16, 18, 18, 17, 16, 17, 18, 18, 17, 15, 12, 9, 6, 3, 2];
const allHours = hours.reduce((sum, weight) => sum + weight, 0);

/** The messages of a day by day of the week, Monday first, of a usual one. */
const weekDays = [1.05, 1.1, 1.1, 1.08, 1, 0.65, 0.5];

/** Returns how many messages are expected in a minute. @param minute since a Monday, 0:00 UTC */
export function expectedPerMinute({ perDay, ahead }: Country, minute: number): number {
  const local = minute + ahead * 60 + 7 * 1440;
  const weekDay = weekDays[Math.floor(local / 1440) % 7] ?? 1;
  const at = (local / 60) % 24;
  const [hour, next] = [Math.floor(at), (Math.floor(at) + 1) % 24];
  const weight = (hours[hour] ?? 0) * (1 - (at % 1)) + (hours[next] ?? 0) * (at % 1);
  return (perDay * weekDay * weight) / allHours / 60;
}

/** How failures divide into reasons, usually. */
export const reasons: readonly { readonly reason: CanonicalErrorReason; readonly share: number }[] = [
  { reason: 'unreachable', share: 0.4 },
  { reason: 'invalid_number', share: 0.2 },
  { reason: 'expired', share: 0.14 },
  { reason: 'blocked', share: 0.08 },
  { reason: 'carrier_rejected', share: 0.06 },
  { reason: 'opted_out', share: 0.05 },
  { reason: 'spam', share: 0.04 },
  { reason: 'throttled', share: 0.03 },
];
