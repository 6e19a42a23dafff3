import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../lib/settings/read-settings.ts';
import {
  allAutomations,
  buildApp,
  customDomain,
  resource,
  resourcesOf,
  templatesFor,
} from '../support/built-app.ts';

const { storage } = templatesFor();

describe('tables', () => {
  it.each(['History', 'Quarantine'])('%s is retained, protected from deletion and backed up', (name) => {
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
  });

  it('history is keyed by pk, with an index for each query', () => {
    const { Properties } = resource(storage, 'AWS::DynamoDB::Table', 'History');
    expect(Properties.KeySchema).toEqual([{ AttributeName: 'pk', KeyType: 'HASH' }]);
    const index = (IndexName: string, key: string, sortedBy: string) => ({
      IndexName,
      KeySchema: [
        { AttributeName: key, KeyType: 'HASH' },
        { AttributeName: sortedBy, KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    });
    expect(Properties.GlobalSecondaryIndexes).toEqual([
      index('byPhone', 'phone', 'at'),
      index('byWorklist', 'worklist', 'listedAt'),
      index('bySend', 'sendKey', 'at'),
    ]);
  });

  it('history has a stream with the old and the new image of each change', () => {
    expect(resource(storage, 'AWS::DynamoDB::Table', 'History').Properties.StreamSpecification).toEqual({
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    });
    expect(resource(storage, 'AWS::DynamoDB::Table', 'Quarantine').Properties).not.toHaveProperty(
      'StreamSpecification',
    );
  });

  it('quarantine is keyed by pk and sk', () => {
    expect(resource(storage, 'AWS::DynamoDB::Table', 'Quarantine').Properties.KeySchema).toEqual([
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ]);
  });
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
    expect(buildApp().storage.terminationProtection).toBe(true);
  });

  // A logical id that changes makes CloudFormation create an empty table or secret in place of the full one.
  it('under these logical ids', () => {
    expect(Object.keys(resourcesOf(storage, 'AWS::DynamoDB::Table')).sort()).toEqual([
      'HistoryC127576E',
      'Quarantine23FF09FE',
    ]);
    expect(resource(storage, 'AWS::SecretsManager::Secret').id).toBe('WebhookSecret');
  });

  it('under names that CloudFormation chooses', () => {
    expect(JSON.stringify(storage.toJSON().Resources)).not.toMatch(/"(TableName|Name)":/);
  });

  it('with all settings', () => {
    const others = {
      'sms:contractFile': 'other.json',
      'sms:apiKeySecretName': 'other/key',
      'sms:serviceBaseUrl': 'https://other.sms-service.example',
      'sms:retentionDays': 1,
      'sms:quarantineRetentionDays': 1,
      'sms:secretOverlapHours': 1,
      'sms:rotateAfterDays': 1,
      'sms:parkUnverified': 'always',
      'sms:captureUntil': '2026-01-15T12:00:00Z',
      'sms:webhookDrift': 'report',
      'sms:throttleRatePerSecond': 1,
      'sms:throttleBurst': 1,
      'sms:workerBatchSize': 11,
      'sms:workerBatchWindowSeconds': 2,
      'sms:workerTimeoutSeconds': 10,
      'sms:workerMaximumConcurrency': 2,
      'sms:maxReceiveCount': 13,
      'sms:worklistShards': 1,
      'sms:staleAfterHours': 0,
      'sms:queryRoleArn': 'arn:aws:iam::000000000000:role/reader',
      'sms:exportToS3': 'daily',
      'sms:exportRetentionDays': 1,
      'sms:logRetentionDays': 1,
      'sms:keywordsFile': 'other.json',
      'sms:everyEvent': 'on',
      'sms:publisherParallelism': 1,
      'sms:eventArchiveDays': 0,
      'sms:eventBusAccounts': '111111111111',
      'sms:eventSchemaRegistry': 'on',
      ...customDomain,
      'sms:webhookAddress': 'api',
      'sms:ingestReservedConcurrency': 1,
      'sms:queryReservedConcurrency': 1,
      'sms:dashboard': 'off',
      'sms:tracing': 'on',
      'sms:invocationLogs': 'on',
      'sms:accessLog': 'off',
      ...allAutomations,
      'sms:optOutListIds': '5f2b8a52-0a2f-4f2e-9d3a-3f6f7c1f9e10',
      'sms:optInListIds': '5f2b8a52-0a2f-4f2e-9d3a-3f6f7c1f9e10',
      'sms:contactListIds': '5f2b8a52-0a2f-4f2e-9d3a-3f6f7c1f9e10',
      'sms:contactSyncPeriodHours': 1,
      'sms:failureAlertMinutes': 5,
      'sms:forwardDetailTypes': 'SMS Opt-Out',
      'sms:billingWatchDays': 1,
      'sms:alarmTopicArn': 'arn:aws:sns:us-east-1:000000000000:ops',
    };
    const defaults = readSettings({});
    const untouched = Object.entries(readSettings(others)).filter(
      ([name, value]) => value === Reflect.get(defaults, name),
    );
    // The key is the one setting that is about what is stored; registration goes with few of the others.
    expect(untouched).toEqual([
      ['stackPrefix', 'SmsPipeline'],
      ['registration', 'on'],
      ['encryptionKey', 'aws'],
    ]);
    expect(templatesFor(others).storage.toJSON()).toEqual(storage.toJSON());
    expect(templatesFor({ 'sms:registration': 'off' }).storage.toJSON()).toEqual(storage.toJSON());
  });

  it('with any stack names', () => {
    expect(templatesFor({ 'sms:stackPrefix': 'Other' }).storage.toJSON().Resources).toEqual(
      storage.toJSON().Resources,
    );
  });
});

it('the stack names the tables and the secret in its outputs', () => {
  const { HistoryTableName, QuarantineTableName, WebhookSecretId } = storage.toJSON().Outputs;
  expect([HistoryTableName.Value, QuarantineTableName.Value, WebhookSecretId.Value]).toEqual([
    { Ref: 'HistoryC127576E' },
    { Ref: 'Quarantine23FF09FE' },
    { Ref: 'WebhookSecret' },
  ]);
});
