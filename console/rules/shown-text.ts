/** A text of a stranger, as far as it is shown. */
export interface ShownText {
  readonly text: string;
  /** How many characters the whole text has; undefined if all of it is shown. */
  readonly wholeLength?: number;
}

/** Browsers need seconds for 65,536 letters without a blank. What people write is shorter than this. */
const maxShown = 5000;

/** Browsers need half a minute for thousands of marks at one letter, and draw them over what is around. No language has so many. */
const longRuns = /\p{M}{11,}/gu;
const maxMarks = 10;

/** Shortens what keeps a browser busy. @param max the length of what is shown, in UTF-16 units */
export function shownText(whole: string, max = maxShown): ShownText {
  const text = whole.slice(0, max).replace(longRuns, (run) => [...run].slice(0, maxMarks).join(''));
  return text === whole ? { text } : { text: text.toWellFormed(), wholeLength: whole.length };
}
