/** A text of a stranger, as far as it is shown. */
export interface ShownText {
  readonly text: string;
  /** How many characters the whole text has; undefined if all of it is shown. */
  readonly wholeLength?: number;
}

/** Browsers need seconds for 65,536 letters without a blank. What people write is shorter than this. */
const maxShown = 5000;

/**
 * Browsers need half a minute for thousands of marks at one letter, and draw them over what is around. Skin tones and characters that are not
 * visible extend a letter too. No language and no emoji has so many.
 */
const longRuns = /[\p{M}\p{Emoji_Modifier}\p{Default_Ignorable_Code_Point}\u{FF9E}\u{FF9F}]{11,}/gu;
const maxExtending = 10;

/** Shortens what keeps a browser busy. */
export function shownText(whole: string): ShownText {
  const text = whole.slice(0, maxShown).replace(longRuns, (run) => [...run].slice(0, maxExtending).join(''));
  return text === whole ? { text } : { text: text.toWellFormed(), wholeLength: whole.length };
}
