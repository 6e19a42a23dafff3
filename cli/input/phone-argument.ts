import type { Command } from 'commander';
import { isSupportedCountry } from 'libphonenumber-js/min';
import { toE164 } from '../../contract/phone/phone-number.ts';
import { UsageError } from '../target/errors.ts';
import { addContractOption, type ContractOptions } from './options.ts';

/** Options that tell how a number without a country code is read. */
export interface NumberOptions extends ContractOptions {
  readonly country?: string;
  readonly asWritten?: true;
}

export function addNumberArgument(command: Command): Command {
  return addContractOption(
    command
      .argument('<number...>', 'the number, as people write it')
      .option('--country <code>', 'country of a number without a country code, for example BR')
      .option(
        '--as-written',
        'take it as it is: the SMS service reports it so, and it cannot be read as a number',
      ),
  );
}

/**
 * Reads the words of a number by what the options say.
 *
 * @returns E.164, or the text as history keeps what is no number
 * @throws UsageError
 */
export async function readNumber(
  words: readonly string[],
  { country, contract, asWritten }: NumberOptions,
): Promise<string> {
  if (asWritten === true) return requireText(words.join(' ').trim());
  const given = country === undefined ? undefined : readCountry(country);
  return readPhone(words.join(' '), async () => given ?? contractCountry(contract));
}

/**
 * Reads a number as people write it.
 *
 * @param defaultCountry tells the country of numbers without a country code; asked only for such
 * @returns E.164
 * @throws UsageError for a text that is no number, saying what is accepted
 */
async function readPhone(text: string, defaultCountry: () => Promise<string | null>): Promise<string> {
  const country = text.trim().startsWith('+') ? null : await defaultCountry();
  const phone = toE164(text, country);
  if (phone !== undefined) return phone;
  const national =
    country === null
      ? 'or, with --country US, as it is written there: "(202) 555-0143".'
      : `or as it is written in ${country}; --country names another country.`;
  throw new UsageError(
    `"${text}" is no phone number. Give it with its country code, "+1 202 555 0143" or "12025550143", ${national}`,
  );
}

/** A country as two letters. @throws UsageError for what is none */
function readCountry(text: string): string {
  const country = text.trim().toUpperCase();
  if (isSupportedCountry(country)) return country;
  throw new UsageError(
    `--country "${text}" is no country: expected its two letters (ISO 3166-1), for example BR.`,
  );
}

function requireText(text: string): string {
  if (text === '') throw new UsageError('Expected a text that is not empty.');
  return text;
}

/** Loaded where it is needed: validating a contract takes a large library. */
async function contractCountry(path: string): Promise<string | null> {
  const { readContract } = await import('./contract-file.ts');
  return (await readContract(path)).events.defaultCountry;
}

/** Shorter texts occur in what is about anybody. */
const minCharacters = 3;

/**
 * Reads the words of a number that is looked for in any text.
 *
 * @returns E.164, or the text as it was written
 * @throws UsageError
 */
export async function readSearchedNumber(words: readonly string[], options: NumberOptions): Promise<string> {
  const phone = await readNumber(words, options);
  if (phone.length < minCharacters)
    throw new UsageError(
      `"${phone}" is too short to look for: it would be found in what is about others. Expected ${minCharacters} characters or more.`,
    );
  return phone;
}
