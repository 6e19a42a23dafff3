import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTime, renderTime, timeFormats } from '../../../../contract/text/time.ts';
import { assertProperty } from '../../../support/property.ts';

describe('ISO 8601', () => {
  it.each([
    ['2026-01-15T12:00:05Z', '2026-01-15T12:00:05.000Z'],
    ['2026-01-15t12:00:05z', '2026-01-15T12:00:05.000Z'],
    ['2026-01-15 12:00:05', '2026-01-15T12:00:05.000Z'],
    ['2026-01-15T12:00', '2026-01-15T12:00:00.000Z'],
    ['2026-01-15T12:00:05.1Z', '2026-01-15T12:00:05.100Z'],
    ['2026-01-15T12:00:05,123456789Z', '2026-01-15T12:00:05.123Z'],
    ['2026-01-15T12:00:05+05:30', '2026-01-15T06:30:05.000Z'],
    ['2026-01-15T23:30:05-0100', '2026-01-16T00:30:05.000Z'],
    ['2026-01-15 12:00:05 +0000', '2026-01-15T12:00:05.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(parseTime('iso8601', text)).toBe(expected);
  });

  it.each([
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-15T24:00:00Z',
    '2026-01-15T12:60:00Z',
    '2026-01-15T12:00:61Z',
    '1969-12-31T23:59:59Z',
    '3000-01-01T00:00:00Z',
    '2026-01-15',
    '0075-01-01T00:00:00Z',
    '2026-01-15T12:00:00+24:00',
    '2026-01-15T12:00:00+00:60',
    'yesterday',
    '',
    ' 2026-01-15T12:00:05Z',
    '1768478405',
  ])('rejects %j', (text) => {
    expect(parseTime('iso8601', text)).toBeUndefined();
  });
});

describe('Unix time', () => {
  it('reads seconds and milliseconds, fractions to the millisecond', () => {
    expect(parseTime('unix-seconds', '1768478405')).toBe('2026-01-15T12:00:05.000Z');
    expect(parseTime('unix-seconds', '1768478405.9')).toBe('2026-01-15T12:00:05.900Z');
    expect(parseTime('unix-milliseconds', '1768478405001')).toBe('2026-01-15T12:00:05.001Z');
    expect(parseTime('unix-milliseconds', '1768478405001.7')).toBe('2026-01-15T12:00:05.001Z');
    expect(parseTime('unix-seconds', '0')).toBe('1970-01-01T00:00:00.000Z');
  });

  it.each(['-1', '1e9', '', 'x', '99999999999999', '0x1'])('rejects %j', (text) => {
    expect(parseTime('unix-seconds', text)).toBeUndefined();
  });
});

describe('RFC 2822, the dates of SMPP, and dates with points', () => {
  it.each([
    ['rfc2822', 'Thu, 15 Jan 2026 12:00:05 +0530', '2026-01-15T06:30:05.000Z'],
    ['rfc2822', '5 Feb 2026 12:00 GMT', '2026-02-05T12:00:00.000Z'],
    ['rfc2822', '31 Feb 2026 12:00:00 GMT', undefined],
    ['rfc2822', '15 Foo 2026 12:00:00 GMT', undefined],
    ['rfc2822', '15 Jan 2026 12:00:00', undefined],
    ['smpp', '2601151200', '2026-01-15T12:00:00.000Z'],
    ['smpp', '260115120005', '2026-01-15T12:00:05.000Z'],
    ['smpp', '2613151200', undefined],
    ['smpp', '26011512000', undefined],
    ['dotted', '14.02.2026 09:30:07', '2026-02-14T09:30:07.000Z'],
    ['dotted', '14.2.2026, 09:30', '2026-02-14T09:30:00.000Z'],
    ['dotted', '02.14.2026 09:30:07', undefined],
    ['dotted', '14.02.26 09:30:07', undefined],
    ['dotted', '14/02/2026 09:30:07', undefined],
  ] as const)('%s: %s', (format, text, expected) => {
    expect(parseTime(format, text)).toBe(expected);
  });
});

const oneFormat = fc.constantFrom(...timeFormats);
/** The precision of each format, in milliseconds. */
const precisionMs = {
  iso8601: 1,
  rfc2822: 1000,
  dotted: 1000,
  javascript: 1000,
  compact: 1000,
  smpp: 60_000,
  'unix-seconds': 1,
  'unix-milliseconds': 1,
};

it('parseTime reads what renderTime writes, in every format', () => {
  const times = fc.date({
    min: new Date('2000-01-01T00:00:00.000Z'),
    max: new Date('2099-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });
  assertProperty(
    fc.property(oneFormat, times, (format, time) => {
      const text = String(renderTime(format, time.toISOString()));
      const read = Date.parse(parseTime(format, text) ?? '');
      expect(Math.abs(read - time.getTime())).toBeLessThanOrEqual(precisionMs[format]);
    }),
  );
});

it('parseTime reads several formats as each of them alone, in any order of the list', () => {
  // From 2033 on a Unix time in seconds looks like a date of SMPP.
  const times = fc.date({
    min: new Date('2001-09-10T00:00:00.000Z'),
    max: new Date('2032-12-31T00:00:00.000Z'),
    noInvalidDate: true,
  });
  const lists = fc.shuffledSubarray([...timeFormats], { minLength: 1 });
  assertProperty(
    fc.property(oneFormat, lists, times, (format, others, time) => {
      const text = String(renderTime(format, time.toISOString()));
      expect(parseTime([...others, format], text)).toBe(parseTime(format, text));
    }),
  );
});
