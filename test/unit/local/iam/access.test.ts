import { describe, expect, it } from 'vitest';
import type { Permission } from '../../../../local/aws-protocol/call.ts';
import { accessKeyIdOf } from '../../../../local/iam/caller.ts';
import { type PolicyEntry, policyEntries } from '../../../../local/iam/policy.ts';
import { silentAccess } from '../../../support/gateway.ts';

const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/History';
const secret = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Webhook-a1b2c3';

function accessWith(policy: readonly PolicyEntry[], unusedBecause: Record<string, string> = {}) {
  const firstDenials: string[] = [];
  const access = silentAccess((denial) => firstDenials.push(denial));
  const principalArn = 'arn:aws:sts::000000000000:assumed-role/WorkerRole/Worker';
  const caller = { accessKeyId: 'Worker', label: 'worker', principalArn, unusedBecause };
  access.set({ ...caller, policy });
  const may = (action: string, resource: string, context?: Permission['context']) =>
    access.denialOf('Worker', [{ action, resource, ...(context && { context }) }]);
  return { access, caller, firstDenials, may };
}

const statements = (...Statement: object[]) => policyEntries({ Version: '2012-10-17', Statement }, () => {});

describe('access of functions', () => {
  const policy = statements(
    { Effect: 'Allow', Action: ['dynamodb:GetItem', 'dynamodb:Query'], Resource: table },
    { Effect: 'Allow', Action: 'dynamodb:Query', Resource: `${table}/index/byNumber` },
  );

  it.each([
    ['what is granted', 'dynamodb:GetItem', table, true],
    ['an action that is not', 'dynamodb:PutItem', table, false],
    ['an index that is granted', 'dynamodb:Query', `${table}/index/byNumber`, true],
    ['an index by the grant for its table', 'dynamodb:Query', `${table}/index/byList`, false],
  ])('%s', (_, action, resource, allowed) => {
    expect(accessWith(policy).may(action, resource) === undefined).toBe(allowed);
  });

  it('is denied by an explicit deny, and without any policy', () => {
    const denied = [...policy, ...statements({ Effect: 'Deny', Action: 'dynamodb:*', Resource: '*' })];
    expect(accessWith(denied).may('dynamodb:GetItem', table)).toContain('explicit deny');
    expect(accessWith([]).may('dynamodb:GetItem', table)).toContain('not authorized');
  });

  it('evaluates conditions', () => {
    const Condition = { StringEquals: { 'events:source': 'sms.pipeline' } };
    const { may } = accessWith(
      statements({ Effect: 'Allow', Action: 'events:PutEvents', Resource: '*', Condition }),
    );
    expect(may('events:PutEvents', 'bus', { 'events:source': 'sms.pipeline' })).toBeUndefined();
    expect(may('events:PutEvents', 'bus', { 'events:source': 'else' })).toContain('not authorized');
  });

  it('evaluates conditions about keys, which hold for no call without one', () => {
    const key = 'dynamodb:LeadingKeys';
    const Condition = { 'ForAllValues:StringLike': { [key]: ['drift#*'] }, Null: { [key]: 'false' } };
    const { may } = accessWith(
      statements({ Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: table, Condition }),
    );
    expect(may('dynamodb:GetItem', table, { [key]: ['drift#'] })).toBeUndefined();
    for (const context of [{ [key]: ['message#'] }, {}])
      expect(may('dynamodb:GetItem', table, context)).toContain('not authorized');
  });

  it('matches a secret by the pattern for its random ending', () => {
    const { may } = accessWith(
      statements({
        Effect: 'Allow',
        Action: 'secretsmanager:GetSecretValue',
        Resource: secret.replace('a1b2c3', '??????'),
      }),
    );
    expect(may('secretsmanager:GetSecretValue', secret)).toBeUndefined();
    expect(may('secretsmanager:GetSecretValue', secret.replace('Webhook', 'Webhook-2'))).toContain('not');
  });
});

describe('a statement that one machine cannot evaluate', () => {
  it.each([
    ['NotAction', { Effect: 'Allow', NotAction: 'sqs:*', Resource: '*' }],
    ['NotResource', { Effect: 'Allow', Action: 'sqs:*', NotResource: '*' }],
  ])('is left out with a line: %s', (_, Statement) => {
    const notes: string[] = [];
    const policy = { Version: '2012-10-17', Statement };
    expect(policyEntries(policy, (line) => notes.push(line))).toEqual([]);
    expect(notes).toEqual([expect.stringContaining(JSON.stringify(Statement))]);
  });

  it('allows nothing if its condition key has no value here', () => {
    const notes: string[] = [];
    const Condition = { Bool: { 'aws:MultiFactorAuthPresent': true } };
    const Statement = { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: table, Condition };
    const entries = policyEntries({ Version: '2012-10-17', Statement }, (line) => notes.push(line));
    expect(accessWith(entries).may('dynamodb:GetItem', table)).toContain('not authorized');
    expect(notes).toEqual(['requests have no condition key aws:MultiFactorAuthPresent on one machine']);
  });
});

describe('the access key id of a request', () => {
  it.each([
    [
      'AWS4-HMAC-SHA256 Credential=Stack-Worker/20261121/us-east-1/sqs/aws4_request, SignedHeaders=host',
      'Stack-Worker',
    ],
    ['Bearer abc', undefined],
    [undefined, undefined],
  ])('%s', (header, expected) => {
    expect(accessKeyIdOf(header)).toBe(expected);
  });
});
