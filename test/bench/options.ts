/** Thrown for an option that is none. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/** @throws OptionError naming the option and what was expected */
export function wholeNumber(option: string, text: string, least = 1): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least)) throw new OptionError(`--${option}: expected a whole number, ${least} at least`);
  return number;
}
