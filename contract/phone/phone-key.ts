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

/**
 * The usual groups of digits in the countries of {@link notations} and of the North American Numbering Plan. It is a small table
 * because the functions that look numbers up do without the library of numbering plans.
 */
const groupings: readonly RegExp[] = [
  /^\+(1)(\d{3})(\d{3})(\d{4})$/,
  /^\+(52)(1?)(33|55|56|81)(\d{4})(\d{4})$/,
  /^\+(52)(1?)(\d{3})(\d{3})(\d{4})$/,
  /^\+(54)(9?)(11)(\d{4})(\d{4})$/,
  /^\+(54)(9?)(\d{3})(\d{3})(\d{4})$/,
  /^\+(55)(\d{2})(\d{4,5})(\d{4})$/,
];

/** A number with its country code, perhaps with separators, however the code is marked. */
const international = /^(?:00[\s().-]*|\+)(?<digits>[1-9][\d\s().-]*)$/;

/** E.164 in form: whether there is such a number is another question. */
const e164 = /^\+[1-9]\d{6,14}$/;

/** The number of a `tel:` URI (RFC 3966, section 3), without its parameters; any other text as it is. */
export function subscriberOf(text: string): string {
  const [uri, ...parameters] = text.split(';');
  const [, subscriber] = /^tel:(.*)$/is.exec(uri ?? '') ?? [];
  if (subscriber === undefined) return text;
  const context = parameters.find((parameter) => /^phone-context=\+/i.test(parameter))?.split('=')[1] ?? '';
  return subscriber.startsWith('+') ? subscriber : `${context}${subscriber}`;
}

/**
 * The one text under which history, opt-outs and erasure know a number, in whichever way it is written: E.164, in Mexico, Argentina
 * and Brazil in the notation of mobile numbers there. It is a key and nothing else: a message or contact is addressed with the
 * spelling of the SMS service.
 *
 * @param phone E.164, or text that is no number, which is its own key. A version before stored `tel:` URIs, the prefix 00 and
 *   separators as they were written: their key is that of the number
 */
export function phoneKey(phone: string): string {
  const digits = international.exec(subscriberOf(phone))?.groups?.digits ?? '';
  const number = `+${digits.replace(/\D/g, '')}`;
  if (!e164.test(number)) return phone;
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
 * Texts under which a number may have been stored, the given one first, at most 17. Versions before kept both notations, `tel:` URIs,
 * the prefix 00 and digits alone apart, with separators too. Those with separators are here for the countries of {@link groupings}.
 *
 * @param phone E.164, or text that is no number, which has no other spelling
 */
export function phoneSpellings(phone: string): readonly string[] {
  const numbers = phoneNotations(phone).filter((number) => e164.test(number));
  const plain = numbers.flatMap((number) => [`tel:${number}`, `00${number.slice(1)}`, number.slice(1)]);
  const separated = numbers.flatMap((number) => {
    const groups = groupsOf(number);
    return groups === undefined ? [] : separatedSpellings(groups);
  });
  return [...new Set([phone, ...numbers, ...plain, ...separated])];
}

/** @returns undefined for a number of another country */
function groupsOf(number: string): readonly string[] | undefined {
  const [, ...groups] = groupings.map((form) => form.exec(number)).find((match) => match !== null) ?? [];
  return groups.length === 0 ? undefined : groups.filter((group) => group !== '');
}

/** What the version before did not read as a number. With "+" it read all but Mexico's former notation. */
function separatedSpellings(groups: readonly string[]): string[] {
  const [spaces, dashes] = [groups.join(' '), groups.join('-')];
  const isFormer = groups[0] === '52' && groups[1] === '1';
  return [`tel:+${dashes}`, `00 ${spaces}`, `00${dashes}`, ...(isFormer ? [`+${spaces}`, `+${dashes}`] : [])];
}

const mostShown = 4;
/** At least this many characters stay hidden, so that a short code is not shown whole. */
const leastHidden = 4;

/** A number for people to recognise and nobody to dial: `•••0143`, at most the last four characters. */
export function maskPhone(phone: string): string {
  const characters = [...phone.replace(/\s+/g, '')];
  const shown = Math.min(mostShown, Math.max(0, characters.length - leastHidden));
  return `•••${shown === 0 ? '' : characters.slice(-shown).join('')}`;
}

/** Digits of any script with whatever stands between them that is no letter. */
const digitRun = /\p{N}(?:[^\p{L}\p{N}]*\p{N})*/gu;

/**
 * Replaces what may be a phone number by `***`: digits in a row, also with spaces, punctuation or symbols between them.
 *
 * @param fewest a run of fewer digits stays as it is
 */
export function maskDigits(text: string, fewest: number): string {
  return text.replace(digitRun, (run) => (run.replace(/\P{N}/gu, '').length < fewest ? run : '***'));
}
