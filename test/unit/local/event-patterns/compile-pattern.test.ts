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
    ['a value', ['New York'], ['New York'], ['new york', 'York', '', null]],
    ['one of several values', ['running', 3, true], ['running', 3, true], ['3', 'true', false]],
    ['null', [null], [null], ['', 'null', 0, false]],
    ['an empty text', [''], [''], [null, ' ']],
    ['anything but a text', [{ 'anything-but': 'off' }], ['running', 1, null], ['off']],
    ['anything but a number', [{ 'anything-but': 123 }], [124, '123'], [123]],
    ['anything but texts', [{ 'anything-but': ['off', 'ended'] }], ['ok'], ['off', 'ended']],
    ['anything but numbers', [{ 'anything-but': [100, 200, 300] }], [150], [100, 300]],
    ['anything but a prefix', [{ 'anything-but': { prefix: 'us-' } }], ['eu-1', 'xus-', 5], ['us-east-1']],
    ['anything but prefixes', [{ 'anything-but': { prefix: ['us-', 'eu-'] } }], ['ap-1'], ['us-1', 'eu-1']],
    ['anything but a suffix', [{ 'anything-but': { suffix: '.png' } }], ['a.jpg'], ['a.png']],
    ['no text in any case', [{ 'anything-but': { 'equals-ignore-case': 'off' } }], ['on'], ['OFF', 'off']],
    ['anything but a wildcard', [{ 'anything-but': { wildcard: '*/lib/*' } }], ['/bin/x'], ['/lib/x']],
    ['no wildcard', [{ 'anything-but': { wildcard: ['*a*', '*b*'] } }], ['c'], ['xa', 'bx']],
    ['a prefix', [{ prefix: 'us-' }], ['us-', 'us-east-1'], ['US-east-1', 'eu-us-', 5]],
    ['a prefix in any case', [{ prefix: { 'equals-ignore-case': 'aB' } }], ['abc', 'AB'], ['xaB']],
    ['a text of any kind', [{ prefix: '' }], ['', 'us-'], [5, null, true]],
    ['a suffix', [{ suffix: '.png' }], ['a.png'], ['a.PNG', 'a.png.txt']],
    ['a suffix in any case', [{ suffix: { 'equals-ignore-case': 'bC' } }], ['abc', 'BC'], ['bcd']],
    ['a text in any case', [{ 'equals-ignore-case': 'alice' }], ['Alice', 'ALICE'], ['alice ', 'Bob', null]],
    ['a number', [{ numeric: ['=', 3.018e2] }], [301.8], [301, '301.8', null]],
    ['a number below', [{ numeric: ['<', 10] }], [9.9, -1, -5e9], [10, -6e9]],
    ['a number above', [{ numeric: ['>=', 10] }], [10, 5e9], [9.9, 6e9, Date.UTC(2026, 0, 15)]],
    ['a range', [{ numeric: ['>', 0, '<=', 5] }], [0.1, 5], [0, 5.1, '3', true]],
    ['a block of IPv4', [{ cidr: '10.0.0.0/24' }], ['10.0.0.0', '10.0.0.255'], ['10.0.1.0', '10.0.0', 10]],
    ['all of IPv4', [{ cidr: '0.0.0.0/0' }], ['10.0.0.1'], ['::1', '']],
    ['a block of IPv6', [{ cidr: '2001:db8::/32' }], ['2001:db8::1'], ['2001:db9::1', '10.0.0.1']],
    ['a wildcard', [{ wildcard: 'arn:*:bus/*' }], ['arn:us:bus/default', 'arn::bus/'], ['arn:us:bin/a']],
    [
      'a wildcard with an asterisk',
      [{ wildcard: String.raw`a\*b\\*.` }],
      [String.raw`a*b\.`, 'a*b\\xy\n.'],
      ['axb\\.'],
    ],
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

  it('must all match', () => {
    const pattern = { time: [{ prefix: '2017-10-02' }], detail: { 'd-count': [{ numeric: ['<', 13] }] } };
    expect(compilePattern(pattern)(event)).toBe(true);
    expect(compilePattern({ ...pattern, source: ['other'] })(event)).toBe(false);
  });

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

  it('an object in an array matches as a whole', () => {
    const people = [
      { first: 'Anna', last: 'Smith' },
      { first: 'John', last: 'Jones' },
    ];
    for (const detail of [people, [people], people.map((one) => [one])]) {
      expect(compilePattern({ people: { first: ['John'], last: ['Jones'] } })({ people: detail })).toBe(true);
      expect(compilePattern({ people: { first: ['Anna'], last: ['Jones'] } })({ people: detail })).toBe(
        false,
      );
    }
  });

  it.each<[boolean, string, object]>([
    [true, 'another final status', { final: [true], status: [{ 'anything-but': ['delivered'] }] }],
    [true, 'an error of the service, or none that is known', { errorCode: [{ prefix: 'E-' }, null] }],
    [true, 'what has no number', { phone: [{ exists: false }], errorText: [{ exists: true }] }],
    [false, 'what has a number other than one', { phone: [{ 'anything-but': '+12025550100' }] }],
    [true, 'a field inside', { outcome: { of: { attempts: [{ numeric: ['>=', 1, '<', 3] }] } } }],
    [false, 'an object, which is no leaf', { outcome: [{ exists: true }] }],
    [true, 'an object that has no such field', { outcome: { of: { other: [{ exists: false }] } } }],
    [false, 'a field inside of a text', { status: { word: ['failed'] } }],
    [true, 'one of two, inside', { outcome: { $or: [{ kind: ['none'] }, { of: { attempts: [2] } }] } }],
    [true, 'one of two, beside a field', { final: [true], $or: [{ status: ['x'] }, { 'x.y': [null] }] }],
    [false, 'one of two, beside another field', { final: [false], $or: [{ final: [true] }, { final: [1] }] }],
    [true, 'a tag among several', { tags: [{ suffix: '-sms' }] }],
    [false, 'no tag', { tags: [{ exists: false }] }],
  ])('%s: %s', (expected, _, detail) => {
    const failed = {
      status: 'failed',
      final: true,
      errorCode: 'E-30',
      errorText: null,
      outcome: { kind: 'bad', of: { attempts: 2 } },
      'x.y': null,
      tags: ['first', 'bulk-sms'],
    };
    expect(compilePattern({ detail })({ detail: failed })).toBe(expected);
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
    ['detail: an empty object', { detail: {} }],
    ['source: expected an object', { source: 'test.orders' }],
    ['source: an empty array', { source: [] }],
    ['source: expected a value', { source: [['test.orders']] }],
    ['detail.state: expected a value', { detail: { state: [{ prefix: 'a', suffix: 'b' }] } }],
    ['detail.state.contains: this operator', { detail: { state: [{ contains: 'a' }] } }],
    ['state.prefix: expected a text', { state: [{ prefix: 5 }] }],
    ['state.prefix.wildcard: this operator', { state: [{ prefix: { wildcard: 'a*' } }] }],
    ['state.exists: expected true or false', { state: [{ exists: 'yes' }] }],
    ['state.numeric: expected one comparison', { state: [{ numeric: ['='] }] }],
    ['state.numeric: there is no comparison "!="', { state: [{ numeric: ['!=', 1] }] }],
    ['state.numeric: a bound', { state: [{ numeric: ['=', '1'] }] }],
    ['state.numeric: a bound', { state: [{ numeric: ['<', 6e9] }] }],
    ['state.numeric: a range', { state: [{ numeric: ['>', 5, '<', 5] }] }],
    ['state.numeric: a range', { state: [{ numeric: ['<', 5, '>', 1] }] }],
    ['ip.cidr: expected a block', { ip: [{ cidr: '10.0.0.0' }] }],
    ['ip.cidr: expected a block', { ip: [{ cidr: '10.0.0.0/33' }] }],
    ['path.wildcard: wildcards in a row', { path: [{ wildcard: 'a**b' }] }],
    ['path.wildcard: a backslash', { path: [{ wildcard: String.raw`a\b` }] }],
    ['state.anything-but: expected texts only', { state: [{ 'anything-but': ['a', 1] }] }],
    ['state.anything-but: expected texts only', { state: [{ 'anything-but': null }] }],
    ['state.anything-but: an empty list', { state: [{ 'anything-but': [] }] }],
    ['state.anything-but.numeric: ', { state: [{ 'anything-but': { numeric: ['>', 1] } }] }],
    [
      'state.anything-but.prefix: expected a text',
      { state: [{ 'anything-but': { prefix: { 'equals-ignore-case': 'a' } } }] },
    ],
    ['state.anything-but.prefix: an empty text', { state: [{ 'anything-but': { prefix: ['a', ''] } }] }],
    ['state.anything-but.suffix: an empty text', { state: [{ 'anything-but': { suffix: '' } }] }],
    ['state.anything-but.exists: ', { state: [{ 'anything-but': { exists: true } }] }],
    ['state.anything-but: expected a value', { state: [{ 'anything-but': { prefix: 'a', suffix: 'b' } }] }],
    ['state.prefix: expected a text', { state: [{ prefix: ['a', 'b'] }] }],
    ['state.equals-ignore-case: expected a text', { state: [{ 'equals-ignore-case': ['a'] }] }],
    ['state.numeric: expected one comparison', { state: [{ numeric: 5 }] }],
    ['state.numeric: a range', { state: [{ numeric: ['=', 5, '<', 6] }] }],
    ['ip.cidr: expected a block', { ip: [{ cidr: '10.0.0.0/32' }] }],
    ['ip.cidr: expected a block', { ip: [{ cidr: '2001:db8::/128' }] }],
    ['detail.$or[0].state: expected an object', { detail: { $or: [{ state: 'a' }, { state: ['b'] }] } }],
    ['detail.$or: expected an array', { detail: { $or: [{ a: ['b'] }] } }],
    ['$or[1].detail: an empty object', { $or: [{ a: ['b'] }, { detail: {} }] }],
  ])('%s', (message, pattern) => {
    expect(() => compilePattern(pattern)).toThrow(PatternError);
    expect(() => compilePattern(pattern)).toThrow(message);
  });
});
