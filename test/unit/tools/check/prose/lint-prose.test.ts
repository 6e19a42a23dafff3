import { expect, it } from 'vitest';
import { lintProse } from '../../../../../tools/check/prose/lint-prose.ts';

const long = `The worker ${'really '.repeat(28)}stores it.`;

it.each([
  ['One sentence.\nAnother `told()` sentence, with [a link](told.md).\n\n- **A title.** Its text.\n', []],
  ['It is told.\n', ['page.md:1: "told": write report, publish, log or show']],
  ['It works. It is fast.\n', ['page.md:1: two sentences are on one line']],
  ['It\nworks.\n', ['page.md:1: a sentence continues on another line']],
  [`Short.\n${long}\nShort.\n`, ['page.md:2: a sentence has 32 words, at most 30 are allowed']],
  [
    `${'The worker stores what the webhook received in the history of messages, and the publisher then reads it again there.\n'.repeat(2)}`,
    ['page.md:1: the sentences have 20.0 words on average, at most 18 are allowed'],
  ],
  [
    `| what | why |\n|---|---|\n| It works. Two sentences. | ${long} |\n`,
    ['page.md:3: a cell has a sentence of 32 words, at most 30 are allowed'],
  ],
])('the linter reads %j', async (text, problems) => {
  expect(await lintProse('page.md', text)).toEqual(problems);
});

it('decisions are checked for their words alone', async () => {
  expect(await lintProse('docs/adr/0001-a.md', 'It works. It\nis told.\n')).toEqual([
    'docs/adr/0001-a.md:2: "told": write report, publish, log or show',
  ]);
});
