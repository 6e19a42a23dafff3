import { describe, expect, it } from 'vitest';
import { createSignRequest } from '../../../../cli/stores/sign-query.ts';
import { pathOf } from '../../../../functions/query/routes.ts';

// The keys are those of the AWS documentation. The signatures were made with botocore 1.43.11 (SigV4Auth for execute-api) for
// the same URLs.
const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const clock = () => Date.UTC(2026, 0, 15, 12, 0, 5);

describe('createSignRequest', () => {
  const sign = createSignRequest('us-east-1', keys, clock);

  it.each([
    [
      'an id with a slash, a space and a plus',
      pathOf('getMessage', { messageId: 'a/b c+d' }),
      {},
      '9960abe352657519b1a01f5f630cae467e56fd64cc24540f6e3d4f7218c95b5d',
    ],
    [
      'an id that is encoded twice',
      pathOf('getMessage', { messageId: "50% (é)'*?!" }),
      {},
      '50c0bea459736984d6990fdb9cfea373dff61357055dcef7e70a04e11274ee89',
    ],
    [
      'a number, and a time with a zone',
      pathOf('getTimeline', { phone: '+12025550143' }),
      { limit: '7', since: '2026-01-15T00:00:00+02:00' },
      '826b1f30e4d62d255287c59e567481f4e4849358956ac73358add56dcb3b0e0c',
    ],
    [
      'a list of statuses and a cursor',
      pathOf('listMessages'),
      { state: 'failed', status: 'failed,expired', cursor: 'WzEs.A_b-c~ *' },
      '71e00816212e39a741bc23df5dde3cc06ba6d0b6fa3b567f15e6ffaf2c6af657',
    ],
  ])('signs %s as botocore does', async (_, path, query, signature) => {
    const host = 'abc123.execute-api.us-east-1.amazonaws.com';
    expect(await sign({ method: 'GET', host, path, query })).toEqual({
      'x-amz-date': '20260115T120005Z',
      authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260115/us-east-1/execute-api/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
    });
  });

  it('signs the token of temporary keys, and accepts a provider of keys', async () => {
    const temporary = createSignRequest(
      'us-east-1',
      async () => ({ ...keys, sessionToken: 'a token/+=' }),
      clock,
    );
    const path = pathOf('getMessage', { messageId: 'msg-1' });
    expect(await temporary({ method: 'GET', host: '127.0.0.1:4000', path, query: {} })).toEqual({
      'x-amz-date': '20260115T120005Z',
      'x-amz-security-token': 'a token/+=',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260115/us-east-1/execute-api/aws4_request, SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=223995e2ef26b55ced95b333410de5fc792fe892057f1fd2111408ca4a70d8a9',
    });
  });
});
