import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSignedFetch, type SignedFetchSettings } from '../../../client/signed-fetch.ts';
import { matchRoute } from '../../../functions/query/api/routes/routes.ts';
import { assertProperty } from '../../support/property.ts';

// The keys are those of the AWS documentation. The signatures were made with botocore 1.43.11 (SigV4Auth for execute-api) for
// the same URLs.
const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const base = 'https://abc123.execute-api.us-east-1.amazonaws.com/v1';
const messagePath = (id: string) => `/messages/${encodeURIComponent(id)}`;

/** Returns the request that is sent for a URL. */
async function requestOf(url: string, credentials: SignedFetchSettings['credentials'] = keys) {
  let sent = { url: '', headers: {} };
  const signedFetch = createSignedFetch({
    region: 'us-east-1',
    credentials,
    clock: () => Date.UTC(2026, 0, 15, 12, 0, 5),
    fetch: async (url, { headers } = {}) => {
      sent = { url: String(url), headers: Object.fromEntries(new Headers(headers)) };
      return new Response();
    },
  });
  await signedFetch(url);
  return sent;
}

describe('createSignedFetch', () => {
  it.each([
    [
      'an id with a slash, a space and a plus',
      messagePath('a/b c+d'),
      '/messages/a%2Fb%20c%2Bd',
      '9960abe352657519b1a01f5f630cae467e56fd64cc24540f6e3d4f7218c95b5d',
    ],
    [
      'an id that is encoded twice',
      messagePath("50% (é)'*?!"),
      '/messages/50%2525%2520%2528%25C3%25A9%2529%2527%252A%253F%2521',
      '50c0bea459736984d6990fdb9cfea373dff61357055dcef7e70a04e11274ee89',
    ],
    [
      'a number, and a time with a zone',
      '/phones/+12025550143/timeline?limit=7&since=2026-01-15T00:00:00%2B02:00',
      '/phones/%2B12025550143/timeline?limit=7&since=2026-01-15T00%3A00%3A00%2B02%3A00',
      '826b1f30e4d62d255287c59e567481f4e4849358956ac73358add56dcb3b0e0c',
    ],
    [
      'a list of statuses and a cursor',
      '/messages?state=failed&status=failed,expired&cursor=WzEs.A_b-c~%20*',
      '/messages?state=failed&status=failed%2Cexpired&cursor=WzEs.A_b-c~%20%2A',
      '71e00816212e39a741bc23df5dde3cc06ba6d0b6fa3b567f15e6ffaf2c6af657',
    ],
  ])('signs %s as botocore does', async (_, path, encoded, signature) => {
    expect(await requestOf(base + path)).toEqual({
      url: base + encoded,
      headers: {
        'x-amz-date': '20260115T120005Z',
        authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260115/us-east-1/execute-api/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
      },
    });
  });

  it('signs and sends a body as botocore does', async () => {
    const sent: RequestInit[] = [];
    const signedFetch = createSignedFetch({
      region: 'us-east-1',
      credentials: keys,
      clock: () => Date.UTC(2026, 0, 15, 12, 0, 5),
      fetch: async (_, init = {}) => {
        sent.push(init);
        return new Response();
      },
    });
    await signedFetch(`${base}/search`, { method: 'POST', body: '{"q":"+12025550143"}' });
    expect(sent).toMatchObject([{ method: 'POST', body: '{"q":"+12025550143"}' }]);
    expect(new Headers(sent[0]?.headers).get('authorization')).toContain(
      'Signature=b6a8bb8d8b97d6bd419bffb955501f59df501d12007722ff51ef1e0289c42e54',
    );
  });

  it('signs the token of temporary keys, and accepts a provider of keys', async () => {
    const provider = async () => ({ ...keys, sessionToken: 'a token/+=' });
    const { headers } = await requestOf('http://127.0.0.1:4000/v1/messages/msg-1', provider);
    expect(headers).toEqual({
      'x-amz-date': '20260115T120005Z',
      'x-amz-security-token': 'a token/+=',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260115/us-east-1/execute-api/aws4_request, SignedHeaders=host;x-amz-date;x-amz-security-token, Signature=223995e2ef26b55ced95b333410de5fc792fe892057f1fd2111408ca4a70d8a9',
    });
  });

  it('encodes any id so that the function gets it unchanged from API Gateway', async () => {
    const special = fc.constantFrom(
      '/',
      '%',
      '?',
      '#',
      '.',
      '..',
      '%2F',
      '+',
      ' ',
      '//',
      '/messages',
      '/messages.csv',
      'ü',
    );
    const ids = fc
      .oneof(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.array(special, { minLength: 1 }).map((parts) => parts.join('')),
      )
      // A URL has no segment of dots only.
      .filter((id) => id.isWellFormed() && !/^\.\.?$/.test(id));
    await assertProperty(
      fc.asyncProperty(ids, async (id) => {
        const routeOf = async (path: string) => {
          const { pathname } = new URL((await requestOf(base + path)).url);
          // API Gateway decodes the path once, and cuts it at a "?" that shows up then.
          const [rawPath = ''] = decodeURIComponent(pathname).split('?');
          return matchRoute(rawPath);
        };
        const message = { name: 'getMessage', parameters: { messageId: id } };
        expect(await routeOf(messagePath(id))).toEqual(message);
        const send = `/sends/${encodeURIComponent(id)}`;
        for (const [name, path] of [
          ['getSend', send],
          ['listSend', `${send}/messages`],
          ['listSendCsv', `${send}/messages.csv`],
        ] as const)
          expect(await routeOf(path)).toEqual({ name, parameters: { sendId: id } });
      }),
    );
  });
});
