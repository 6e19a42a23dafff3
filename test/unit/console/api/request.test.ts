import { expect, test } from 'vitest';
import { queryText, segment } from '../../../../console/api/request.ts';

test('parameters are in alphabetical order, and those without a value are left out', () => {
  expect(queryText({ state: 'failed', since: undefined, limit: '100' })).toBe('?limit=100&state=failed');
  expect(queryText({ since: undefined })).toBe('');
});

test.each([
  ['msg-1', 'msg-1'],
  ['a/b', 'a%2Fb'],
  ['50%', '50%2525'],
  ['a?b', 'a%253Fb'],
  ['a//b', 'a%252F%252Fb'],
  ['2026-01-15T12:00:05.000Z#9f#0', '2026-01-15T12%3A00%3A05.000Z%239f%230'],
])('the id %s is the segment %s', (id, path) => {
  expect(segment(id)).toBe(path);
});
