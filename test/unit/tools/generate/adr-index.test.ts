import { expect, it } from 'vitest';
import { adrIndex, readDecision, readDecisions } from '../../../../tools/generate/adr-index.ts';

const decisions = readDecisions();

it('decisions are numbered from 1 without gaps, as their file names are', () => {
  expect(decisions.map(({ number }) => number)).toEqual(decisions.map((_, index) => index + 1));
  expect(decisions.map(({ file }) => Number(file.slice(0, 4)))).toEqual(
    decisions.map(({ number }) => number),
  );
});

it('the index links each decision', () => {
  const first = readDecision('0001-a.md', '# 1. A\n\nAccepted, 2026-01-15.\n');
  const second = readDecision('0002-b.md', '# 2. B\n\nAccepted, 2026-01-16.\n');
  expect(adrIndex([first, second])).toContain(
    '| 1 | [A](0001-a.md) | 2026-01-15 |\n| 2 | [B](0002-b.md) | 2026-01-16 |\n',
  );
});

it('a decision without its date is refused', () => {
  expect(() => readDecision('0003-c.md', '# 3. C\n')).toThrow('docs/adr/0003-c.md: expected');
});
