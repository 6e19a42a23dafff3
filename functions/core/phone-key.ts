/**
 * Countries in which one person's number is written in two ways, both of them E.164 in form. `key` is how mobile numbers are
 * written there today, `other` the second way.
 */
const notations: readonly Notation[] = [
  // Mexico: until 2019-08-03 mobile numbers had a 1 behind +52 (IFT, Plan Técnico Fundamental de Numeración).
  {
    key: { form: /^\+52(?<line>[2-9]\d{9})$/, written: '+52$<line>' },
    other: { form: /^\+521(?<line>[2-9]\d{9})$/, written: '+521$<line>' },
  },
  // Argentina: 9 behind +54 marks a mobile number. The ten digits that follow identify one line with or without it
  // (Plan Fundamental de Numeración Nacional).
  {
    key: { form: /^\+549(?<line>[1-3]\d{9})$/, written: '+549$<line>' },
    other: { form: /^\+54(?<line>[1-3]\d{9})$/, written: '+54$<line>' },
  },
  // Brazil: mobile numbers got a 9 before their eight digits from 2012 to 2016 (Anatel, Resolução 553/2010). Eight digits that
  // begin with 2 to 5 are fixed lines. Those with 7 were trunked radio as well, which never got the 9, so they are left alone.
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
  /** How to write it from the groups of the other form. */
  readonly written: string;
}

/** A number with its country code, however that is marked. */
const international = /^(?:tel:\+|00|\+)(?<digits>[1-9]\d{6,14})$/i;

/**
 * The one text under which history, opt-outs and erasure know a number, in whichever way it is written: E.164, in Mexico, Argentina
 * and Brazil in the notation of mobile numbers there. It is a key and nothing else: a message or contact is addressed with the
 * spelling of the SMS service.
 *
 * @param phone E.164, or text that is no number, which is its own key
 */
export function phoneKey(phone: string): string {
  const digits = international.exec(phone)?.groups?.digits;
  const number = digits === undefined ? phone : `+${digits}`;
  for (const { key, other } of notations)
    if (other.form.test(number)) return number.replace(other.form, key.written);
  return number;
}

/** Both notations of a number, the key first; of a country with one notation the key alone. */
export function phoneNotations(phone: string): readonly string[] {
  const number = phoneKey(phone);
  for (const { key, other } of notations)
    if (key.form.test(number)) return [number, number.replace(key.form, other.written)];
  return [number];
}

/**
 * Every text under which a number may have been stored, the given one first. Versions before kept `tel:` URIs, the prefix 00,
 * digits alone and both notations apart.
 *
 * @param phone E.164, or text that is no number, which has no other spelling
 */
export function phoneSpellings(phone: string): readonly string[] {
  const numbers = phoneNotations(phone);
  const written = numbers
    .filter((number) => international.test(number))
    .flatMap((number) => [`tel:${number}`, `00${number.slice(1)}`, number.slice(1)]);
  return [...new Set([phone, ...numbers, ...written])];
}
