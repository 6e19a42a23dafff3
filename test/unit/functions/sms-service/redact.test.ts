import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../../functions/sms-service/session.ts';
import { assertProperty } from '../../../support/property.ts';

describe('createRedactor', () => {
  it('removes a known value at any place and with any escapes', () => {
    const { apply } = createRedactor('k"ey/1+2 3');
    const echoed = `${JSON.stringify({ got: 'k"ey/1+2 3' })} ?key=${encodeURIComponent('k"ey/1+2 3')} k"ey/1+2 3`;
    expect(apply(echoed)).toBe('{"got":"[redacted]"} ?key=[redacted] [redacted]');
  });

  it('removes values that it learns later, the longer value first', () => {
    const redactor = createRedactor('abc');
    redactor.learn('abcdef');
    redactor.learn('');
    expect(redactor.apply('abcdef abc ab')).toBe('[redacted] [redacted] ab');
  });

  it('removes secrets and tokens it does not know, and keeps messages about fields', () => {
    const { apply } = createRedactor();
    expect(
      apply('{"secret": "wh\\"sec", "access_token":"t", "errors": {"rotate_secret": "no boolean"}}'),
    ).toBe(
      '{"secret": "[redacted]", "access_token":"[redacted]", "errors": {"rotate_secret": "no boolean"}}',
    );
    expect(apply('{"secret":"cut of')).toBe('{"secret":"[redacted]"');
  });

  it('leaves no known value in any text', () => {
    // Values whose parts could meet again around a replacement are none that a service gives out.
    const values = fc.stringMatching(/^[A-Za-z0-9+/=._-]{8,40}$/);
    assertProperty(
      fc.property(values, fc.array(fc.string()), (value, parts) => {
        expect(createRedactor(value).apply(parts.join(value))).not.toContain(value);
      }),
    );
  });
});
