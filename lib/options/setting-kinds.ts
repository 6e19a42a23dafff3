import * as z from 'zod';
import type { TextRule } from './text-rules.ts';

/** A setting of the stand-alone app: a key of the CDK context, `sms:<name>`. */
export interface Setting {
  readonly name: string;
  /** Validates the setting, as text from the command line or as JSON from cdk.json, and fills in its default. */
  readonly schema: z.ZodType;
  /** Describes the allowed values for messages, after "expected". */
  readonly expected: string;
  /** The words among which a setting chooses; empty for other kinds. */
  readonly choices?: readonly string[];
  /** True if messages must not show a wrong value, because it may hold a key. */
  readonly isPrivate?: boolean;
}

/** Accepts a number as text, as `-c` passes it, or as a number, as cdk.json may hold it. */
export const numberFromText = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);

/** A setting that chooses one of several words. */
export function choiceSetting<Word extends string>(
  name: string,
  choices: readonly Word[],
  preset: NoInfer<Word>,
  expected = choices.map((word) => `"${word}"`).join(' or '),
): Setting {
  return { name, schema: z.enum(choices).default(() => preset), expected, choices };
}

/** A setting that is `on` or `off`. */
export function switchSetting(name: string, preset: 'on' | 'off'): Setting {
  return choiceSetting(name, ['off', 'on'], preset);
}

/** A setting that is a text with a default. */
export function textSetting(name: string, { schema, expected }: TextRule, preset: string): Setting {
  return { name, schema: schema.default(preset), expected };
}

/** A setting that is a text, and may be left out. @param without says what that means: ", or leave the key out to ..." */
export function optionalTextSetting(
  name: string,
  { schema, expected, isPrivate = false }: TextRule,
  without = '',
): Setting {
  return { name, schema: schema.optional(), expected: `${expected}${without}`, isPrivate };
}

/** A setting that is a list of at most `max` texts, separated by commas. Duplicates and the spaces around items are dropped. */
export function listSetting(
  name: string,
  { schema, expected }: TextRule,
  max: number,
  preset: readonly string[],
): Setting {
  return {
    name,
    schema: z
      .string()
      .transform((list) => [...new Set(list.split(',').map((word) => word.trim()))])
      .pipe(z.array(schema).max(max))
      .readonly()
      .default(preset),
    expected: `${expected}, at most ${max}, separated by commas`,
  };
}
