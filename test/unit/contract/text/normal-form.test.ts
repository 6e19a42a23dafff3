import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { normalForm } from '../../../../contract/text/normal-form.ts';
import { assertProperty } from '../../../support/property.ts';

const forms = ['NFC', 'NFKC', 'NFKD'] as const;

it('a text with at most 30 marks in a row has the form that Unicode defines', () => {
  const texts = fc.array(
    fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('é', 'e\u0316\u0301', 'ｶﾞ', 'ﬁ')),
  );
  assertProperty(
    fc.property(texts, fc.constantFrom(...forms), (parts, form) => {
      const text = parts.join('');
      expect(normalForm(text, form)).toBe(text.normalize(form));
    }),
  );
});

it.each(['\u0316', '\u0301', '\u0344\u0316', '\uff9e\u0327', '\u{1d165}\u0316'])(
  'never has to bring more than 30 marks into order: %j',
  (marks) => {
    const text = `a${marks.repeat(100_000)}b${marks.repeat(20)}c`;
    for (const form of forms) {
      const longest = Math.max(
        ...(normalForm(text, form).match(/\p{M}+/gu) ?? []).map((run) => [...run].length),
      );
      // Some marks consist of two.
      expect(longest).toBeLessThanOrEqual(60);
    }
  },
);

it('no other code brings a text into a normal form', () => {
  const root = join(import.meta.dirname, '../../../..');
  const found = [
    'contract',
    'functions',
    'cli',
    'client',
    'console',
    'discovery',
    'events',
    'lib',
    'examples',
  ]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !file.includes('node_modules'))
    .filter((file) => /\.normalize\(/.test(readFileSync(join(root, file), 'utf8')));
  expect(found).toEqual([join('contract', 'text', 'normal-form.ts')]);
});
