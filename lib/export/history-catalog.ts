import { Aws } from 'aws-cdk-lib';
import { CfnDatabase, CfnTable } from 'aws-cdk-lib/aws-glue';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { exportFolder } from './history-exporter.ts';

export interface HistoryCatalogProps {
  readonly databaseName: string;
  readonly bucket: Bucket;
}

/** The oldest possible export. */
const firstDay = '2026-01-01';

/**
 * The database and the table with which Athena reads the exports: one row a line of a file, partitioned by day. Athena computes the
 * partitions from the table's properties (partition projection), so they need no maintenance.
 */
export class HistoryCatalog extends Construct {
  readonly databaseName: string;
  readonly tableName = 'history';

  constructor(scope: Construct, id: string, { databaseName, bucket }: HistoryCatalogProps) {
    super(scope, id);
    this.databaseName = databaseName;
    const database = new CfnDatabase(this, 'Database', {
      catalogId: Aws.ACCOUNT_ID,
      databaseInput: { name: this.databaseName, description: 'Exports of the SMS delivery history.' },
    });
    const location = bucket.s3UrlForObject(exportFolder);
    const table = new CfnTable(this, 'Table', {
      catalogId: Aws.ACCOUNT_ID,
      databaseName: this.databaseName,
      tableInput: {
        name: this.tableName,
        description: 'A line for each item of the history table that changed on a day, as DynamoDB JSON.',
        tableType: 'EXTERNAL_TABLE',
        partitionKeys: [{ name: 'day', type: 'string', comment: 'UTC, yyyy-mm-dd' }],
        parameters: {
          EXTERNAL: 'TRUE',
          'projection.enabled': 'true',
          'projection.day.type': 'date',
          'projection.day.format': 'yyyy-MM-dd',
          'projection.day.range': `${firstDay},NOW`,
          'projection.day.interval': '1',
          'projection.day.interval.unit': 'DAYS',
          // DynamoDB puts the files of an incremental export with the prefix history/day=<day> here.
          'storage.location.template': `${location}/day=\${day}/AWSDynamoDB/data/`,
        },
        storageDescriptor: {
          location: `${location}/`,
          compressed: true,
          inputFormat: 'org.apache.hadoop.mapred.TextInputFormat',
          outputFormat: 'org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat',
          // One column holds the whole line: items of several kinds and two formats are in it, which no one schema could list.
          // This SerDe splits at the control character 1, which JSON always escapes, and so never splits.
          columns: [{ name: 'record', type: 'string', comment: 'One JSON document' }],
          serdeInfo: {
            serializationLibrary: 'org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe',
            parameters: { 'serialization.format': '1' },
          },
        },
      },
    });
    table.addResourceDependency(database);
  }
}

/** Makes a name that Athena accepts without quotes: `SmsPipeline` becomes `sms_pipeline`. */
export function athenaName(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/\W+/g, '_')
    .toLowerCase();
}
