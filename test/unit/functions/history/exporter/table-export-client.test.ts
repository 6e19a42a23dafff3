import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { createTableExports } from '../../../../../functions/history/exporter/table-export-client.ts';
import { answers, scriptedAws } from '../../../../support/scripted-aws.ts';

const tableArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/History';
const bucket = 'exports';
const midnight = Date.parse('2026-03-02T00:00:00Z');
const arnOf = (requestedAt: number | string, id: string) => `${tableArn}/export/0${requestedAt}-${id}`;
const missing = {
  day: { date: '2026-03-01', from: Date.parse('2026-03-01T00:00:00Z'), to: midnight },
  failed: 0,
};

type Input = Record<string, unknown>;

/** The adapter over a client whose operations are answered by functions of their input. */
function startExports(operations: Record<string, (input: Input) => unknown>) {
  const { settings, calls } = scriptedAws((input, call) =>
    answers(operations[call.replace('DynamoDB_20120810.', '')]?.(input))(input, call),
  );
  const named = (name: string) =>
    calls.filter(({ call }) => call.endsWith(`.${name}`)).map(({ input }) => input);
  return { exports: createTableExports(new DynamoDBClient(settings), tableArn, bucket), named };
}

describe('the window of the backup', () => {
  it('is that of point-in-time recovery', async () => {
    const { exports, named } = startExports({
      DescribeContinuousBackups: () => ({
        ContinuousBackupsDescription: {
          ContinuousBackupsStatus: 'ENABLED',
          PointInTimeRecoveryDescription: {
            PointInTimeRecoveryStatus: 'ENABLED',
            EarliestRestorableDateTime: midnight / 1000 - 86_400,
            LatestRestorableDateTime: midnight / 1000,
          },
        },
      }),
    });
    expect(await exports.window()).toEqual({ earliest: midnight - 86_400_000, latest: midnight });
    expect(named('DescribeContinuousBackups')).toEqual([{ TableName: tableArn }]);
  });

  it('is absent if recovery is off', async () => {
    const off = { PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'DISABLED' } };
    const { exports } = startExports({
      DescribeContinuousBackups: () => ({ ContinuousBackupsDescription: off }),
    });
    expect(await exports.window()).toBeUndefined();
  });
});

describe('the list of exports', () => {
  it('is read over all pages, without older exports, full ones and those to another bucket', async () => {
    const summary = (arn: string, ExportType = 'INCREMENTAL_EXPORT') => ({ ExportArn: arn, ExportType });
    const [under, done, lost, elsewhere] = ['a', 'b', 'c', 'd'].map((id) => arnOf(midnight + 5000, id));
    const [old, whole] = [arnOf(midnight - 1, 'old'), arnOf(midnight + 1, 'whole')];
    const odd = `${tableArn}/export/odd`;
    const described: Record<string, Input> = {
      [String(under)]: { ExportStatus: 'IN_PROGRESS', S3Bucket: bucket, S3Prefix: 'history/day=2026-03-01' },
      [String(done)]: { ExportStatus: 'COMPLETED', S3Bucket: bucket, S3Prefix: 'history/day=2026-03-02' },
      [String(lost)]: { ExportStatus: 'FAILED', S3Bucket: bucket, S3Prefix: 'history/day=2026-03-03' },
      [String(elsewhere)]: {
        ExportStatus: 'COMPLETED',
        S3Bucket: 'other',
        S3Prefix: 'history/day=2026-03-04',
      },
      [odd]: { ExportStatus: 'COMPLETED', S3Bucket: bucket, S3Prefix: 'history/day=2026-03-05' },
    };
    const { exports, named } = startExports({
      ListExports: ({ NextToken }) =>
        NextToken === undefined
          ? { ExportSummaries: [under, done].map((arn) => summary(String(arn))), NextToken: 'more' }
          : {
              ExportSummaries: [
                ...[lost, elsewhere, old, odd].map((arn) => summary(String(arn))),
                summary(whole, 'FULL_EXPORT'),
              ],
            },
      DescribeExport: ({ ExportArn }) => ({ ExportDescription: described[String(ExportArn)] }),
    });
    expect(await exports.requestedSince(midnight)).toEqual([
      { status: 'under way', prefix: 'history/day=2026-03-01' },
      { status: 'completed', prefix: 'history/day=2026-03-02' },
      { status: 'failed', prefix: 'history/day=2026-03-03' },
      { status: 'completed', prefix: 'history/day=2026-03-05' },
    ]);
    expect(named('ListExports')).toEqual([{ TableArn: tableArn }, { TableArn: tableArn, NextToken: 'more' }]);
    const asked = named('DescribeExport').map(({ ExportArn }) => ExportArn);
    expect(asked.sort()).toEqual([under, done, lost, elsewhere, odd].sort());
  });
});

describe('an export request', () => {
  it('covers the changes within the day, with the state at the end of it', async () => {
    const { exports, named } = startExports({
      ExportTableToPointInTime: () => ({ ExportDescription: { ExportStatus: 'IN_PROGRESS' } }),
    });
    expect(await exports.request(missing)).toBe('under way');
    expect(named('ExportTableToPointInTime')).toEqual([
      {
        TableArn: tableArn,
        ClientToken: expect.stringMatching(/^[0-9a-f]{64}$/),
        ExportType: 'INCREMENTAL_EXPORT',
        IncrementalExportSpecification: {
          ExportFromTime: midnight / 1000 - 86_400,
          ExportToTime: midnight / 1000,
          ExportViewType: 'NEW_IMAGE',
        },
        ExportFormat: 'DYNAMODB_JSON',
        S3Bucket: bucket,
        S3Prefix: 'history/day=2026-03-01',
        S3SseAlgorithm: 'AES256',
      },
    ]);
  });

  it('is the same when it is repeated, and different after a failure', async () => {
    const { exports, named } = startExports({
      ExportTableToPointInTime: () => ({ ExportDescription: { ExportStatus: 'FAILED' } }),
    });
    expect(await exports.request(missing)).toBe('failed');
    await exports.request(missing);
    await exports.request({ ...missing, failed: 1 });
    await exports.request({ ...missing, day: { ...missing.day, date: '2026-03-02' } });
    const tokens = named('ExportTableToPointInTime').map(({ ClientToken }) => ClientToken);
    expect(tokens[1]).toBe(tokens[0]);
    expect(new Set(tokens).size).toBe(3);
  });
});
