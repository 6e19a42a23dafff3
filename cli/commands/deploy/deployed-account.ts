import { omitUndefined } from '../../../functions/base/basics.ts';
import { countWaiting } from '../../stores/dead-letter-queue.ts';
import { awsSettings } from '../../target/aws-settings.ts';
import type { Environment } from '../../target/proxy-address.ts';
import { describeStack } from '../../target/stack/outputs.ts';
import type { CdkTarget } from './arguments.ts';
import type { DeployedAccount } from './deploy.ts';
import { deployedStackReader } from './stacks.ts';

/** Reads the account that is deployed to. It connects on first use. @param env the environment, which may name the region */
export function deployedAccount({ region, profile }: CdkTarget, env: Environment): DeployedAccount {
  const place = omitUndefined({ region: region ?? env.AWS_REGION ?? env.AWS_DEFAULT_REGION, profile });
  const settings = () => awsSettings(place, env);
  return {
    async id() {
      const { CloudFormationClient } = await import('@aws-sdk/client-cloudformation');
      const { callerIdentity } = await import('../../target/caller-identity.ts');
      const { config } = new CloudFormationClient(await settings());
      const { account } = await callerIdentity({
        region: await config.region(),
        credentials: config.credentials,
      });
      return account;
    },
    async stack(name) {
      const { CloudFormationClient } = await import('@aws-sdk/client-cloudformation');
      return await deployedStackReader(new CloudFormationClient(await settings()))(name);
    },
    async region() {
      const { CloudFormationClient } = await import('@aws-sdk/client-cloudformation');
      return await new CloudFormationClient(await settings()).config.region();
    },
    async messagesIn(queueUrl) {
      const { SQSClient } = await import('@aws-sdk/client-sqs');
      return await messagesIn(new SQSClient(await settings()), queueUrl);
    },
    async unprotectFailed(name) {
      const { CloudFormationClient } = await import('@aws-sdk/client-cloudformation');
      return await unprotectFailed(new CloudFormationClient(await settings()), name);
    },
    async keyOfTopic(topicArn) {
      const { GetTopicAttributesCommand, SNSClient } = await import('@aws-sdk/client-sns');
      const client = new SNSClient(await settings());
      const { Attributes } = await client.send(new GetTopicAttributesCommand({ TopicArn: topicArn }));
      return Attributes?.KmsMasterKeyId;
    },
  };
}

/** The states that a stack has after its first deployment failed. */
const failed = ['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'];

/** Takes the termination protection from a stack whose first deployment failed. @returns whether there was such a stack */
export async function unprotectFailed(
  client: import('@aws-sdk/client-cloudformation').CloudFormationClient,
  StackName: string,
): Promise<boolean> {
  const { UpdateTerminationProtectionCommand } = await import('@aws-sdk/client-cloudformation');
  const { StackStatus = '', EnableTerminationProtection } = (await describeStack(client, StackName)) ?? {};
  if (EnableTerminationProtection !== true || !failed.includes(StackStatus)) return false;
  await client.send(
    new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false }),
  );
  return true;
}

/** Returns the approximate number of messages in a queue; 0 for a queue that was deleted by hand. */
export async function messagesIn(
  client: import('@aws-sdk/client-sqs').SQSClient,
  queueUrl: string,
): Promise<number> {
  const { QueueDoesNotExist } = await import('@aws-sdk/client-sqs');
  return await countWaiting(client, queueUrl).catch((error: unknown) => {
    if (error instanceof QueueDoesNotExist) return 0;
    throw error;
  });
}
