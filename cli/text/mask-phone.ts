/** At least this many characters of a number stay hidden. */
const leastHidden = 4;

const mostShownFirst = 5;
const mostShownLast = 2;

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
  const shown = Math.max(0, characters.length - leastHidden);
  const last = Math.min(mostShownLast, shown);
  const first = Math.min(mostShownFirst, shown - last);
  return `${plus}${characters.slice(0, first).join('')}•••${last === 0 ? '' : characters.slice(-last).join('')}`;
}
