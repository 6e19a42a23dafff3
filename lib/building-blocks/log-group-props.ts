import { RemovalPolicy } from 'aws-cdk-lib';
import type { LogGroupProps } from 'aws-cdk-lib/aws-logs';
import { omitUndefined } from '../../functions/base/basics.ts';
import type { PipelineOptions } from '../options/options.ts';

/** What the log groups of a pipeline have in common. They are deleted with their stack. */
export function logGroupProps({ retention, encryptionKey }: PipelineOptions['logs']): LogGroupProps {
  return { retention, removalPolicy: RemovalPolicy.DESTROY, ...omitUndefined({ encryptionKey }) };
}

/** The properties of a log group that says who saw whole numbers. It is kept as the data is. */
export function auditLogGroupProps({
  logs,
  removalPolicy,
}: Pick<PipelineOptions, 'logs' | 'removalPolicy'>): LogGroupProps {
  return { ...logGroupProps(logs), retention: logs.auditRetention, removalPolicy };
}
