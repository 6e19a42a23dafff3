import { expect, it } from 'vitest';
import {
  consolePageHeaders,
  contentSecurityPolicy,
} from '../../../../../functions/query/api/page-headers.ts';

it('the page asks its own origin only, and the one of the sign-in where there is one', () => {
  expect(consolePageHeaders['content-security-policy']).toContain("connect-src 'self';");
  expect(contentSecurityPolicy('https://sign-in.test')).toContain("connect-src 'self' https://sign-in.test;");
});

it('no page shows the console in a frame, and no code or style is inline', () => {
  const policy = contentSecurityPolicy();
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).not.toContain('unsafe');
});
