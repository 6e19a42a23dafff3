import { expect, it } from 'vitest';
import { renderTable } from '../../../../tools/support/table.ts';

it('a table is aligned: names to the left, numbers to the right', () => {
  expect(
    renderTable([
      ['', 'ms'],
      ['a', '1'],
      ['long', '100'],
    ]),
  ).toBe(['       ms', 'a       1', 'long  100'].join('\n'));
});
