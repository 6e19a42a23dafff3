import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../lib/app/read-settings.ts';
import {
  assemblyFor,
  type Context,
  changedSettings,
  resource,
  resourcesOf,
  templateFor,
} from '../support/built-app.ts';

const storage = templateFor();

// Their ids, keys, indexes and streams: test/infra/deployable/pinned.txt.
describe('tables', () => {
  it.each(['History', 'Quarantine'])('%s is retained, protected from deletion and backed up', (name) => {
    expect(resource(storage, 'AWS::DynamoDB::Table', name)).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 },
        TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      },
    });
  });
});

it('the table of counters is retained and protected, and not backed up, because the history has the facts', () => {
  expect(resource(storage, 'AWS::DynamoDB::Table', 'Insights')).toMatchObject({
    DeletionPolicy: 'Retain',
    Properties: {
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    },
  });
});

it('removalPolicy=destroy deletes the tables and the secret with the stack, which nothing protects', () => {
  const context = { 'sms:removalPolicy': 'destroy', 'sms:encryptionKey': 'customer' };
  const template = templateFor(context);
  const policies = Object.values(template.toJSON().Resources as Record<string, { DeletionPolicy?: string }>);
  expect(new Set(policies.map(({ DeletionPolicy = 'Delete' }) => DeletionPolicy))).toEqual(
    new Set(['Delete']),
  );
  const isProtected = (settings: Context) => assemblyFor(settings).stack.terminationProtection;
  expect([isProtected({}), isProtected(context)]).toEqual([true, false]);
});

describe('the settings of tables', () => {
  const tablesWith = (context: Context) =>
    ['History', 'Quarantine'].map(
      (name) => resource(templateFor(context), 'AWS::DynamoDB::Table', name).Properties,
    );

  it('historyTableClass is the class of the history table alone, which templates always name', () => {
    const classes = (context: Context) => tablesWith(context).map(({ TableClass }) => TableClass);
    expect(classes({})).toEqual(['STANDARD', undefined]);
    expect(classes(changedSettings)).toEqual(['STANDARD_INFREQUENT_ACCESS', undefined]);
  });

  it('recoveryDays is the recovery period of all tables, and 0 switches backups off', () => {
    for (const { PointInTimeRecoverySpecification } of tablesWith(changedSettings))
      expect(PointInTimeRecoverySpecification).toEqual({
        PointInTimeRecoveryEnabled: true,
        RecoveryPeriodInDays: 8,
      });
    for (const { PointInTimeRecoverySpecification } of tablesWith({ 'sms:recoveryDays': 0 }))
      expect(PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: false });
  });
});

describe('the webhook secret', () => {
  it('is created without a value, so that no deployment overwrites the value of the service', () => {
    const { Properties, DeletionPolicy, UpdateReplacePolicy } = resource(
      storage,
      'AWS::SecretsManager::Secret',
      'WebhookSecret',
    );
    expect(Object.keys(Properties)).toEqual(['Description']);
    // A first deployment that fails leaves no secret behind.
    expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['RetainExceptOnCreate', 'Retain']);
  });
});

describe('stored data remains', () => {
  /** The tables and the secret, by logical id. */
  const storedBy = (template: Template) =>
    Object.fromEntries(
      ['AWS::DynamoDB::Table', 'AWS::SecretsManager::Secret']
        .flatMap((type) => Object.entries(resourcesOf(template, type)))
        .filter(([id]) => id.startsWith('History')),
    );

  it('the stack cannot be deleted by accident', () => {
    expect(assemblyFor().stack.terminationProtection).toBe(true);
  });

  it('with all settings, in tables that differ in their class, backups and tags only', () => {
    const defaults: Record<string, unknown> = { ...readSettings({}) };
    const untouched = Object.entries(readSettings(changedSettings)).filter(
      ([name, value]) => value === defaults[name],
    );
    // The key and the removal are about what is stored; registration goes with few of the others.
    expect(untouched).toEqual([
      ['stackName', 'SmsPipeline'],
      ['registration', 'on'],
      ['removalPolicy', 'retain'],
      ['encryptionKey', 'aws'],
      ['insights', 'on'],
    ]);
    const { historyTableClass, recoveryDays } = defaults;
    // Tags change no data.
    const { 'sms:tags': _, ...untagged } = changedSettings;
    const sameTables = {
      ...untagged,
      'sms:historyTableClass': historyTableClass,
      'sms:recoveryDays': recoveryDays,
    };
    expect(storedBy(templateFor(sameTables))).toEqual(storedBy(storage));
    expect(storedBy(templateFor({ 'sms:registration': 'off' }))).toEqual(storedBy(storage));
  });
});
