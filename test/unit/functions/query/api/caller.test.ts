import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Caller,
  callerOf,
  hasRight,
  type Right,
  rightFor,
  roles,
} from '../../../../../functions/query/api/caller.ts';
import { routeNames } from '../../../../../functions/query/api/routes/routes.ts';
import { assertProperty } from '../../../../support/property.ts';

const encoded = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64url');
const bearer = (payload: unknown) => `Bearer e30.${encoded(payload)}.c2ln`;

/** The caller whose verified token has these groups. API Gateway passes a list on without a sign between its names. */
function user(groups: unknown, more: object = {}, header?: string) {
  const payload = { sub: 'user-1', groups, ...more };
  const claims = { ...payload, groups: Array.isArray(groups) ? `[${groups.join(' ')}]` : String(groups) };
  return callerOf(
    { authorizer: { jwt: { claims, scopes: null } }, header: header ?? bearer(payload) },
    'groups',
  );
}

describe('callerOf', () => {
  it.each([
    [['viewer'], 'viewer'],
    [['support', 'viewer'], 'support'],
    [['viewer', 'operator', 'other'], 'operator'],
    [['IT support staff', 'viewer'], 'viewer'],
    ['support', 'support'],
  ])('gives a user of the groups %j the role %s', (groups, role) => {
    expect(user(groups)).toEqual({ kind: 'user', id: 'user-1', person: 'user-1', role });
  });

  it.each([
    [{ email: 'ann@shop.test', email_verified: true, name: 'Ann' }, 'ann@shop.test'],
    [{ email: 'boss@shop.test', preferred_username: 'ann' }, 'ann'],
    [{ email: '', email_verified: true, preferred_username: '20012345' }, '20012345'],
    [{ email: 7, 'cognito:username': 'ann' }, 'ann'],
    [{ upn: 'ann@tenant.test' }, 'ann@tenant.test'],
    [{ email: 'boss@shop.test', email_verified: false, name: 'Ann' }, 'Ann'],
    [{ email: 'boss@shop.test', email_verified: 'false' }, 'user-1'],
    [{ preferred_username: '+1 202 555 0143' }, '•••0143'],
    [{ name: '12025550143@sms.test' }, '•••0143@sms.test'],
  ])('names the person of the token %j', (claims, person) => {
    expect(user(['viewer'], claims)).toMatchObject({ person });
  });

  it.each([
    undefined,
    null,
    '',
    '[]',
    '[support]',
    'viewers',
    'Viewer',
    7,
    {},
    ['super-operator'],
    [['operator']],
    ['IT support staff'],
    ['Finance operator training'],
    ['viewer,support'],
    'IT support staff',
  ])('refuses a user of the groups %j', (groups) => {
    expect(user(groups)).toBeUndefined();
  });

  it.each([undefined, '', 5])('refuses a token with the subject %j', (sub) => {
    expect(user(['viewer'], { sub })).toBeUndefined();
  });

  const [own, other] = ['user-1', 'user-2'].map((sub) => bearer({ sub, groups: ['operator'] }));

  it('reads the token with and without its scheme', () => {
    for (const header of [own, own?.replace('Bearer ', ''), own?.replace('Bearer', 'bearer')])
      expect(user([], {}, header)).toMatchObject({ role: 'operator' });
  });

  it.each([
    ['no token', ''],
    ['the token of another user', other],
    [
      'an access token, which does not name the person',
      bearer({ sub: 'user-1', groups: ['operator'], token_use: 'access' }),
    ],
    ['two tokens', `${own},${own}`],
    ['a token that is no JSON', 'Bearer e30.bm8.c2ln'],
    ['a token that is a list', bearer([])],
  ])('refuses a request with %s', (_, header) => {
    expect(user(['operator'], {}, header)).toBeUndefined();
  });

  it('takes a principal of AWS as such, and refuses a request without an authorizer', () => {
    const named = (authorizer: unknown) => callerOf({ authorizer, header: own }, 'groups');
    expect(named({ iam: { userArn: 'arn:aws:iam::1:user/a' } })).toEqual({
      kind: 'iam',
      person: 'user/a',
    });
    for (const authorizer of [undefined, null, {}, { lambda: {} }, { iam: null }, 'iam', []])
      expect(named(authorizer)).toBeUndefined();
  });

  it('never takes a token for a principal of AWS', () => {
    assertProperty(
      fc.property(fc.anything(), fc.string(), (claims, header) => {
        const caller = callerOf({ authorizer: { jwt: { claims }, iam: {} }, header }, 'groups');
        expect(caller?.kind).not.toBe('iam');
      }),
    );
  });
});

describe('hasRight', () => {
  const rights: readonly Right[] = ['read', 'reveal', 'replay'];

  it.each([
    ['viewer', ['read']],
    ['support', ['read', 'reveal']],
    ['operator', ['read', 'reveal', 'replay']],
  ] as const)('lets a %s do %j', (role, allowed) => {
    const caller: Caller = { kind: 'user', id: 'user-1', person: 'ann', role };
    expect(rights.filter((right) => hasRight(caller, right))).toEqual(allowed);
  });

  it('leaves the rights of a principal of AWS to its policy', () => {
    expect(rights.every((right) => hasRight({ kind: 'iam', person: 'user/a' }, right))).toBe(true);
  });

  it('gives every role what the one before it may do', () => {
    for (const right of rights) {
      const may = roles.map((role) => hasRight({ kind: 'user', id: 'user-1', person: 'ann', role }, right));
      expect(may).toEqual([...may].sort());
    }
  });
});

describe('rightFor', () => {
  it('needs reveal for whole numbers, and for answers that cannot be masked', () => {
    for (const name of routeNames) expect(rightFor(name, true)).toBe('reveal');
    expect(routeNames.filter((name) => rightFor(name, false) === 'reveal')).toEqual([
      'listOptOuts',
      'getQuarantineEntry',
    ]);
  });
});
