import type { EventsContract } from '../../functions/core/contract/contract.ts';
import { parseTime } from '../../functions/core/events/time.ts';

/** A value of a body that holds no others. */
export type Scalar = string | number | boolean;

export type TimeFormat = EventsContract['timeFormat'];

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Whether a field holds nothing, as the pipeline sees it. */
export function isBlank(value: Scalar | undefined): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '');
}

/** As people and services write numbers: 7 to 15 digits (E.164, section 6), with what may stand between. */
export function isPhone(value: Scalar): boolean {
  const text = String(value);
  return /^\+?[\d\s().-]{7,24}$/.test(text) && /^\d{7,15}$/.test(text.replace(/\D/g, ''));
}

/** How a value says a time, or undefined. Unix times are taken as such from 2001 to 2100. */
export function timeFormatOf(value: Scalar): TimeFormat | undefined {
  const text = String(value);
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    const number = Number(text);
    if (number >= 1e9 && number < 4.1e9) return 'unix-seconds';
    return number >= 1e12 && number < 4.1e12 ? 'unix-milliseconds' : undefined;
  }
  return parseTime('iso8601', text) === undefined ? undefined : 'iso8601';
}

/** An id is one word, or a number. */
export function isId(value: Scalar): boolean {
  return typeof value === 'number'
    ? Number.isInteger(value)
    : typeof value === 'string' && /^\S{1,256}$/.test(value);
}
