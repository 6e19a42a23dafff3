/** UAX #15 calls a text with at most so many marks in a row stream-safe. No letter of any language has more. */
const maxMarks = 30;

/** Marks, and the letters that become marks in the forms KC and KD. */
const longRuns = /[\p{M}\uff9e\uff9f]{31,}/gu;

/**
 * Returns a text in a normal form of Unicode, with at most 30 marks in a row. To order marks takes time that grows with the square of their number:
 * 65,536 of them take half a minute.
 */
export function normalForm(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return text.replace(longRuns, (run) => [...run].slice(0, maxMarks).join('')).normalize(form);
}
