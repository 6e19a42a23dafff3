import { createHash } from 'node:crypto';
import {
  DescribeContinuousBackupsCommand,
  DescribeExportCommand,
  type DynamoDBClient,
  type ExportStatus,
  ExportTableToPointInTimeCommand,
  paginateListExports,
} from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import { type BackupWindow, type KnownExport, type MissingDay, prefixOf } from './missing-days.ts';

/** Incremental exports of a table to a bucket. */
export interface TableExports {
  /** Undefined where the table has no continuous backup, so that nothing can be exported. */
  window(): Promise<BackupWindow | undefined>;
  /** Those into the bucket that were requested at this time (milliseconds since the epoch) or later. */
  requestedSince(time: number): Promise<readonly KnownExport[]>;
  /** Asking twice for the same begins one export. @returns what has become of it by now */
  request(missing: MissingDay): Promise<KnownExport['status']>;
}

const statuses: Readonly<Record<ExportStatus, KnownExport['status']>> = {
  IN_PROGRESS: 'under way',
  COMPLETED: 'completed',
  FAILED: 'failed',
};

const concurrentCalls = 4;

export function createTableExports(client: DynamoDBClient, tableArn: string, bucket: string): TableExports {
  async function describe(arn: string): Promise<KnownExport[]> {
    const { ExportDescription = {} } = await client.send(new DescribeExportCommand({ ExportArn: arn }));
    const { ExportStatus, S3Bucket, S3Prefix } = ExportDescription;
    if (ExportStatus === undefined || S3Bucket !== bucket || S3Prefix === undefined) return [];
    return [{ status: statuses[ExportStatus], prefix: S3Prefix }];
  }

  return {
    async window() {
      const { ContinuousBackupsDescription } = await client.send(
        new DescribeContinuousBackupsCommand({ TableName: tableArn }),
      );
      const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } =
        ContinuousBackupsDescription?.PointInTimeRecoveryDescription ?? {};
      return earliest === undefined || latest === undefined
        ? undefined
        : { earliest: earliest.getTime(), latest: latest.getTime() };
    },

    async requestedSince(time) {
      const arns: string[] = [];
      for await (const { ExportSummaries = [] } of paginateListExports({ client }, { TableArn: tableArn })) {
        for (const { ExportArn = '', ExportType } of ExportSummaries)
          if (ExportType === 'INCREMENTAL_EXPORT' && !isRequestedBefore(time, ExportArn))
            arns.push(ExportArn);
      }
      return (await pMap(arns, describe, { concurrency: concurrentCalls })).flat();
    },

    async request({ day, failed }) {
      const { ExportDescription } = await client.send(
        new ExportTableToPointInTimeCommand({
          TableArn: tableArn,
          ClientToken: tokenOf([tableArn, bucket, day.date, day.from, failed]),
          ExportType: 'INCREMENTAL_EXPORT',
          IncrementalExportSpecification: {
            ExportFromTime: new Date(day.from),
            ExportToTime: new Date(day.to),
            ExportViewType: 'NEW_IMAGE',
          },
          ExportFormat: 'DYNAMODB_JSON',
          S3Bucket: bucket,
          S3Prefix: prefixOf(day),
          S3SseAlgorithm: 'AES256',
        }),
      );
      return statuses[ExportDescription?.ExportStatus ?? 'IN_PROGRESS'];
    },
  };
}

/** The last part of an export's ARN begins with the time of the request; where it does not, nobody knows. */
function isRequestedBefore(time: number, exportArn: string): boolean {
  const requestedAt = Number(/\/export\/(\d{10,})-/.exec(exportArn)?.[1]);
  return requestedAt < time;
}

/**
 * The same for the same request, so that one whose answer was lost, or that no list shows yet, is not made twice. For eight
 * hours DynamoDB answers a token with the export it began, a failed one too: another try needs another token.
 */
function tokenOf(request: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}
