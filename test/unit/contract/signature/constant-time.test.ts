import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

// Behaviour cannot show it, and the rules' own tests are run on sources that Stryker has changed.
it('signatures are compared in constant time, in one place, after their lengths', () => {
  const folder = resolve(import.meta.dirname, '../../../../contract/signature');
  const comparing = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8').match(/.*timingSafeEqual\(.*/g) ?? []);
  expect(comparing.flat()).toEqual(['  return a.length === b.length && timingSafeEqual(a, b);']);
});
