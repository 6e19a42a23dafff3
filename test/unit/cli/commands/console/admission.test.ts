import { describe, expect, it } from 'vitest';
import { createAdmission, isOwnRequest } from '../../../../../cli/commands/console/admission.ts';

const own = { method: 'GET', host: '127.0.0.1:4805', origin: undefined, site: undefined };
const origin = 'http://127.0.0.1:4805';

describe('isOwnRequest', () => {
  it.each([
    ['an address that a person typed', { ...own, site: 'none' }],
    ['the page', { ...own, site: 'same-origin' }],
    ['a program', own],
    ['the page, by another name of this machine', { ...own, host: 'localhost:4805' }],
    ['a search of the page', { ...own, method: 'POST', origin, site: 'same-origin' }],
  ])('accepts %s', (_, arrival) => {
    expect(isOwnRequest(arrival, 4805)).toBe(true);
  });

  it.each([
    ['a name that resolves to this machine', { ...own, host: 'attacker.example:4805' }],
    ['another port', { ...own, host: '127.0.0.1:4806' }],
    ['no host', { ...own, host: undefined }],
    ['another page', { ...own, origin: 'https://attacker.example' }],
    ['a page of another port', { ...own, origin: 'http://127.0.0.1:4806' }],
    ['a page of no origin', { ...own, origin: 'null' }],
    ['an image or script of another page', { ...own, site: 'cross-site' }],
    ['a page of another port, without an origin', { ...own, site: 'same-site' }],
    ['a POST without an origin', { ...own, method: 'POST' }],
  ])('refuses %s', (_, arrival) => {
    expect(isOwnRequest(arrival, 4805)).toBe(false);
  });
});

describe('the admission', () => {
  const options = { token: 'token', session: 'session', port: 4805, isReusable: false };

  it('exchanges the token once for a cookie that scripts and other sites cannot use', () => {
    const admission = createAdmission(options);
    expect(admission.exchange('other')).toBeUndefined();
    expect(admission.exchange('token')).toBe('sms-console-4805=session; Path=/; HttpOnly; SameSite=Strict');
    expect(admission.exchange('token')).toBeUndefined();
  });

  it('exchanges it again on one machine', () => {
    const admission = createAdmission({ ...options, isReusable: true });
    expect(admission.exchange('token')).toBe(admission.exchange('token'));
  });

  it.each([
    ['sms-console-4805=session', true],
    ['other=1; sms-console-4805=session; more=2', true],
    [undefined, false],
    ['', false],
    ['sms-console-4805=', false],
    ['sms-console-4805=sessio', false],
    ['sms-console-4805=token', false],
    ['sms-console-4806=session', false],
    ['x-sms-console-4805=session', false],
  ])('admits the cookies %j: %s', (cookies, isAdmitted) => {
    expect(createAdmission(options).isAdmitted(cookies)).toBe(isAdmitted);
  });
});
