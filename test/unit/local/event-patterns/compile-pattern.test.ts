import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../../../local/event-patterns/compile-pattern.ts';
import { PatternError } from '../../../../local/event-patterns/value-patterns.ts';
import { assertProperty } from '../../../support/property.ts';

/** One field of the detail against what a pattern gives it. */
const fieldMatches = (items: unknown[], value: unknown): boolean =>
  compilePattern({ detail: { field: items } })({ detail: { field: value } });

describe('the operators of EventBridge', () => {
  it.each<[string, unknown[], unknown[], unknown[]]>([
    ['one of several values', ['running', 3, true], ['running', 3, true], ['3', 'true', false]],
    ['null', [null], [null], ['', 'null', 0, false]],
    ['an empty text', [''], [''], [null, ' ']],
    ['anything but a text', [{ 'anything-but': 'off' }], ['running', 1, null], ['off']],
    ['anything but a number', [{ 'anything-but': 123 }], [124, '123'], [123]],
    ['anything but texts', [{ 'anything-but': ['off', 'ended'] }], ['ok'], ['off', 'ended']],
    ['anything but a prefix', [{ 'anything-but': { prefix: 'us-' } }], ['eu-1', 'xus-', 5], ['us-east-1']],
    ['anything but a suffix', [{ 'anything-but': { suffix: '.png' } }], ['a.jpg'], ['a.png']],
    ['no text in any case', [{ 'anything-but': { 'equals-ignore-case': 'off' } }], ['on'], ['OFF', 'off']],
    ['anything but a wildcard', [{ 'anything-but': { wildcard: '*/lib/*' } }], ['/bin/x'], ['/lib/x']],
    ['a prefix', [{ prefix: 'us-' }], ['us-', 'us-east-1'], ['US-east-1', 'eu-us-', 5]],
    ['a prefix in any case', [{ prefix: { 'equals-ignore-case': 'aB' } }], ['abc', 'AB'], ['xaB']],
    ['a suffix', [{ suffix: '.png' }], ['a.png'], ['a.PNG', 'a.png.txt']],
    ['a suffix in any case', [{ suffix: { 'equals-ignore-case': 'bC' } }], ['abc', 'BC'], ['bcd']],
    ['a text in any case', [{ 'equals-ignore-case': 'alice' }], ['Alice', 'ALICE'], ['alice ', 'Bob', null]],
    ['a number', [{ numeric: ['=', 3.018e2] }], [301.8], [301, '301.8', null]],
    ['a number above', [{ numeric: ['>=', 10] }], [10, 5e9], [9.9, 6e9, Date.UTC(2026, 0, 15)]],
    ['a range', [{ numeric: ['>', 0, '<=', 5] }], [0.1, 5], [0, 5.1, '3', true]],
    ['a block of IPv4', [{ cidr: '10.0.0.0/24' }], ['10.0.0.0', '10.0.0.255'], ['10.0.1.0', '10.0.0', 10]],
    ['a block of IPv6', [{ cidr: '2001:db8::/32' }], ['2001:db8::1'], ['2001:db9::1', '10.0.0.1']],
    ['a wildcard', [{ wildcard: 'arn:*:bus/*' }], ['arn:us:bus/default', 'arn::bus/'], ['arn:us:bin/a']],
    ['one operator or another', [{ prefix: 'a' }, { numeric: ['>', 5] }, null], ['ab', 6, null], ['b', 5]],
    ['a value or none at all', [{ exists: false }, 'a'], ['a', []], ['b', null]],
  ])('%s', (_, items, matching, others) => {
    for (const value of matching) expect([value, fieldMatches(items, value)]).toEqual([value, true]);
    for (const value of others) expect([value, fieldMatches(items, value)]).toEqual([value, false]);
    const takesNone = items.some((item) => JSON.stringify(item) === '{"exists":false}');
    expect(fieldMatches(items, {})).toBe(takesNone);
  });

  it('compare numbers by value, in any notation', () => {
    const written = ['300', '300.0', '3.0e2', '3E+2'];
    for (const pattern of written)
      for (const value of written)
        for (const item of [pattern, `{"numeric":["=",${pattern}]}`])
          expect(fieldMatches(JSON.parse(`[${item}]`), JSON.parse(value))).toBe(true);
    expect(fieldMatches(JSON.parse('[{"anything-but":[3.0e2]}]'), 300)).toBe(false);
    expect(fieldMatches([300], '300')).toBe(false);
    expect(fieldMatches([1768478400000], Date.UTC(2026, 0, 15, 12))).toBe(true);
  });

  it('exists matches null and empty text, but no object and no empty array', () => {
    const exists = compilePattern({ detail: { state: [{ exists: true }] } });
    const missing = compilePattern({ detail: { state: [{ exists: false }] } });
    for (const state of ['running', '', null, false, 0, ['a']]) {
      expect(exists({ detail: { state } })).toBe(true);
      expect(missing({ detail: { state } })).toBe(false);
    }
    for (const event of [{ detail: {} }, {}, { detail: 'text' }, { detail: { state: [] } }, { detail: [] }]) {
      expect(exists(event)).toBe(false);
      expect(missing(event)).toBe(true);
    }
    expect(exists({ detail: { state: { name: 'running' } } })).toBe(false);
  });

  it('ignore inherited properties', () => {
    expect(compilePattern({ toString: [{ exists: true }] })({})).toBe(false);
    expect(compilePattern({ detail: { constructor: { name: ['Object'] } } })({ detail: {} })).toBe(false);
  });
});

