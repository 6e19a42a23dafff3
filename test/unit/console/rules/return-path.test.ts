import { expect, it } from 'vitest';
import { returnPath } from '../../../../console/rules/return-path.ts';

it.each([
  ['/messages', '?state=failed', '', '/messages?state=failed'],
  ['/sends/spring', '', '#messages', '/sends/spring#messages'],
  ['//other.test/x', '', '', '/other.test/x'],
  ['///other.test', '?a=//b', '', '/other.test?a=//b'],
  ['/\\\\other.test', '', '', '/other.test'],
])('the path after a sign-in is one of this page: %s%s%s', (pathname, search, hash, path) => {
  expect(returnPath({ pathname, search, hash })).toBe(path);
  expect(new URL(path, 'https://console.test').origin).toBe('https://console.test');
});
