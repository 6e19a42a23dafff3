import { maskNumbers, maskPhone } from '../../contract/phone/mask.ts';
import { e164 } from '../../contract/phone/phone-key.ts';
import { outcomeOf } from '../../contract/schema/sms-event.ts';
import type { StatusEntry } from '../../functions/history/index.ts';
import { countryOf } from '../../functions/insights/index.ts';
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

/** Formats a number; masked without --reveal. */
export function showPhone(phone: string, { reveal }: Pick<View, 'reveal'>): string {
  const shown = sanitize(phone);
  return reveal ? shown : maskPhone(shown);
}

/** Formats a text from outside, which may name a number; numbers are masked without --reveal. */
export function showText(text: string, { reveal }: Pick<View, 'reveal'>): string {
  const shown = sanitize(text);
  return reveal ? shown : maskNumbers(shown);
}

/** Formats a number that was read from what a person or a file says. The country shows how it was read, where the number is masked. */
export function showReadPhone(phone: string, view: Pick<View, 'reveal'>): string {
  return view.reveal || !e164.test(phone)
    ? showPhone(phone, view)
    : `${maskPhone(phone)} (${countryOf(phone)})`;
}

/** Describes a report's error, the service's word for the status, and its origin if that is not the webhook. */
export function detailOf(
  { status, word = status, errorCode, errorReason, errorText, origin }: StatusEntry,
  view: Pick<View, 'reveal'>,
): string {
  const meaning = errorReason ?? (errorCode === undefined ? undefined : 'not in the contract');
  const error = [errorCode, meaning && `(${meaning})`, errorText]
    .filter((part) => part !== undefined)
    .map((part) => showText(part, view))
    .join(' ');
  const parts = [
    error === '' ? '' : `error ${error}`,
    word === status ? '' : `the service's word: ${showText(word, view)}`,
    origin === undefined ? '' : originTexts[origin],
  ];
  return parts.filter((part) => part !== '').join('; ');
}

const originTexts = { lookup: 'by a lookup', import: 'imported' } as const;

export function statusCell({ status, rank }: StatusEntry): Cell {
  return { text: sanitize(status), format: outcomeFormat[outcomeOf(rank)] };
}
