/** At least this many characters of a number stay hidden. */
const leastHidden = 4;

const mostShownFirst = 5;
const mostShownLast = 2;

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
