import { parseArgs } from 'node:util';
import { expect, it } from 'vitest';
import { isTold, OptionError, wholeNumber } from '../../../../tools/support/run-script.ts';

const thrownBy = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

it('a wrong option is told without a stack, a fault of the script with one', () => {
  expect(isTold(thrownBy(() => wholeNumber('rounds', '0')))).toBe(true);
  expect(isTold(thrownBy(() => parseArgs({ args: ['--evnts', '10'] })))).toBe(true);
  expect(isTold(new TypeError('x is not a function'))).toBe(false);
  expect(isTold('text')).toBe(false);
});

it.each(['', '599', '-600', '600.5', '1e6', 'Infinity', ' 600'])('%j is no whole number from 600', (text) => {
  expect(() => wholeNumber('events', text, 600)).toThrow(OptionError);
  expect(() => wholeNumber('events', text, 600)).toThrow('--events: expected a whole number, 600 at least');
});

it('the least is a whole number too', () => {
  expect(wholeNumber('events', '600', 600)).toBe(600);
});
