import { expect, test } from 'vitest';
import { csvText, inZone } from '../../../../console/rules/csv.ts';

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
  expect(csvText([['time'], [at]], 'UTC')).toContain(at);
  const [, local = ''] = csvText([['time'], [at]], undefined).split('\r\n');
  expect(local).toMatch(/^2026-01-1\dT\d\d:\d\d:05\.000[+-]\d\d:\d\d$/);
  expect(new Date(local).toISOString()).toBe(at);
  expect(csvText([['time'], ['2026-01-15'], ['2026-99-99T99:99:99Z']], undefined)).toContain(
    '2026-01-15\r\n2026-99-99T99',
  );
});

test('a text, an id or a send that is written like a time stays as it is', () => {
  const names = ['reply', 'message', 'send', 'text', 'code'];
  const at = '2026-01-15T12:00:00Z';
  expect(inZone([names, names.map(() => at)], undefined)[1]).toEqual(names.map(() => at));
});
