const maxShown = 4;
/** At least this many characters stay hidden, so that a short code is not shown whole. */
const minHidden = 4;

/**
 * Masks a number so that people can recognise but not dial it: `•••0143`, at most the last four characters. It is the only mask that shows
 * digits: a second one that shows others would complement this one.
 */
export function maskPhone(phone: string): string {
  const characters = [...phone.replace(/\s+/g, '')];
  const shown = Math.min(maxShown, Math.max(0, characters.length - minHidden));
  return `•••${shown === 0 ? '' : characters.slice(-shown).join('')}`;
}

/**
 * Digits of any script, with anything but letters between them. Some letters are invisible, such as the fillers of Hangul, and some look like a
 * dash, such as the long vowel mark of Japanese.
 */
const digitRun = /\p{N}(?:[[^\p{L}\p{N}]\p{Default_Ignorable_Code_Point}\p{Lm}]*\p{N})*/gv;

/**
 * Replaces possible phone numbers of a text by `***`: digits in a row, also with spaces, punctuation or symbols between them.
 *
 * @param minDigits a run of fewer digits stays unchanged
 */
export function maskDigits(text: string, minDigits: number): string {
  return text.replace(digitRun, (run) => (run.replace(/\P{N}/gu, '').length < minDigits ? run : '***'));
}

/** What ends a run of digits. */
const letter = /[\p{L}--[\p{Lm}\p{Default_Ignorable_Code_Point}]]/v;

/**
 * Cuts a text that is masked later after so many UTF-16 units, and drops the digits at its end: the part of a number that is left would not be
 * recognised as one. A text that has nothing else becomes an ellipsis.
 */
export function cutBeforeMask(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
  let end = cut.length;
  while (end > 0 && !letter.test(cut.charAt(end - 1))) end -= 1;
  const digit = cut.slice(end).search(/\p{N}/u);
  return digit === -1 ? cut : cut.slice(0, end + digit) || '…';
}

/**
 * A day or a time in the form of ISO 8601, and a UUID (RFC 9562) or another id in hexadecimal: they have many digits, and hold no number. An id has
 * a letter and no ten digits in a row, and may have two capitals in front, as those of Twilio. A UUID is looked at as far as it reaches, because a
 * text of hyphens would be read again from each of them.
 */
const noNumber =
  /(?<![\p{L}\p{N}])(?:(?:19|20)\d\d-[01]\d-[0-3]\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d))?|(?![\d-]{36})[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|(?:[A-Z]{2})?(?=[\da-f]*[a-f])(?![\da-f]*\d{10})[\da-f]{16,})(?![\p{L}\p{N}])/u;

/**
 * What people write between the digits of a number, for a class of characters: at least the punctuation that libphonenumber accepts, letters that
 * look like a dash, and what is invisible.
 */
export const numberSeparators = String.raw`\s().\[\]/_~\p{Pd}\p{Lm}\p{Default_Ignorable_Code_Point}\u2053\u2212\u223c\u2800\uff08\uff09\uff0e\uff0f\uff3b\uff3d\uff5e`;

/** Seven digits or more of any script, with separators between them. */
export const numberLike = new RegExp(String.raw`\+?\p{N}(?:[${numberSeparators}]{0,3}\p{N}){6,}`, 'u');

export const everyNumberLike = new RegExp(numberLike.source, 'gu');

const noNumberOrNumber = new RegExp(`(?<kept>${noNumber.source})|${numberLike.source}`, 'gu');

/** Masks everything in a text or an id that may be a phone number, with or without a plus sign: `tel:12025550143` becomes `tel:•••0143`. */
export function maskNumbers(text: string): string {
  return text.replace(noNumberOrNumber, (found: string, kept?: string) =>
    kept === undefined ? maskPhone(digitsOf(found)) : found,
  );
}

/** So many digits in a row that a text and a number share are no accident. They are written alike with and without a country code. */
const minKnownDigits = 7;

/** What begins with a plus sign and has so many digits is a whole number, maybe another one that begins alike. */
const minWholeDigits = 10;

/**
 * Masks the numbers of a message in a text that names it, such as its id, however they are written there, and what begins with a plus sign.
 * Other digits stay, because an id of digits is needed to find the message.
 *
 * @param phones the numbers of the message
 */
export function maskNumbersOf(text: string, phones: readonly string[]): string {
  return numbersMasker(phones)(text);
}