describe('fields together', () => {
  const event = {
    source: 'test.orders',
    'detail-type': 'Order Placed',
    time: '2017-10-02T11:00:00Z',
    resources: ['arn:one', 'arn:two'],
    detail: { state: 'ready', 'c-count': 3, 'd-count': 12, 'x-limit': 301.8, empty: '', nothing: null },
  };

  it('$or matches one of several, among other fields and nested', () => {
    const countsOrLimit = (limit: number) => ({
      source: ['test.orders'],
      detail: {
        $or: [
          { 'c-count': [{ numeric: ['>', 5] }] },
          { $or: [{ 'd-count': [{ numeric: ['<', 10] }] }, { 'x-limit': [{ numeric: ['=', limit] }] }] },
        ],
      },
    });
    expect(compilePattern(countsOrLimit(3.018e2))(event)).toBe(true);
    expect(compilePattern(countsOrLimit(301))(event)).toBe(false);
    expect(compilePattern({ ...countsOrLimit(3.018e2), source: ['other'] })(event)).toBe(false);
    expect(compilePattern({ $or: [{ source: ['other'] }, { 'detail-type': ['Order Placed'] }] })(event)).toBe(
      true,
    );
  });

  it('match when one element of an array matches', () => {
    expect(compilePattern({ resources: ['arn:two'] })(event)).toBe(true);
    expect(compilePattern({ resources: [{ 'anything-but': 'arn:one' }] })(event)).toBe(true);
    expect(compilePattern({ resources: [{ 'anything-but': ['arn:one', 'arn:two'] }] })(event)).toBe(false);
    expect(compilePattern({ resources: ['arn:two'] })({ resources: [['arn:one', ['arn:two']]] })).toBe(true);
  });

  it('any event matches the pattern of its own texts, and not one that excludes them', () => {
    assertProperty(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { minKeys: 1 }), (detail) => {
        const fields = Object.entries(detail).filter(([name]) => name !== '$or');
        fc.pre(fields.length > 0);
        const patternOf = (item: (value: string) => unknown) =>
          compilePattern({
            detail: Object.fromEntries(fields.map(([name, value]) => [name, [item(value)]])),
          });
        expect(patternOf((value) => value)({ detail })).toBe(true);
        expect(patternOf((value) => ({ wildcard: value.replaceAll(/[\\*]/g, '\\$&') }))({ detail })).toBe(
          true,
        );
        expect(patternOf((value) => ({ 'anything-but': value }))({ detail })).toBe(false);
      }),
    );
  });
});

describe('an unsupported pattern is reported with its path', () => {
  it.each<[string, unknown]>([
    ['the pattern: expected an object', 'source'],
    ['the pattern: an empty object', {}],
    ['source: an empty array', { source: [] }],
    ['source: expected a value', { source: [['test.orders']] }],
    ['detail.state: expected a value', { detail: { state: [{ prefix: 'a', suffix: 'b' }] } }],
    ['detail.state.contains: this operator', { detail: { state: [{ contains: 'a' }] } }],
    ['state.prefix.wildcard: this operator', { state: [{ prefix: { wildcard: 'a*' } }] }],
    ['state.exists: expected true or false', { state: [{ exists: 'yes' }] }],
    ['state.numeric: expected one comparison', { state: [{ numeric: ['='] }] }],
    ['state.numeric: there is no comparison "!="', { state: [{ numeric: ['!=', 1] }] }],
    ['state.numeric: a bound', { state: [{ numeric: ['<', 6e9] }] }],
    ['state.numeric: a range', { state: [{ numeric: ['>', 5, '<', 5] }] }],
    ['ip.cidr: expected a block', { ip: [{ cidr: '10.0.0.0' }] }],
    ['path.wildcard: wildcards in a row', { path: [{ wildcard: 'a**b' }] }],
    ['path.wildcard: a backslash', { path: [{ wildcard: String.raw`a\b` }] }],
    ['state.anything-but.numeric: ', { state: [{ 'anything-but': { numeric: ['>', 1] } }] }],
    ['state.anything-but.suffix: an empty text', { state: [{ 'anything-but': { suffix: ['a', ''] } }] }],
    ['detail.$or: expected an array', { detail: { $or: [{ a: ['b'] }] } }],
    ['$or[1].detail: an empty object', { $or: [{ a: ['b'] }, { detail: {} }] }],
  ])('%s', (message, pattern) => {
    expect(() => compilePattern(pattern)).toThrow(PatternError);
    expect(() => compilePattern(pattern)).toThrow(message);
  });
});
