import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';

/** The indexes of the history table: by which attribute each gathers items, and by which it sorts them. */
export const historyIndexes = {
  byPhone: { partition: 'phone', sort: 'at' },
  byWorklist: { partition: 'worklist', sort: 'listedAt' },
  bySend: { partition: 'sendKey', sort: 'at' },
} as const;

type HistoryIndexName = keyof typeof historyIndexes;

/** Allows Query on these indexes of the history table: the grants of CDK's Table name all of them and the table, or none. */
export function allowQueryOn(
  grantee: IGrantable,
  historyTable: Table,
  indexes: readonly HistoryIndexName[],
): void {
  Grant.addToPrincipal({
    grantee,
    actions: ['dynamodb:Query'],
    resourceArns: indexes.map((index) => `${historyTable.tableArn}/index/${index}`),
  });
}
