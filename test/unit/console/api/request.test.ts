import { afterEach, expect, test, vi } from 'vitest';
import { get, queryText, RequestError, segment } from '../../../../console/api/request.ts';

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
  ['a/messages', 'a%252Fmessages'],
  ['a/messages.csv', 'a%252Fmessages.csv'],
  ['2026-01-15T12:00:05.000Z#9f#0', '2026-01-15T12%3A00%3A05.000Z%239f%230'],
])('the id %s is the segment %s', (id, path) => {
  expect(segment(id)).toBe(path);
});

afterEach(() => vi.unstubAllGlobals());

test('an id that several sources use is one of main, and any other problem is shown', async () => {
  const asked: string[] = [];
  const problemOf = (kind: string) =>
    Response.json(
      { type: `urn:sms-event-pipeline:problem:${kind}`, detail: kind, status: 400 },
      { status: 400 },
    );
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    if (url.includes('main%2F')) return Response.json({ messageId: 'a' });
    return problemOf(url.endsWith('wrong') ? 'invalid-path' : 'ambiguous-id');
  });
  expect(await get('/v1/sends/a%2Fb/messages')).toEqual({ messageId: 'a' });
  await expect(get('/v1/messages/wrong')).rejects.toThrow(RequestError);
  expect(asked).toEqual([
    '/v1/sends/a%2Fb/messages',
    '/v1/sends/main%2Fa%2Fb/messages',
    '/v1/messages/wrong',
  ]);
});
