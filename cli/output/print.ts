import { outcomeOf } from '../../contract/schema/sms-event.ts';
import type { StatusEntry } from '../../functions/history/index.ts';
import { chosenFields, type JsonOptions } from '../input/json-option.ts';
import type { Context, Terminal } from '../target/context.ts';
import { sanitize, toJson } from '../text/sanitize.ts';
import { type Cell, createStyle, outcomeFormat, type Page } from '../text/table.ts';

/** The view of rendered text. */
export interface View extends Page {
  /** IANA name of the time zone. */
  readonly zone: string;
  /** Whether numbers are shown in full. */
  readonly reveal: boolean;
}

export interface Result {
  readonly json: () => unknown;
  /** Returns text without a line break at its end. */
  readonly text: (view: View) => string;
}

export function viewOf({ colour, columns, zone }: Terminal, reveal: boolean): View {
  return { style: createStyle(colour), columns, zone, reveal };
}

/** Writes the result of a command to stdout, as JSON or as text. */
export function printResult(
  { terminal }: Context,
  { json, reveal = false }: JsonOptions & { readonly reveal?: boolean },
  result: Result,
): void {
  const text =
    json === undefined ? result.text(viewOf(terminal, reveal)) : toJson(chosenFields(result.json(), json));
  terminal.out(`${text}\n`);
}

/** The minimum number of hidden characters of a number. */
const minHidden = 4;

const maxShownFirst = 5;
const maxShownLast = 2;

/** Matches seven digits or more with the separators that people write in a number. */
const numberLike = /\+?\p{Nd}(?:[\s().\p{Pd}/]{0,3}\p{Nd}){6,}/gu;

/** Masks everything in a text that looks like a phone number, including dates. */
export function maskNumbers(text: string): string {
  return text.replace(numberLike, (number) => maskPhone(number.replace(/[^+\p{Nd}]/gu, '')));
}

/**
 * Masks a number so that its owner recognises it and others cannot dial it: `+12025•••43`. It shows at most the first five and
 * the last two characters, fewer of a short number, and does not reveal how many are hidden.
 */
export function maskPhone(phone: string): string {
  const plus = phone.startsWith('+') ? '+' : '';
  const characters = [...phone.slice(plus.length)];
  const shown = Math.max(0, characters.length - minHidden);
  const last = Math.min(maxShownLast, shown);
  const first = Math.min(maxShownFirst, shown - last);
  return `${plus}${characters.slice(0, first).join('')}•••${last === 0 ? '' : characters.slice(-last).join('')}`;
}

/** Formats a number; masked without --reveal. */
export function showPhone(phone: string, { reveal }: View): string {
  const shown = sanitize(phone);
  return reveal ? shown : maskPhone(shown);
}

/** Describes a report's error, the service's word for the status, and its origin if that is not the webhook. Numbers in the error are masked without --reveal. */
export function detailOf(
  { status, word = status, errorCode, errorReason, errorText, origin }: StatusEntry,
  { reveal }: Pick<View, 'reveal'>,
): string {
  const error = [errorCode, errorReason && `(${errorReason})`, errorText]
    .filter((part) => part !== undefined)
    .map((part) => (reveal ? sanitize(part) : maskNumbers(sanitize(part))))
    .join(' ');
  const parts = [
    error === '' ? '' : `error ${error}`,
    word === status ? '' : `the service's word: ${sanitize(word)}`,
    origin === undefined ? '' : originTexts[origin],
  ];
  return parts.filter((part) => part !== '').join('; ');
}

const originTexts = { lookup: 'by a lookup', import: 'imported' } as const;

export function statusCell({ status, rank }: StatusEntry): Cell {
  return { text: sanitize(status), format: outcomeFormat[outcomeOf(rank)] };
}
