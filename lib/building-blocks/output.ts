import { CfnOutput } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { wordsOf } from '../../contract/events/source-id.ts';
import type { PipelineOptions } from '../options/options.ts';
import { meaningOf, type OutputName } from './output-meanings.ts';
import { sourceAround } from './source-scope.ts';

/**
 * Adds an output to the stack of the pipeline. The command line finds it by the logical id that the CDK makes: `SmsWebhookUrl1A2B3C4D`, which no
 * output of the user has, or `WebhookUrl` if the id of the pipeline is `Default`. The outputs of another source than `main` begin with it:
 * `SourceBackupWebhookUrl`.
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
  // The sign is not in the logical id. Without it the output Registration would have the id of a part.
  new CfnOutput(outputsBelow, `=${id}`, output);
}
