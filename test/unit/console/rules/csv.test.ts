import { expect, test } from 'vitest';
import { csvText } from '../../../../console/rules/csv.ts';

test('CSV begins with a byte order mark, and ends each row', () => {
  expect(
    csvText([
      ['a', 'b'],
      ['c', '=d'],
    ]),
  ).toBe("\uFEFFa,b\r\nc,'=d\r\n");
});
