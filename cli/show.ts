import type { StatusEntry } from '../functions/core/history/message.ts';
import { outcomeOf } from '../functions/core/statuses.ts';
import type { View } from './print.ts';
import { maskNumbers, maskPhone } from './text/mask-phone.ts';
import { sanitize } from './text/sanitize.ts';
import { outcomeFormat } from './text/style.ts';
import type { Cell } from './text/table.ts';

/** A number as it is shown: masked unless the reader asked for it in full. */
export function showPhone(phone: string, { reveal }: View): string {
  const shown = sanitize(phone);
  return reveal ? shown : maskPhone(shown);
}

/** What a report says besides its status: the service's own word, and the error with what it means; its text may name the number as well. */
export function detailOf(
  { status, word = status, errorCode, errorReason, errorText }: StatusEntry,
  { reveal }: Pick<View, 'reveal'>,
): string {
  const error = [errorCode, errorReason && `(${errorReason})`, errorText]
    .filter((part) => part !== undefined)
    .map((part) => (reveal ? sanitize(part) : maskNumbers(sanitize(part))))
    .join(' ');
  const parts = [
    error === '' ? '' : `error ${error}`,
    word === status ? '' : `the service's word: ${sanitize(word)}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

export function statusCell({ status, rank }: StatusEntry): Cell {
  return { text: sanitize(status), format: outcomeFormat[outcomeOf(rank)] };
}
