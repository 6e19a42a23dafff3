import { describe, expect, it } from 'vitest';
import { explainError } from '../../../../cli/target/errors.ts';

function named(name: string, message = 'what AWS said', more: object = { $metadata: {} }): Error {
  return Object.assign(new Error(message), { name, ...more });
}

const refused = { code: 'ECONNREFUSED', address: '127.0.0.1', port: 4002 };

describe('explainError', () => {
  it.each([
    [named('CredentialsProviderError', 'none found\n  at length', {}), 'No AWS credentials'],
    [named('ExpiredTokenException'), 'sign in again'],
    [named('UnrecognizedClientException'), 'sign in again'],
    [named('ThrottlingException'), 'try again in a moment'],
    [named('Error', 'Region is missing', {}), 'give --region or set AWS_REGION'],
    [named('TimeoutError', 'took too long', {}), 'No answer in time'],
    [named('AccessDenied', 'not authorized\nto do it'), 'AWS answered AccessDenied: not authorized'],
    [named('ResourceNotFoundException'), 'no longer exists'],
    [Object.assign(new Error('refused'), refused), 'Nothing answers at 127.0.0.1:4002 (ECONNREFUSED)'],
    [new TypeError('fetch failed', { cause: Object.assign(new Error(), refused) }), 'npm start'],
    [
      Object.assign(new AggregateError([Object.assign(new Error(), refused)]), { code: 'ECONNREFUSED' }),
      'Nothing answers at 127.0.0.1:4002',
    ],
    [
      Object.assign(new Error(), { code: 'ENOTFOUND', hostname: 'api.example.test' }),
      'api.example.test cannot be reached (ENOTFOUND)',
    ],
    [Object.assign(new Error(), { code: 'ECONNRESET' }), 'the network cannot be reached (ECONNRESET)'],
  ])('explains %s in one line', (error, line) => {
    const explanation = explainError(error);
    expect(explanation).toContain(line);
    expect(explanation).not.toContain('\n');
  });

  it.each([new Error('a bug'), new TypeError('x', { cause: 'y' }), 'text', undefined, null])(
    'leaves %s for what it is',
    (error) => {
      expect(explainError(error)).toBeUndefined();
    },
  );
});
