import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { adrIndex, readDecision, readDecisions } from '../../../../tools/generate/adr-index.ts';

const decisions = readDecisions();

it.each(decisions)('$file has at most 300 words, and its number in its name', ({ file, number }) => {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/adr', file), 'utf8');
  expect(text.match(/\S*[\p{L}\p{N}]\S*/gu)?.length).toBeLessThanOrEqual(300);
  expect(file.startsWith(`${String(number).padStart(4, '0')}-`)).toBe(true);
});

it('numbers are used once', () => {
  expect(new Set(decisions.map(({ number }) => number)).size).toBe(decisions.length);
});

it('the index names each decision, and those that change it', () => {
  const first = readDecision(
    '0001-a.md',
    '# 1. A\n\nAccepted, 2026-01-15. Amended by [ADR 2](0002-b.md): less.\n',
  );
  const second = readDecision('0002-b.md', '# 2. B\n\nAccepted, 2026-01-16. Amends [ADR 1](0001-a.md).\n');
  expect(adrIndex([first, second])).toContain(
    '| 1 | [A](0001-a.md) | 2026-01-15 | [2](0002-b.md) |\n| 2 | [B](0002-b.md) | 2026-01-16 |  |\n',
  );
});

it('a decision without its date is refused', () => {
  expect(() => readDecision('0003-c.md', '# 3. C\n')).toThrow('docs/adr/0003-c.md: expected');
});
