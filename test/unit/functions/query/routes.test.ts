import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchRoute, PathEncodingError, pathOf } from '../../../../functions/query/routes.ts';
import { assertProperty } from '../../../support/property.ts';

/** What API Gateway's HTTP APIs make of a path, as captured: decoded once, and cut at a "?" that shows up then. */
const throughGateway = (path: string) =>
  decodeURIComponent(new URL(path, 'https://api.test').pathname).split('?')[0] ?? '';

describe('pathOf and matchRoute', () => {
  it.each([
    ['msg-1', '/v1/messages/msg-1'],
    ['a/b', '/v1/messages/a%2Fb'],
    ["it's (ours)!*", '/v1/messages/it%27s%20%28ours%29%21%2A'],
    ['50%', '/v1/messages/50%2525'],
    ['what?', '/v1/messages/what%253F'],
    ['..', '/v1/messages/%252E%252E'],
  ])('write a message id %s as %s', (messageId, path) => {
    expect(pathOf('getMessage', { messageId })).toBe(path);
  });

  it.each(['getMessage', 'listSend'] as const)('read %s with any id unchanged', (name) => {
    const key = name === 'getMessage' ? 'messageId' : 'sendId';
    const special = fc.constantFrom('/', '%', '?', '#', '.', '..', '%2F', '+', ' ', '//', 'messages', 'ü');
    const ids = fc
      .oneof(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.array(special, { minLength: 1 }).map((parts) => parts.join('')),
      )
      .filter((id) => id.isWellFormed());
    assertProperty(
      fc.property(ids, (id) => {
        expect(matchRoute(throughGateway(pathOf(name, { [key]: id })))).toEqual({
          name,
          parameters: { [key]: id },
        });
      }),
    );
  });

  it('also read a path that a gateway left encoded', () => {
    expect(matchRoute('/v1/phones/%2B12025550143/timeline')?.parameters).toEqual({ phone: '+12025550143' });
    expect(matchRoute('/v1/messages/a%2Fb')?.parameters).toEqual({ messageId: 'a/b' });
  });

  it.each(['/v1/messages/50%', '/v1/messages/%E9', '/v1/phones/%zz/timeline'])('reject %s', (path) => {
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
  ])('find no route at %s', (path) => {
    expect(matchRoute(path)).toBeUndefined();
  });
});
