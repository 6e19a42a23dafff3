import { SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { LocalPipeline } from '../../support/local-pipeline.ts';

/** Takes the messages out of a queue, and knows them from then on. */
export interface Inbox {
  /** Returns whether a message with this text has come. */
  has(text: string): Promise<boolean>;
}

/** @param queueUrl a queue without other readers */
export function inboxOf(sqs: SQSClient, queueUrl: string): Inbox {
  const bodies: string[] = [];
  return {
    async has(text) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10 }),
      );
      for (const { Body = '', ReceiptHandle } of Messages) {
        bodies.push(Body);
        await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
      }
      return bodies.some((body) => body.includes(text));
    },
  };
}

/** An inbox for what is published to a topic from now on. */
export async function subscribeInbox({ port, sqs }: LocalPipeline, topicArn: string): Promise<Inbox> {
  const name = 'notices';
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: name }));
  const sns = new SNSClient({
    endpoint: `http://127.0.0.1:${port + 3}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const Endpoint = `arn:aws:sqs:us-east-1:000000000000:${name}`;
  await sns.send(new SubscribeCommand({ TopicArn: topicArn, Protocol: 'sqs', Endpoint }));
  return inboxOf(sqs, QueueUrl);
}
