import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { sampleStateFile } from '../../../../local/sample/sample-state.ts';

const folder = mkdtempSync(join(tmpdir(), 'sample-state-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('the state of kept tables is read as it was written', () => {
  const kept = sampleStateFile(join(folder, 'new.json'));
  expect(kept.read()).toBeUndefined();
  kept.write({ begun: 1 });
  expect(kept.read()).toEqual({ begun: 1 });
  kept.write({ begun: 1, filledUntil: 2 });
  expect(kept.read()).toEqual({ begun: 1, filledUntil: 2 });
});

it('tables that are not kept have no state', () => {
  const none = sampleStateFile(undefined);
  none.write({ begun: 1, filledUntil: 2 });
  expect(none.read()).toBeUndefined();
});

it.each(['', '{"begun":1', '{"begun":"yesterday"}', '{"now":1,"isFilled":true}'])(
  'a damaged state file is explained: %j',
  (text) => {
    const file = join(folder, 'damaged.json');
    writeFileSync(file, text);
    expect(() => sampleStateFile(file).read()).toThrow(`${file} cannot be read: remove its folder`);
  },
);
