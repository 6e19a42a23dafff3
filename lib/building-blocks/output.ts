import { CfnOutput } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { PipelineOptions } from '../props/options.ts';

/** Adds an output to the stack. Its logical id is what the command line looks for: the name, after the pipeline's prefix. */
export function addOutput(
  scope: Construct,
  { outputPrefix }: Pick<PipelineOptions, 'outputPrefix'>,
  name: string,
  value: string,
): void {
  new CfnOutput(scope, `Output${name}`, { value }).overrideLogicalId(`${outputPrefix}${name}`);
}
