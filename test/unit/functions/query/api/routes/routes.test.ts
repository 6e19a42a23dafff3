import { describe, expect, it } from 'vitest';
import { matchRoute, PathEncodingError } from '../../../../../../functions/query/api/routes/routes.ts';

describe('matchRoute', () => {
  it('reads a path that a gateway left encoded', () => {
    expect(matchRoute('/v1/phones/%2B12025550143/timeline')?.parameters).toEqual({ phone: '+12025550143' });
    expect(matchRoute('/v1/messages/a%2Fb')?.parameters).toEqual({ messageId: 'a/b' });
  });

  it.each(['/v1/messages/50%', '/v1/messages/%E9', '/v1/phones/%zz/timeline'])('rejects %s', (path) => {
    expect(() => matchRoute(path)).toThrow(PathEncodingError);
  });

  it.each([
    '/',
    '/v1',
    '/v1/messages/',
    '/v1/phones/+12025550143',
    '/v2/messages',
    '/v1/Replies',
    'x/v1/replies',
  ])('finds no route at %s', (path) => {
    expect(matchRoute(path)).toBeUndefined();
  });
});
