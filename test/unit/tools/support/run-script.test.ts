import { parseArgs } from 'node:util';
import { expect, it } from 'vitest';
import { isUserError, OptionError, wholeNumber } from '../../../../tools/support/run-script.ts';

const thrownBy = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

it('runScript shows a wrong option without a stack, a defect of the script with one', () => {
  expect(isUserError(thrownBy(() => wholeNumber('rounds', '0')))).toBe(true);
  expect(isUserError(thrownBy(() => parseArgs({ args: ['--evnts', '10'] })))).toBe(true);
  expect(isUserError(new TypeError('x is not a function'))).toBe(false);
  expect(isUserError('text')).toBe(false);
});

it.each(['', '599', '-600', '600.5', '1e6', 'Infinity', ' 600'])(
  '%j is rejected as a whole number from 600',
  (text) => {
    expect(() => wholeNumber('events', text, 600)).toThrow(OptionError);
    expect(() => wholeNumber('events', text, 600)).toThrow(
      '--events: expected a whole number of at least 600',
    );
  },
);

it('the minimum itself is accepted', () => {
  expect(wholeNumber('events', '600', 600)).toBe(600);
});
