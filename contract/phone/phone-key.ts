import { splitAddress } from './address.ts';

/** Countries that write one mobile number in two ways, both in the form of E.164. `key` is the notation of today, `other` the second one. */
const notations: readonly Notation[] = [
  // Mexico: until 2019-08-03 mobile numbers had a 1 after +52 (IFT, Plan Técnico Fundamental de Numeración).
  {
    key: { form: /^\+52(?<line>[2-9]\d{9})$/, written: '+52$<line>' },
    other: { form: /^\+521(?<line>[2-9]\d{9})$/, written: '+521$<line>' },
  },
  // Argentina: a 9 after +54 marks a mobile number. The ten digits that follow identify one line with or without it
  // (Plan Fundamental de Numeración Nacional).
  {
    key: { form: /^\+549(?<line>[1-3]\d{9})$/, written: '+549$<line>' },
    other: { form: /^\+54(?<line>[1-3]\d{9})$/, written: '+54$<line>' },
  },
  // Brazil: mobile numbers got a 9 before their eight digits from 2012 to 2016 (Anatel, Resolução 553/2010). Eight digits that
  // begin with 2 to 5 are fixed lines. Those with 7 may also be trunked radio, which never got the 9, so they stay unchanged.
  {
    key: { form: /^\+55(?<area>[1-9]{2})9(?<line>[689]\d{7})$/, written: '+55$<area>9$<line>' },
    other: { form: /^\+55(?<area>[1-9]{2})(?<line>[689]\d{7})$/, written: '+55$<area>$<line>' },
  },
];

interface Notation {
  readonly key: Spelling;
  readonly other: Spelling;
}

interface Spelling {
  readonly form: RegExp;
  /** The replacement that writes it from the groups of the other form. */
  readonly written: string;
}

/** A number with its country code after + or 00, possibly with separators. */
const international = /^(?:00[\s().-]*|\+)(?<digits>[1-9][\d\s().-]*)$/;

/** A number that a spreadsheet or a program has turned into one with decimals. Read as a phone number, the zero would be a digit of it. */
export const withDecimals = /^(?<digits>\+?\d{7,})[.,]0+$/;

/** The form of E.164. The number need not exist. */
export const e164 = /^\+[1-9]\d{6,14}$/;

/** A number as a service writes it, E.164 or not: at least seven digits with the usual separators, which begin with a digit. */
const writtenNumber = /^\+?\(?(?=(?:\D*\d){7})\d[\d\p{Zs}().\p{Pd}/]{6,22}$/u;

/**
 * Reports whether a sender is a number as the service writes it, also one that may be two, and one in an address such as `whatsapp:2025550143`. A short
 * code, a name and an address of mail are none.
 */
export function isWrittenNumber(phone: string): boolean {
  const { address, isId } = splitAddress(phone);
  return isId !== true && writtenNumber.test(address);
}

/**
 * Returns the one key of a number for history, opt-outs and erasure, however the number is written: E.164, for Mexico, Argentina and
 * Brazil in today's notation of mobile numbers. Use it only as a key. Messages and contacts are addressed with the SMS service's own
 * spelling.
 *
 * @param phone E.164, an address that holds it (`whatsapp:+12025550143`), a number after 00, or any other text, which is its own key
 */
export function phoneKey(phone: string): string {
  const address = splitAddress(phone).address.trim();
  if (withDecimals.test(address)) return phone;
  const digits = international.exec(address)?.groups?.digits ?? '';
  const number = `+${digits.replace(/\D/g, '')}`;
  if (!e164.test(number)) return phone;
  for (const { key, other } of notations)
    if (other.form.test(number)) return number.replace(other.form, key.written);
  return number;
}

/** Returns both notations of a number, the key first; only the key for a country with one notation. */
export function phoneNotations(phone: string): readonly string[] {
  const number = phoneKey(phone);
  for (const { key, other } of notations)
    if (key.form.test(number)) return [number, number.replace(key.form, other.written)];
  return [number];
}
