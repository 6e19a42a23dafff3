import { isSupportedCountry, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/mobile';
import { type Address, numberOfChat, splitAddress } from './address.ts';
import { e164, phoneKey, withDecimals } from './phone-key.ts';

/** How a service writes its numbers: with their country code, as in one country, or either way. */
export const numberFormats = ['international', 'national', 'mixed'] as const;

type NumberFormat = (typeof numberFormats)[number];

/** How the numbers of a contract are written. */
export interface NumberRules {
  readonly numbers: NumberFormat;
  /** The country of numbers without a country code (ISO 3166-1), for example "BR". */
  readonly defaultCountry: string | null;
}

/** Why a text that has digits is no number that can be dialled, and stays as it was received. */
export type NumberProblem = 'ambiguous-number' | 'unreadable-number';

/** A number, and how it was read. */
export interface ReadNumber {
  /** E.164, or the text as received without blanks around it: a short code, a sender's name, or a number that could not be read. */
  readonly phone: string;
  /** The channel that the address names, such as `whatsapp`. Left out for SMS. */
  readonly channel?: string;
  /** Left out for E.164, a short code and a name. */
  readonly problem?: NumberProblem;
  /** The numbers that a text of digits may be, E.164. */
  readonly mayBe?: readonly string[];
}

/**
 * Reads a number as a service writes it. It never guesses: a text that may be two numbers stays as it was received.
 *
 * @param isForm whether the text is from a form or a query, where a "+" that was not encoded arrives as a blank
 * @param channelOfEvent the channel that the event names beside the address, in small letters
 */
export function readPhone(
  text: string,
  rules: NumberRules,
  isForm = false,
  channelOfEvent?: string,
): ReadNumber {
  const split = splitAddress(text, channelOfEvent);
  if (split.isId) return readId(split, rules, isForm);
  const { channel, address } = split;
  const reading = readE164(address, rules, isForm);
  if (reading.kind === 'number') return { phone: reading.number, ...(channel !== undefined && { channel }) };
  // A name or a code of another channel is read only together with the channel, and what cannot be read as it was received.
  const phone = channel === undefined && reading.kind === 'text' ? address.trim() : text.trim();
  return {
    phone,
    ...(channel !== undefined && { channel }),
    ...(reading.kind === 'doubtful' && { problem: reading.problem }),
    ...(reading.kind === 'doubtful' && reading.mayBe !== undefined && { mayBe: reading.mayBe }),
  };
}

/**
 * Returns the id of a channel that has ids of its own. Digits with a "+" may be the number of the person, or a name that anyone has chosen, such as a
 * visitor of a web chat.
 */
function readId(
  { channel, address, id }: Extract<Address, { isId: true }>,
  rules: NumberRules,
  isForm: boolean,
): ReadNumber {
  const isWritten = /^[\s\p{Cf}]*[+\uff0b]/u.test(id) || (isForm && /^ +[1-9]/.test(id));
  const reading = isWritten ? readE164(id, rules, isForm) : undefined;
  return {
    phone: address,
    channel,
    ...(reading?.kind === 'number' && { problem: 'unreadable-number', mayBe: [reading.number] }),
  };
}

/** Returns how people type a number whose services write it by some rules: where a service always adds the country code, people may leave it out. */
export function rulesOfTyping(rules: NumberRules): NumberRules {
  return rules.numbers === 'international' ? { ...rules, numbers: 'mixed' } : rules;
}

/**
 * Returns E.164, or undefined if the text is not a phone number or may be two.
 *
 * @param defaultCountry country of numbers written without a country code, for example "BR"
 */
export function toE164(text: string, defaultCountry: string | null): string | undefined {
  const { phone } = readPhone(text, { numbers: 'mixed', defaultCountry });
  return e164.test(phone) ? phone : undefined;
}

type Reading =
  | { readonly kind: 'number'; readonly number: string }
  /** A short code, a sender's name, or another text without a number. */
  | { readonly kind: 'text' }
  | { readonly kind: 'doubtful'; readonly problem: NumberProblem; readonly mayBe?: readonly string[] };

/** Short codes have three to six digits. No numbering plan has so short mobile numbers. */
const shortCode = /^\d{1,6}$/;

/** The name of a sender: at most 11 characters (3GPP TS 23.040, section 9.1.2.5), of which one is a letter. */
const senderName = /^(?=.*\p{L})[\p{L}\p{N} ._&'+/-]{1,11}$/u;

/** What Excel makes of a long number: `4.47912E+11`. Digits are lost. */
const scientific = /^\d([.,]\d+)?e\+?\d+$/i;

/** Digits with the usual separators. A bracket in front is that of an area code, so no country code is in front of it. */
const digitsOnly = /^[1-9][\d\s().-]*$/;

/** The international prefix of most countries, and what follows it. */
const afterPrefix = /^00[\s().-]*(?<digits>[1-9][\d\s().-]*)$/;

function readE164(address: string, rules: NumberRules, isForm: boolean): Reading {
  // Invisible characters come from address books, and an apostrophe from a spreadsheet.
  const text = address
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(/^'/, '');
  if (shortCode.test(text.replace(/[\s.-]/g, ''))) return { kind: 'text' };
  const { digits } = withDecimals.exec(text)?.groups ?? {};
  if (digits !== undefined) return unreadable(digits);
  const written = isForm && /^ +[1-9]/.test(address) ? ` ${text}` : text;
  // The library would read a number with parameters in an address that its owner chose.
  const best = /[@;]/.test(text) ? undefined : bestReading(written, rules);
  if (best !== undefined) return best;
  if (!/\d/.test(text) || (senderName.test(text) && !scientific.test(text))) return { kind: 'text' };
  return unreadable(text);
}

/** A number in a text. */
const writtenNumber = /(?<![\p{L}\p{N}._-])\+[1-9]\d{6,14}(?!\d)/u;

/** A mail address whose name is a number and nothing else. */
const addressOfNumber = /(?:^|<)(\+[1-9]\d{6,14})@[^@<>]*>?$/;

/** Returns the number in a text. Any other part of a mail address may be a number that its owner chose: `ann+12025550143@example.com`. */
function numberWithin(text: string): string | undefined {
  if (!text.includes('@')) return writtenNumber.exec(text)?.[0];
  return addressOfNumber.exec(text)?.[1] ?? numberOfChat(text);
}

/** Returns that a text cannot be read, with the number that its digits may be. */
function unreadable(text: string): Reading {
  const digits = numberWithin(text) ?? (digitsOnly.test(text) ? `+${text.replace(/\D/g, '')}` : '');
  return {
    kind: 'doubtful',
    problem: 'unreadable-number',
    ...(parse(digits, null)?.isPossible() && { mayBe: [digits] }),
  };
}

/** Chooses between the readings of a text with digits. @param text a blank in front stands for a "+" */
function bestReading(text: string, rules: NumberRules): Reading | undefined {
  const { numbers, defaultCountry } = rules;
  if (/^[+\uff0b]/.test(text)) return found(international(text.replace('\uff0b', '+')));
  const written = text.trim();
  if (text.startsWith(' ') && isPlus(written, rules)) return found(international(`+${written}`));
  const { digits } = afterPrefix.exec(written)?.groups ?? {};
  // Some countries read a carrier code after 00, so the national reading comes second.
  if (digits !== undefined) return found(international(`+${digits}`) ?? national(written, defaultCountry));
  if (numbers === 'international')
    return digitsOnly.test(written) ? found(international(`+${written}`)) : undefined;
  return numbers === 'national' ? atHome(written, defaultCountry) : guess(written, defaultCountry);
}

const found = (number: string | undefined): Reading | undefined =>
  number === undefined ? undefined : { kind: 'number', number };

/** Reports whether a blank in front of digits stands for a "+": unless the digits are a number at home, and none with a country code. */
function isPlus(digits: string, { numbers, defaultCountry }: NumberRules): boolean {
  if (international(`+${digits}`) === undefined) return false;
  return (
    numbers === 'international' || isMobile(`+${digits}`) || parse(digits, defaultCountry)?.isValid() !== true
  );
}

/** Numbers of North America that are of no place, and that the metadata does not have: toll-free, personal and premium ones. */
const withoutPlace = /^\+1(?:8(?:00|33|44|55|66|77|88)|5(?:00|2[1-9]|33|44|66|77|88)|900)[2-9]\d{6}$/;

/** @param number with "+" */
function isMobile(number: string): boolean {
  return (
    parse(number, null)?.isValid() === true ||
    withoutPlace.test(number) ||
    formerNotation(number) !== undefined
  );
}

/**
 * Reads digits of which it is unknown whether a country code is in front. Mobile numbers decide, because they send and receive messages:
 * a mobile number of one reading only is that number, and a mobile number of both is ambiguous. Digits that are no mobile number are
 * international if their length fits, and otherwise national.
 */
function guess(text: string, defaultCountry: string | null): Reading | undefined {
  const inCountry = parse(text, defaultCountry);
  if (!digitsOnly.test(text)) return inCountry?.isPossible() ? found(inCountry.number) : undefined;
  const written = `+${text.replace(/\D/g, '')}`;
  const withCode = international(written);
  // Any digits after a 1 have the length of a number of North America.
  const mayBeInternational = withCode !== undefined && (!written.startsWith('+1') || isMobile(written));
  // North Americans leave out their country code, also where the contract names no country.
  const home = defaultCountry === null && isTenDigits(text) ? parse(text, 'US') : inCountry;
  const isNational =
    home !== undefined &&
    home.number !== withCode &&
    (home.isValid() ||
      withoutPlace.test(home.number) ||
      (inCountry?.countryCallingCode === '1' && isTenDigits(text)));
  if (isNational) {
    if (defaultCountry !== null && !(mayBeInternational && isMobile(written))) return found(home.number);
    return ambiguous(home.number, mayBeInternational ? withCode : undefined);
  }
  if (mayBeInternational) return found(withCode);
  return withCode === undefined && inCountry?.isPossible() ? found(inCountry.number) : undefined;
}

function ambiguous(...mayBe: readonly (string | undefined)[]): Reading {
  return {
    kind: 'doubtful',
    problem: 'ambiguous-number',
    mayBe: mayBe.filter((number) => number !== undefined),
  };
}

/** A number of North America without its country code. Most other countries write a 0 in front of such a number. */
const isTenDigits = (text: string) => text.replace(/\D/g, '').length === 10;

/** Reads a number of a service that writes no country codes. Digits that are a number with one contradict that. */
function atHome(text: string, country: string | null): Reading | undefined {
  const number = national(text, country);
  if (number === undefined || !digitsOnly.test(text) || parse(text, country)?.isValid()) return found(number);
  const withCode = international(`+${text}`);
  return withCode === undefined || withCode === number ? found(number) : ambiguous(number, withCode);
}

/** Reads a number with "+". Numbering plans grow, so a number counts if its length is possible. */
function international(text: string): string | undefined {
  const parsed = parse(text, null);
  // An extension would be lost.
  if (parsed?.ext !== undefined) return undefined;
  if (parsed?.isValid()) return parsed.number;
  return formerNotation(text) ?? (parsed?.isPossible() ? parsed.number : undefined);
}

function national(text: string, country: string | null): string | undefined {
  const parsed = parse(text, country);
  return parsed?.isPossible() ? parsed.number : undefined;
}

/** Reads a notation that the numbering plan no longer has, such as +521 in Mexico. */
function formerNotation(text: string): string | undefined {
  if (!/^\+[\d\s().-]+$/.test(text)) return undefined;
  const number = `+${text.replace(/\D/g, '')}`;
  const key = phoneKey(number);
  return key !== number && parse(key, null)?.isPossible() ? number : undefined;
}

/** The metadata knows which numbers are mobile: only these are valid. */
function parse(text: string, country: string | null): PhoneNumber | undefined {
  const defaultCountry = country !== null && isSupportedCountry(country) ? { defaultCountry: country } : {};
  return parsePhoneNumberFromString(text, { ...defaultCountry, extract: false });
}
