import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Caller,
  callerOf,
  hasRight,
  type Right,
  rightFor,
  roles,
} from '../../../../functions/query/caller.ts';
import { routeNames } from '../../../../functions/query/routes.ts';
import { assertProperty } from '../../../support/property.ts';

const user = (groups: unknown, more: object = {}) =>
  callerOf({ jwt: { claims: { sub: 'user-1', groups, ...more }, scopes: null } }, 'groups');

describe('callerOf', () => {
  it.each([
    ['[viewer]', 'viewer'],
    ['[support viewer]', 'support'],
    ['[viewer operator other]', 'operator'],
    ['support', 'support'],
    ['viewer, support', 'support'],
    [['viewer', 'operator'], 'operator'],
  ])('gives a user of the groups %j the role %s', (groups, role) => {
    expect(user(groups)).toEqual({ kind: 'user', id: 'user-1', role });
  });

  it.each([undefined, null, '', '[]', '[other]', 'viewers', 'Viewer', 7, {}, ['super-operator']])(
    'refuses a user of the groups %j',
    (groups) => {
      expect(user(groups)).toBeUndefined();
    },
  );

  it.each([undefined, '', 5])('refuses a token with the subject %j', (sub) => {
    expect(user('[viewer]', { sub })).toBeUndefined();
  });

  it('takes a principal of AWS as such, and refuses a request without an authorizer', () => {
    expect(callerOf({ iam: { userArn: 'arn:aws:iam::1:user/a' } }, 'groups')).toEqual({ kind: 'iam' });
    for (const authorizer of [undefined, null, {}, { lambda: {} }, { iam: null }, 'iam', []])
      expect(callerOf(authorizer, 'groups')).toBeUndefined();
  });

  it('never takes a token for a principal of AWS', () => {
    assertProperty(
      fc.property(fc.anything(), (claims) => {
        expect(callerOf({ jwt: { claims }, iam: {} }, 'groups')?.kind).not.toBe('iam');
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
    const caller: Caller = { kind: 'user', id: 'user-1', role };
    expect(rights.filter((right) => hasRight(caller, right))).toEqual(allowed);
  });

  it('leaves the rights of a principal of AWS to its policy', () => {
    expect(rights.every((right) => hasRight({ kind: 'iam' }, right))).toBe(true);
  });

  it('gives every role what the one before it may do', () => {
    for (const right of rights) {
      const may = roles.map((role) => hasRight({ kind: 'user', id: 'user-1', role }, right));
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
