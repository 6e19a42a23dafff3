import { expect, test } from 'vitest';
import { csvText } from '../../../../console/rules/csv.ts';

test('CSV begins with a byte order mark, and ends each row', () => {
  expect(
    csvText(
      [
        ['a', 'b'],
        ['c', '=d'],
      ],
      undefined,
    ),
  ).toBe("\uFEFFa,b\r\nc,'=d\r\n");
});

test('a time of the CSV is the same instant in the chosen zone', () => {
  const at = '2026-01-15T12:00:05.000Z';
  expect(csvText([[at]], 'UTC')).toContain(at);
  const [local = ''] = csvText([[at]], undefined)
    .slice(1)
    .split('\r\n');
  expect(local).toMatch(/^2026-01-1\dT\d\d:\d\d:05\.000[+-]\d\d:\d\d$/);
  expect(new Date(local).toISOString()).toBe(at);
  expect(csvText([['2026-01-15'], ['2026-99-99T99:99:99Z']], undefined)).toContain(
    '2026-01-15\r\n2026-99-99T99',
  );
});
