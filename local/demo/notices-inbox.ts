import { SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { arnOf, localClient } from '../aws-protocol/call.ts';

const NAME = 'demonstration-notices';

/** Receives the notices that are published to a topic. */
export interface NoticesInbox {
  /** The next notice's text; undefined if there is none. */
  next(): Promise<string | undefined>;
}

/** Subscribes a queue to a topic, as a person would an e-mail address. */
export async function openInbox(sqs: SQSClient, url: string, topicArn: string): Promise<NoticesInbox> {
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: NAME }));
  const sns = new SNSClient(localClient(url));
  await sns.send(
    new SubscribeCommand({
      TopicArn: topicArn,
      Protocol: 'sqs',
      Endpoint: arnOf('sqs', NAME),
      Attributes: { RawMessageDelivery: 'true' },
    }),
  );
  return {
    next: async () => {
      const { Messages: [message] = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 1 }),
      );
      if (message === undefined) return undefined;
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle }));
      return message.Body;
    },
  };
}
