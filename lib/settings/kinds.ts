import { z } from 'zod';

/** `-c` passes text, cdk.json may hold a number: both are welcome. */
export const fromText = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);

export const wholeNumber = (preset: number, least: number, most: number, unit: string) =>
  fromText
    .pipe(z.int().min(least).max(most))
    .default(preset)
    .describe(`expected a whole number of ${unit} from ${least} to ${most}`);

export const text = (preset: string, pattern: RegExp, expected: string) =>
  z.string().regex(pattern).default(preset).describe(`expected ${expected}`);

/** Something that has to be switched on. */
export const offOrOn = () => z.enum(['off', 'on']).default('off').describe('expected "off" or "on"');

/** Items with commas between them, each once, spaces around them left out. */
export const listOf = <T extends z.ZodType<unknown, string>>(
  item: T,
  preset: readonly z.output<T>[],
  items: string,
) =>
  z
    .string()
    .transform((list) => [...new Set(list.split(',').map((word) => word.trim()))])
    .pipe(z.array(item))
    .readonly()
    .default(preset)
    .describe(`expected ${items}, with commas between them`);
