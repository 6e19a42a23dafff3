import { CfnOutput } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { wordsOf } from '../../contract/events/source-id.ts';
import type { PipelineOptions } from '../props/options.ts';
import { meaningOf, type OutputName } from './output-meanings.ts';
import { sourceAround } from './source-scope.ts';

/**
 * Adds an output to the stack. The command line finds it by its logical id: the name in the stand-alone stacks; below a construct CDK's
 * own, `SmsWebhookUrl1A2B3C4D`, which no output of the user has. The outputs of another source than `main` begin with it: `SourceBackupWebhookUrl`.
 */
export function addOutput(
  scope: Construct,
  { outputsBelow }: Pick<PipelineOptions, 'outputsBelow'>,
  name: OutputName,
  value: string,
): void {
  if (outputsBelow === false) return;
  const output = { value, description: `${meaningOf(name)}.` };
  const source = sourceAround(scope);
  const id = source === undefined ? name : `Source${wordsOf(source)}${name}`;
  if (outputsBelow === undefined) new CfnOutput(scope, `Output${name}`, output).overrideLogicalId(id);
  // The sign is not in the logical id. Without it the output Registration would have the id of a part.
  else new CfnOutput(outputsBelow, `=${id}`, output);
}