/**
 * Makes a {@link maskNumbersOf} for many texts and many numbers: the work for a text does not depend on how many numbers there are.
 *
 * A service may write other digits behind a number or before it, also in the same field. So any seven digits in a row of a number show it.
 */
export function numbersMasker(phones: readonly string[]): (text: string) => string {
  // An address may have other digits behind the number, such as those of its host.
  const runs = phones.flatMap((phone) => [phone, ...(phone.match(everyNumberLike) ?? [])]);
  const known = new Set(runs.flatMap((run) => partsOf([...digitsOf(run)])));
  const endOfNumber = (text: string) => [...digitsOf(text)].slice(-maxShown).join('');
  const ends = new Set(runs.filter((run) => digitsOf(run).length >= minKnownDigits).map(endOfNumber));
  // Only its end is shown: the beginning of a number in an id and the end beside it would complement each other.
  const maskKnown = (run: string) => maskPhone(ends.has(endOfNumber(run)) ? digitsOf(run) : '');
  return (text) =>
    text.replace(everyNumberLike, (run) => {
      const digits = [...run.matchAll(/\p{N}/gu)];
      const isKnown = partsOf(digits.map(([digit]) => digit)).map((part) => known.has(part));
      const first = digits[isKnown.indexOf(true)];
      if (run.startsWith('+'))
        return first === undefined || digits.length >= minWholeDigits
          ? maskPhone(digitsOf(run))
          : maskKnown(run);
      if (first === undefined) return run;
      // What follows without a separator may be the end of another number that begins alike.
      const rest = digits.slice(isKnown.lastIndexOf(true) + minKnownDigits - 1);
      const last = rest.find((digit, index) => rest[index + 1]?.index !== endOf(digit));
      const end = last === undefined ? run.length : endOf(last);
      return run.slice(0, first.index) + maskKnown(run.slice(first.index, end)) + run.slice(end);
    });
}

const endOf = ({ 0: digit, index }: RegExpExecArray) => index + digit.length;

/** Returns each part of some digits that is long enough to show a number. */
function partsOf(digits: readonly string[]): string[] {
  return Array.from({ length: Math.max(0, digits.length - minKnownDigits + 1) }, (_, start) =>
    digits.slice(start, start + minKnownDigits).join(''),
  );
}

/** The number of a recipient behind the id of the service, which some messages have as their id. Digits behind a source alone are an id. */
const recipientAtEnd = /(?<=\/)(?<!^(?:[mr]~)?[a-z][a-z0-9-]{0,29}\/)\+?\d{7,15}$/;

/** Masks the number at the end of the id of a message, also where no number beside the id shows that it is one. */
export function maskRecipient(id: string): string {
  return id.replace(recipientAtEnd, maskPhone);
}

/** Eight digits or more of a text in Base64, as in the ids of WhatsApp, or in hexadecimal. */
export const encodedDigits = /(?:[M-O][DTjz][AEIMQUYcgk][w-z0-5]){2}|(?:3\d){8}/;

/** Before the first digits that are found in Base64, up to so many characters may have digits too. */
const digitsBefore = 4;

/** Returns the beginning of an id that has no digits in Base64 or hexadecimal: the whole id if there are none. */
export function beforeEncoded(id: string): string {
  const at = id.search(encodedDigits);
  return at === -1 ? id : id.slice(0, Math.max(0, at - digitsBefore));
}

/** All digits in Base64 or hexadecimal but the last two at most, and what may have digits before them. */
const encodedRun = /.{0,4}(?:(?:[M-O][DTjz][AEIMQUYcgk][w-z0-5]){2,}|(?:3\d){8,})/g;

/**
 * Masks the numbers in an id for readers who need it only to recognise the entry, as those of notices and logs: the numbers of the entry, the one
 * at the end, and those in Base64 or hexadecimal. The rest stays, also a hash, because the entry is found by it.
 *
 * @param maskNumbers masks the numbers of the entry, see {@link numbersMasker}
 */
export function maskId(id: string, maskNumbers: (text: string) => string): string {
  return maskNumbers(maskRecipient(id)).replace(encodedRun, '•••');
}

function digitsOf(text: string): string {
  return text.replace(/\P{N}/gu, '');
}

/** Shorter runs of digits in a text of a person or of the service are codes, prices and times. */
export const minTextDigits = 6;
