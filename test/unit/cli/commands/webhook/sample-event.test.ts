import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeSample, type SampleOptions } from '../../../../../cli/commands/webhook/sample-event.ts';
import { outcomeOf } from '../../../../../contract/schema/sms-event.ts';
import { presetContracts } from '../../../../support/preset-contracts.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../../../../docs/providers/index.md'), 'utf8');
/** The presets that the page names in a sentence, by its end. */
const presetsBefore = (end: string) => {
  const sentence = page.split('\n').find((line) => line.endsWith(end)) ?? '';
  return new Set([...sentence.matchAll(/`([a-z\d][a-z\d-]*)`/g)].map(([, name]) => name));
};
const failed = presetsBefore('write `--status failed`.');
const withoutRecipient = presetsBefore('leave `--to` out.');

const now = Date.UTC(2026, 0, 15);

describe('makeSample', () => {
  it('has the presets that docs/providers/index.md names', () => {
    expect([failed.size, withoutRecipient.size]).toEqual([10, 4]);
  });

  it.each(presetContracts)(
    'makes a failure of $name by the word on docs/providers/index.md',
    ({ name, contract }) => {
      const preset = name.replace(/\.json$/, '');
      const status = failed.has(preset) ? 'failed' : 'undelivered';
      const options: SampleOptions = {
        kind: 'status',
        status,
        ...(!withoutRecipient.has(preset) && { to: '+12025550143' }),
      };
      const { event } = makeSample(contract, options, now, () => '00000000-0000-4000-8000-000000000000');
      expect(event.kind === 'sms.status' && outcomeOf(event.rank)).toBe('failure');
    },
  );
});
