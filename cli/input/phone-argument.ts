import { isSupportedCountry } from 'libphonenumber-js/min';
import { e164 } from '../../contract/phone/phone-key.ts';
import { type NumberRules, readPhone, rulesOfTyping } from '../../contract/phone/phone-number.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import type { Context } from '../target/context.ts';
import { UsageError } from '../target/errors.ts';
import type { Command } from './command.ts';
import { addContractOption, type ContractOptions, type TargetOptions, targetOf } from './options.ts';

/** Options that define how a number without a country code is read. */
export interface NumberOptions extends ContractOptions, TargetOptions {
  readonly country?: string;
  readonly asWritten?: true;
}

export function addNumberArgument(command: Command): Command {
  return addContractOption(
    command
      .argument('<number...>', 'the number, as people write it')
      .option('--country <code>', 'of a number without a country code, for example BR')
      .option('--as-written', 'use the text unchanged: the SMS service reports it so'),
  );
}

/**
 * Reads a number as people write it.
 *
 * @param words the words of the number
 * @returns E.164; with --as-written the text itself, as the history stores it
 * @throws UsageError for a text that is not a number
 */
export async function readNumber(
  words: readonly string[],
  options: NumberOptions,
  context: Context,
): Promise<string> {
  const { country, asWritten } = options;
  const text = words.join(' ').trim();
  if (text === '') throw new UsageError('Expected a non-empty number.');
  if (asWritten === true) return text;
  const selectedCountry = country === undefined ? undefined : readCountry(country);
  const isComplete = text.startsWith('+') || selectedCountry !== undefined;
  const rules: NumberRules = isComplete
    ? { numbers: 'mixed', defaultCountry: selectedCountry ?? null }
    : (await readContractOf(options, context)).events;
  const { defaultCountry } = rules;
  const asService = readPhone(text, rules);
  if (e164.test(asService.phone)) return asService.phone;
  const { phone, mayBe } = readPhone(text, rulesOfTyping(rules));
  if (e164.test(phone)) return phone;
  if (mayBe !== undefined)
    throw new UsageError(
      `"${text}" may be ${mayBe.join(' or ')}. Write it with "+" and its country code, or with --country US as it is written there. --as-written finds what is stored under these digits.`,
    );
  const national =
    defaultCountry === null
      ? 'or, with --country US, as it is written there: "(202) 555-0143".'
      : `or as it is written in ${defaultCountry}; --country names another country.`;
  throw new UsageError(
    `"${words.join(' ')}" is not a phone number. Write it with its country code, "+1 202 555 0143" or "12025550143", ${national}`,
  );
}

/** @throws UsageError for a text that is not the two letters of a country */
function readCountry(text: string): string {
  const country = text.trim().toUpperCase();
  if (isSupportedCountry(country)) return country;
  throw new UsageError(
    `--country "${text}" is not a country: expected its two letters (ISO 3166-1), for example BR.`,
  );
}

/** Another contract may have another default country, and then the number is another person's. */
const wayOut = 'write the number with "+" and its country code';
const instead = ' Or write the number with "+" and its country code, or add --country US.';

/** Returns the contract, which says how numbers are written. The import is dynamic, because validating a contract loads a large library. */
async function readContractOf(options: NumberOptions, context: Context): Promise<Contract> {
  const { readDeployedContract } = await import('./contract-file.ts');
  const connection = context.connect(targetOf(options));
  return readDeployedContract(options, connection, context.terminal, { wayOut, instead });
}

/** Shorter texts occur in the data of other people. */
const minCharacters = 3;

/** Reads a number that is searched for in any text, as {@link readNumber} does. @throws UsageError for a short text */
export async function readSearchedNumber(
  words: readonly string[],
  options: NumberOptions,
  context: Context,
): Promise<string> {
  if (options.asWritten === true && words.length > 1)
    throw new UsageError('--as-written expects one text: put the whole text into quotes, with its spaces.');
  const phone = await readNumber(words, options, context);
  if (phone.length < minCharacters)
    throw new UsageError(
      `"${phone}" is too short to search for, because it occurs in the data of other people. Expected at least ${minCharacters} characters.`,
    );
  return phone;
}
