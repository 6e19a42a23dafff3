import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../../../local/event-patterns/compile-pattern.ts';
import { PatternError } from '../../../../local/event-patterns/value-patterns.ts';

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
