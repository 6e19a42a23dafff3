import { describe, expect, it } from 'vitest';
import { flattened, statementsOf } from '../support/allowed-actions.ts';
import { everyFunction, type Resource, resource, resourcesOf, templateFor } from '../support/built-app.ts';

const withKey = { ...everyFunction, 'sms:encryptionKey': 'customer' };
const template = templateFor(withKey);
const found = (type: string) => Object.entries(resourcesOf(template, type));
const key = resource(template, 'AWS::KMS::Key');
const keyPolicy = (key.Properties.KeyPolicy as { Statement: readonly Record<string, unknown>[] }).Statement;

/** Where each kind of resource says its key. */
const keyOf: Readonly<Record<string, (properties: Resource['Properties']) => unknown>> = {
  'AWS::DynamoDB::Table': ({ SSESpecification }) =>
    (SSESpecification as { KMSMasterKeyId: unknown } | undefined)?.KMSMasterKeyId,
  'AWS::SQS::Queue': ({ KmsMasterKeyId }) => KmsMasterKeyId,
  'AWS::SNS::Topic': ({ KmsMasterKeyId }) => KmsMasterKeyId,
  'AWS::SecretsManager::Secret': ({ KmsKeyId }) => KmsKeyId,
};

describe('with a customer managed key', () => {
  it.each([
    ['AWS::DynamoDB::Table', 5],
    ['AWS::SQS::Queue', 17],
    ['AWS::SNS::Topic', 1],
    ['AWS::SecretsManager::Secret', 2],
  ] as const)('each %s is encrypted with it, %i or more', (type, count) => {
    const all = found(type);
    expect(all.length).toBeGreaterThanOrEqual(count);
    for (const [, { Properties }] of all) {
      expect(flattened(keyOf[type]?.(Properties))).toContain(key.id);
      expect(Properties).not.toHaveProperty('SqsManagedSseEnabled');
    }
  });

  it('the key rotates, and is retained when its stack is deleted', () => {
    expect(key).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: { EnableKeyRotation: true },
    });
  });

  it('EventBridge uses the key without a condition on the source, which it does not support for topics', () => {
    const [, ...others] = keyPolicy;
    const byEvents = others.filter(({ Principal }) => JSON.stringify(Principal).includes('events.'));
    expect(byEvents).toEqual([
      expect.objectContaining({ Effect: 'Allow', Action: ['kms:Decrypt', 'kms:GenerateDataKey*'] }),
    ]);
    expect(byEvents[0]).not.toHaveProperty('Condition');
  });

  it('the policy of each queue that EventBridge fills names the rule instead', () => {
    const statements = found('AWS::SQS::QueuePolicy').flatMap(([, policy]) => statementsOf(policy));
    const byEvents = statements.filter((statement) => JSON.stringify(statement).includes('events.amazonaws'));
    expect(byEvents.length).toBeGreaterThan(0);
    for (const statement of byEvents) expect(JSON.stringify(statement)).toContain('"aws:SourceArn":');
  });

  it('the key can be used only in this account, and by its roles only through the services', () => {
    const [owner, ...rest] = keyPolicy;
    const others = rest.filter(({ Principal }) => !JSON.stringify(Principal).includes('events.'));
    expect(owner).toMatchObject({ Action: 'kms:*', Resource: '*' });
    expect(JSON.stringify(owner?.Principal)).toContain(':root');
    const conditions = others.map(({ Condition }) => JSON.stringify(Condition));
    expect(conditions).toHaveLength(3);
    for (const condition of conditions)
      expect(condition).toMatch(/"(kms:CallerAccount|aws:SourceAccount)":\{"Ref":"AWS::AccountId"\}/);
    const byRoles = conditions.filter((condition) => condition.includes('kms:CallerAccount'));
    expect(byRoles).toHaveLength(2);
    for (const condition of byRoles) expect(condition).toContain('"kms:ViaService":[');
    expect(others.find(({ Action }) => Action === 'kms:CreateGrant')).toMatchObject({
      Condition: { Bool: { 'kms:GrantIsForAWSResource': 'true' } },
    });
  });

  it('the services may use the key under the name of any partition', () => {
    const named = JSON.stringify(keyPolicy).match(/"dynamodb\.",\{"Ref":"AWS::Region"\},"\.[^\]]*\]/g) ?? [];
    expect(new Set(named)).toEqual(
      new Set([
        '"dynamodb.",{"Ref":"AWS::Region"},".amazonaws.com"]',
        '"dynamodb.",{"Ref":"AWS::Region"},".",{"Ref":"AWS::URLSuffix"}]',
      ]),
    );
  });

  it('no role has a permission for the key', () => {
    const statements = found('AWS::IAM::Policy').flatMap(([, policy]) => statementsOf(policy));
    expect(JSON.stringify(statements)).not.toContain('kms:');
  });
});

it('by default there is no customer managed key, and queues are encrypted', () => {
  const plain = templateFor(everyFunction);
  expect(JSON.stringify(plain.toJSON())).not.toContain('AWS::KMS::Key');
  const queues = Object.values(resourcesOf(plain, 'AWS::SQS::Queue'));
  expect(queues.length).toBeGreaterThanOrEqual(17);
  for (const { Properties } of queues) expect(Properties.SqsManagedSseEnabled).toBe(true);
});
