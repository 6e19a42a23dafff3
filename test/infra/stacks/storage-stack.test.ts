import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../lib/app/read-settings.ts';
import { assemblyFor, changedSettings, resource, templatesFor } from '../support/built-app.ts';

const { storage } = templatesFor();

// Their ids, keys, indexes and streams: test/infra/deployable/pinned.json.
describe('tables', () => {
  it.each(['History', 'OpenBatches', 'Quarantine'])(
    '%s is retained, protected from deletion and backed up',
    (name) => {
      expect(resource(storage, 'AWS::DynamoDB::Table', name)).toMatchObject({
        DeletionPolicy: 'Retain',
        UpdateReplacePolicy: 'Retain',
        Properties: {
          BillingMode: 'PAY_PER_REQUEST',
          DeletionProtectionEnabled: true,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
        },
      });
    },
  );
});

describe('the webhook secret', () => {
  it('is created without a value, so that no deployment overwrites the value of the service', () => {
    const { Properties, DeletionPolicy, UpdateReplacePolicy } = resource(
      storage,
      'AWS::SecretsManager::Secret',
    );
    expect(Object.keys(Properties)).toEqual(['Description']);
    expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
  });
});

describe('stored data remains', () => {
  it('the stack cannot be deleted by accident', () => {
    expect(assemblyFor().stacks.storage.terminationProtection).toBe(true);
  });

  it('with all settings', () => {
    const defaults = readSettings({});
    const untouched = Object.entries(readSettings(changedSettings)).filter(
      ([name, value]) => value === Reflect.get(defaults, name),
    );
    // The key is the one setting that is about what is stored; registration goes with few of the others.
    expect(untouched).toEqual([
      ['stackPrefix', 'SmsPipeline'],
      ['registration', 'on'],
      ['encryptionKey', 'aws'],
    ]);
    expect(templatesFor(changedSettings).storage.toJSON()).toEqual(storage.toJSON());
    expect(templatesFor({ 'sms:registration': 'off' }).storage.toJSON()).toEqual(storage.toJSON());
  });

  it('with any stack names', () => {
    expect(templatesFor({ 'sms:stackPrefix': 'Other' }).storage.toJSON().Resources).toEqual(
      storage.toJSON().Resources,
    );
  });
});
