import { RemovalPolicy } from 'aws-cdk-lib';
import type { LogGroupProps } from 'aws-cdk-lib/aws-logs';
import { omitUndefined } from '../../functions/base/basics.ts';
import type { PipelineOptions } from '../options/options.ts';

/** What all log groups of a pipeline have in common. They are deleted with their stack. */
export function logGroupProps({ retention, encryptionKey }: PipelineOptions['logs']): LogGroupProps {
  return { retention, removalPolicy: RemovalPolicy.DESTROY, ...omitUndefined({ encryptionKey }) };
}
