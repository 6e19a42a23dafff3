import { describe, expect, it } from 'vitest';
import { prefixOf } from '../../../functions/history/exporter/export-days.ts';
import { everyFunction, resource, resourcesOf, templateFor } from '../support/built-app.ts';

const analysis = templateFor(everyFunction);
const bucket = resource(analysis, 'AWS::S3::Bucket');

/** A value of the template in which the bucket is called `bucket`. */
function text(value: unknown): string {
  if (typeof value === 'string') return value;
  const [, parts] = (value as { 'Fn::Join': [string, (string | { Ref: string })[]] })['Fn::Join'];
  return parts
    .map((part) => (typeof part === 'string' ? part : part.Ref))
    .join('')
    .replace(bucket.id, 'bucket');
}

describe('exports', () => {
  it('are there only if history is exported', () => {
    const ids = Object.keys(templateFor().toJSON().Resources);
    expect(ids.filter((id) => id.startsWith('Export'))).toEqual([]);
  });

  it('change no other resource but the dashboard, which shows their alarms', () => {
    const usual = templateFor().toJSON().Resources;
    const others = Object.entries(templateFor({ 'sms:exportToS3': 'daily' }).toJSON().Resources).filter(
      ([id]) => !id.startsWith('Export') && !id.startsWith('Dashboard'),
    );
    for (const [id, resource] of others) expect(resource).toEqual(usual[id]);
    expect(others).toHaveLength(Object.keys(usual).length - 1);
  });
});

describe('the bucket of the exports', () => {
  // Private and for TLS only: the packs of test/infra/app/app.test.ts.
  it('is encrypted and unversioned, and expires its objects', () => {
    expect(bucket.Properties).not.toHaveProperty('VersioningConfiguration');
    expect(bucket.Properties).toMatchObject({
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      LifecycleConfiguration: {
        Rules: [
          {
            Status: 'Enabled',
            ExpirationInDays: 400,
            AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
          },
        ],
      },
    });
  });

  it('is retained, and no other resource empties it', () => {
    expect(bucket).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(Object.keys(resourcesOf(analysis, 'Custom::S3AutoDeleteObjects'))).toEqual([]);
  });
});

describe('the table for Athena', () => {
  const { DatabaseName, TableInput } = resource(analysis, 'AWS::Glue::Table').Properties as {
    DatabaseName: string;
    TableInput: {
      Name: string;
      Parameters: Record<string, unknown>;
      PartitionKeys: { Name: string; Type: string }[];
      StorageDescriptor: Record<string, unknown>;
    };
  };

  it('finds the days of the exporter by partition projection', () => {
    const { 'storage.location.template': template, ...projection } = TableInput.Parameters;
    expect(projection).toMatchObject({ 'projection.enabled': 'true', 'projection.day.format': 'yyyy-MM-dd' });
    expect(TableInput.PartitionKeys).toMatchObject([{ Name: 'day', Type: 'string' }]);
    const date = '2026-01-15';
    const prefix = prefixOf({ date, from: 0, to: 0 });
    // "AWSDynamoDB/data" is what DynamoDB adds (developer guide, "DynamoDB table export output format").
    expect(text(template).replace(`\${day}`, date)).toBe(`s3://bucket/${prefix}/AWSDynamoDB/data/`);
  });

  it('is created after its database', () => {
    const database = resource(analysis, 'AWS::Glue::Database');
    expect(database.Properties.DatabaseInput).toMatchObject({ Name: DatabaseName });
    expect(resource(analysis, 'AWS::Glue::Table').DependsOn).toEqual([database.id]);
  });

  it.each([
    ['SmsPipeline', 'sms_pipeline'],
    ['Team-A2', 'team_a2'],
    ['SMS', 'sms'],
  ])('of the stack %s is in the database %s, a name that needs no quotes', (stackName, database) => {
    const { Outputs } = templateFor({
      ...everyFunction,
      ...(stackName === 'SmsPipeline' ? {} : { 'sms:stackName': stackName }),
    }).toJSON();
    expect([Outputs.AthenaDatabase.Value, Outputs.AthenaTable.Value]).toEqual([database, 'history']);
  });
});
