import type { Stack } from './stack.ts';
import { textsIn } from './values-at.ts';

/** Tokens of the CDK as text, list and number that nobody resolved, and what JavaScript makes of a value that is none. */
const leftover = /[$#]\{Token\[|-1\.888154589\d*e\+289|\[object Object\]|\bundefined\b|\bNaN\b/;

/** Texts in the templates that were never filled in. */
export function unresolvedTexts(stacks: readonly Stack[]): string[] {
  return stacks.flatMap(({ name, template }) =>
    [...textsIn(template)]
      .filter(({ text }) => leftover.test(text))
      .map(({ path, text }) => `${name} ${path}: ${text.slice(0, 100)}`),
  );
}
