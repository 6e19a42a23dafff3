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
import { type KnownExport, prefixOf, type TableExports } from './export-days.ts';

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

/** Reads the time of the request, with which the last part of an export's ARN begins. An ARN without it is not skipped. */
function isRequestedBefore(time: number, exportArn: string): boolean {
  const requestedAt = Number(/\/export\/(\d{10,})-/.exec(exportArn)?.[1]);
  return requestedAt < time;
}

/**
 * Returns the same token for the same request, so that DynamoDB does not begin a second export when an answer was lost or an export is
 * not listed yet. For eight hours DynamoDB answers a token with the export it began, even a failed one. So a retry needs another token.
 */
function tokenOf(request: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}
