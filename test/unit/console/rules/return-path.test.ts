import { expect, it } from 'vitest';
import { returnPath } from '../../../../console/rules/return-path.ts';

it.each([
  ['/messages', '?state=failed', '/messages?state=failed'],
  ['//other.test/x', '', '/other.test/x'],
  ['///other.test', '?a=//b', '/other.test?a=//b'],
  ['/\\\\other.test', '', '/other.test'],
])('the path after a sign-in is one of this page: %s%s', (pathname, search, path) => {
  expect(returnPath({ pathname, search })).toBe(path);
  expect(new URL(path, 'https://console.test').origin).toBe('https://console.test');
});
