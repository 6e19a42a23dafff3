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
