const mostShown = 4;
/** At least this many characters stay hidden, so that a short code is not shown whole. */
const leastHidden = 4;

/** A number for people to recognise and nobody to dial: `•••0143`, at most the last four characters. */
export function maskPhone(phone: string): string {
  const characters = [...phone.replace(/\s+/g, '')];
  const shown = Math.min(mostShown, Math.max(0, characters.length - leastHidden));
  return `•••${shown === 0 ? '' : characters.slice(-shown).join('')}`;
}
