/** Digits of any script with what people write between them. */
const digitRun = /\p{Nd}(?:[\s().\-/]{0,3}\p{Nd})*/gu;

/**
 * Replaces what may be a phone number by `***`: digits in a row, also with spaces, dots, dashes, slashes or parentheses between them.
 *
 * @param fewest a run of fewer digits stays as it is
 */
export function maskDigits(text: string, fewest: number): string {
  return text.replace(digitRun, (run) => (run.replace(/\P{Nd}/gu, '').length < fewest ? run : '***'));
}
