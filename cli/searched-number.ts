import { UsageError } from './failures.ts';
import { type NumberOptions, readNumber } from './phone-argument.ts';

/** Shorter texts occur in what is about anybody. */
const leastCharacters = 3;

/**
 * Reads the words of a number that is looked for in any text.
 *
 * @returns E.164, or the text as it was written
 * @throws UsageError
 */
export async function readSearchedNumber(words: readonly string[], options: NumberOptions): Promise<string> {
  const phone = await readNumber(words, options);
  if (phone.length < leastCharacters)
    throw new UsageError(
      `"${phone}" is too short to look for: it would be found in what is about others. Expected ${leastCharacters} characters or more.`,
    );
  return phone;
}
