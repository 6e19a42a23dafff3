import { outcomeOf } from '../../contract/schema/sms-event.ts';
import type { StatusEntry } from '../../functions/history/message.ts';
import type { Context, Terminal } from '../target/context.ts';
import { sanitize, toJson } from '../text/sanitize.ts';
import { type Cell, createStyle, outcomeFormat, type Page } from '../text/table.ts';

/** What rendering for people depends on. */
export interface View extends Page {
  /** IANA name of the time zone. */
  readonly zone: string;
  /** Whether numbers are shown in full. */
  readonly reveal: boolean;
}

/** One result, for machines and for people. */
export interface Result {
  readonly json: () => unknown;
  /** Without the line break at the end. */
  readonly text: (view: View) => string;
}

/** How a terminal wants what is rendered for people. */
export function viewOf({ colour, columns, zone }: Terminal, reveal: boolean): View {
  return { style: createStyle(colour), columns, zone, reveal };
}

/** Writes a command's result to stdout, as JSON or as text. */
export function printResult(
  { terminal }: Context,
  { json = false, reveal = false }: { readonly json?: boolean; readonly reveal?: boolean },
  result: Result,
): void {
  terminal.out(`${json ? toJson(result.json()) : result.text(viewOf(terminal, reveal))}\n`);
}

/** At least this many characters of a number stay hidden. */
const minHidden = 4;

const maxShownFirst = 5;
const maxShownLast = 2;

/** Seven digits or more with no more between them than people write in a number. */
const numberLike = /\+?\p{Nd}(?:[\s().\p{Pd}/]{0,3}\p{Nd}){6,}/gu;

/** A text with whatever in it looks like a phone number masked, that of a date included. */
export function maskNumbers(text: string): string {
  return text.replace(numberLike, (number) => maskPhone(number.replace(/[^+\p{Nd}]/gu, '')));
}

/**
 * A number that its owner recognises and nobody else can dial: `+12025•••43`. At most the first five and the last two
 * characters are shown, fewer of a short number; how many are hidden is not told.
 */
export function maskPhone(phone: string): string {
  const plus = phone.startsWith('+') ? '+' : '';
  const characters = [...phone.slice(plus.length)];
  const shown = Math.max(0, characters.length - minHidden);
  const last = Math.min(maxShownLast, shown);
  const first = Math.min(maxShownFirst, shown - last);
  return `${plus}${characters.slice(0, first).join('')}•••${last === 0 ? '' : characters.slice(-last).join('')}`;
}

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
