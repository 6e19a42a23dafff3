import { describe, expect, it } from 'vitest';
import {
  describeError,
  errorOfStatus,
  maxErrorCharacters,
  type SmsServiceError,
} from '../../../../../functions/base/sms-service/request.ts';

const of = (status: number, retryAfterMs: number | null = null) =>
  errorOfStatus('set webhook', { status, body: '{"error":"x"}', retryAfterMs });

describe('errorOfStatus', () => {
  it.each([
    [400, 'bad-request'],
    [401, 'unauthorized'],
    [403, 'refused'],
    [404, 'not-found'],
    [302, 'refused'],
    [422, 'validation'],
    [429, 'too-many-requests'],
    [500, 'server'],
    [503, 'server'],
  ])('names %i as %s and keeps the answer', (status, kind) => {
    expect(of(status)).toMatchObject({ kind, operation: 'set webhook', status, body: '{"error":"x"}' });
  });

  it('keeps the wait that the service asked for', () => {
    expect(of(429, 3000)).toMatchObject({ retryAfterMs: 3000 });
    expect(of(503)).toMatchObject({ retryAfterMs: null });
  });

  it('keeps a bounded part of the body', () => {
    const error = errorOfStatus('x', { status: 500, body: 'a'.repeat(10_000), retryAfterMs: null });
    expect(error).toHaveProperty('body', 'a'.repeat(maxErrorCharacters));
  });
});

describe('describeError', () => {
  it.each<[SmsServiceError, string]>([
    [of(422), 'set webhook: the SMS service answered 422 (validation): {"error":"x"}'],
    [
      { kind: 'server', operation: 'read webhook', status: 500, body: '', retryAfterMs: null },
      'read webhook: the SMS service answered 500 (server): no body',
    ],
    [
      {
        kind: 'unexpected-answer',
        operation: 'read webhook',
        status: 200,
        path: '$.url',
        expected: 'expected string',
      },
      'read webhook: unexpected answer of the SMS service (status 200): $.url: expected string',
    ],
    [
      { kind: 'timeout', operation: 'read webhook', afterMs: 10_000 },
      'read webhook: no answer of the SMS service within 10000 ms',
    ],
    [
      { kind: 'network', operation: 'exchange token', code: 'ECONNREFUSED' },
      'exchange token: the SMS service could not be reached (ECONNREFUSED)',
    ],
  ])('returns one line: %o', (error, text) => {
    expect(describeError(error)).toBe(text);
  });
});
