import type { Draw } from '../random-service/signing-style.ts';
import type { TimeStyle } from './documented-names.ts';

/** How a service writes its ids. */
export type IdStyle = 'uuid' | 'hex' | 'digits' | 'number' | 'prefixed' | 'long digits';

export function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** Returns a random id. */
export function idOf(style: IdStyle, draw: Draw): string {
  const hex = (length: number) =>
    range(length)
      .map(() => draw([...'0123456789abcdef'] as [string, ...string[]]))
      .join('');
  const digits = (length: number) =>
    draw([...'123456789'] as [string, ...string[]]) +
    range(length - 1)
      .map(() => draw([...'0123456789'] as [string, ...string[]]))
      .join('');
  switch (style) {
    case 'uuid':
      return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
    case 'hex':
      return hex(24);
    case 'prefixed':
      return `SM${hex(20)}`;
    case 'long digits':
      return digits(19);
    default:
      return digits(9);
  }
}

/** Returns a value for a field without a role, by its name. */
export function figureAs(name: string, number: number): string | number {
  if (/price|cost|charge|rate/i.test(name)) return '0.0075';
  if (/country|cc$/i.test(name)) return 'US';
  if (/network|mcc|operator/i.test(name)) return '310260';
  if (/version/i.test(name)) return '1.0';
  if (/channel|type|namespace/i.test(name)) return 'sms';
  if (/encoding|charset/i.test(name)) return 'GSM-7';
  if (/latency|attempt|retr/i.test(name)) return number % 5;
  return 1;
}

/** Writes a time as a service does. */
export function timeAs(style: TimeStyle, at: number): string | number {
  const iso = new Date(at).toISOString();
  switch (style) {
    case 'iso':
      return iso;
    case 'space':
      return iso.slice(0, 19).replace('T', ' ');
    case 'zoned':
      return iso.replace('Z', '+0000');
    case 'rfc2822':
      return new Date(at).toUTCString().replace('GMT', '+0000');
    case 'seconds':
      return Math.floor(at / 1000);
    case 'milliseconds':
      return at;
    default:
      return iso.slice(2, 16).replace(/\D/g, '');
  }
}

/** Returns the time to the precision of its format. */
export function precise(style: TimeStyle, at: number): string {
  const unit = style === 'smpp' ? 60_000 : 1000;
  return new Date(Math.floor(at / unit) * unit).toISOString();
}
