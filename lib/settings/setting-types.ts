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

/** A switch; off, if not given. */
export const offOrOn = (preset: 'off' | 'on' = 'off') =>
  z.enum(['off', 'on']).default(preset).describe('expected "off" or "on"');

/** At most so many items with commas between them, each once, spaces around them left out. */
export const listOf = <T extends z.ZodType<unknown, string>>(
  item: T,
  preset: readonly z.output<T>[],
  items: string,
  most: number,
) =>
  z
    .string()
    .transform((list) => [...new Set(list.split(',').map((word) => word.trim()))])
    .pipe(z.array(item).max(most))
    .readonly()
    .default(preset)
    .describe(`expected ${items}, at most ${most}, with commas between them`);
