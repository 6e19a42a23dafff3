import * as z from 'zod';
import { mainSource, sourceName } from '../../contract/events/source-id.ts';
import { rowsOf } from '../options/option-table.ts';
import type { Setting } from '../options/setting-kinds.ts';
import { isPropOfSource } from '../options/source-options.ts';

const expectedName =
  'expected the name of a source: words of lower-case letters and digits, each beginning with a letter, with hyphens between them, at most 30 characters';
const expected =
  'a JSON object with a block of settings for each further source: {"backup": {"contractFile": "backup.json", "registration": "off"}}';

/** The setting `sms:sources`. The command line gives it as text. */
export const sourcesSetting: Setting = {
  name: 'sources',
  schema: z
    .preprocess(
      (value) => (typeof value === 'string' ? parsed(value) : value),
      z.record(
        z
          .string()
          .regex(sourceName, expectedName)
          .refine((name) => name !== mainSource),
        z.record(z.string(), z.unknown()),
      ),
    )
    .default({}),
  expected,
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The settings of a source: those whose props a source has for itself. */
export const settingsOfSource: readonly Setting[] = (['pipeline', 'webhook', 'worker'] as const).flatMap(
  (group) =>
    rowsOf(group).flatMap(([prop, { setting }]): Setting[] =>
      setting !== undefined && isPropOfSource(group, prop) ? [setting] : [],
    ),
);
