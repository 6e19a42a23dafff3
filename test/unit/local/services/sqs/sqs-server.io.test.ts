import {
  ChangeMessageVisibilityBatchCommand,
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SqsServer, startSqsServer } from '../../../../../local/services/sqs/sqs-server.ts';
import { freePorts } from '../../../../../tools/support/free-port.ts';

let port: number;
let server: SqsServer;
const clients: SQSClient[] = [];

function clientOf(region: string): SQSClient {
  const client = new SQSClient({
    endpoint: `http://127.0.0.1:${port}`,
    region,
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
  });
  clients.push(client);
  return client;
}

beforeAll(async () => {
  port = await freePorts();
  server = await startSqsServer(port);
});

afterAll(async () => {
  for (const client of clients) client.destroy();
  await server.close();
});

describe('SQS on one machine, through the AWS SDK', () => {
  it('gives every queue a URL on 127.0.0.1, in all answers', async () => {
    const client = clientOf('us-east-1');
    const url = `http://127.0.0.1:${port}/000000000000/events`;
    expect((await client.send(new CreateQueueCommand({ QueueName: 'events' }))).QueueUrl).toBe(url);
    expect((await client.send(new GetQueueUrlCommand({ QueueName: 'events' }))).QueueUrl).toBe(url);
    expect((await client.send(new ListQueuesCommand({}))).QueueUrls).toContain(url);
  });

  it('accepts these URLs from callers in any region', async () => {
    const sender = clientOf('us-east-1');
    const receiver = clientOf('eu-central-1');
    const { QueueUrl } = await sender.send(new CreateQueueCommand({ QueueName: 'regions' }));
    await sender.send(new SendMessageCommand({ QueueUrl, MessageBody: 'hello' }));
    const queue = await receiver.send(new GetQueueUrlCommand({ QueueName: 'regions' }));
    const { Messages } = await receiver.send(new ReceiveMessageCommand({ QueueUrl: queue.QueueUrl }));
    expect(Messages?.map(({ Body }) => Body)).toEqual(['hello']);
  });

  it('changes the visibility timeout of each message of a batch', async () => {
    const client = clientOf('us-east-1');
    const Attributes = { VisibilityTimeout: '540', MessageRetentionPeriod: '300' };
    const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: 'visibility', Attributes }));
    for (const MessageBody of ['back', 'away'])
      await client.send(new SendMessageCommand({ QueueUrl, MessageBody }));
    const receive = async () => {
      const answer = await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
      return answer.Messages ?? [];
    };
    const messages = await receive();
    expect(messages).toHaveLength(2);
    const entry = (body: string, VisibilityTimeout: number) => ({
      Id: body,
      ReceiptHandle: messages.find(({ Body }) => Body === body)?.ReceiptHandle,
      VisibilityTimeout,
    });
    const { Successful, Failed } = await client.send(
      new ChangeMessageVisibilityBatchCommand({
        QueueUrl,
        Entries: [
          entry('back', 0),
          entry('away', 540),
          { Id: 'missing', ReceiptHandle: 'nothing', VisibilityTimeout: 1 },
        ],
      }),
    );
    expect(Successful?.map(({ Id }) => Id)).toEqual(['back', 'away']);
    expect(Failed).toMatchObject([{ Id: 'missing', Code: 'ReceiptHandleIsInvalid', SenderFault: true }]);
    expect((await receive()).map(({ Body }) => Body)).toEqual(['back']);
    const stored = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
    expect(stored.Attributes).toMatchObject(Attributes);
  });

  it('answers the error of AWS for a queue that does not exist', async () => {
    const client = clientOf('us-east-1');
    const QueueUrl = `http://127.0.0.1:${port}/000000000000/missing`;
    await expect(client.send(new ReceiveMessageCommand({ QueueUrl }))).rejects.toMatchObject({
      name: 'QueueDoesNotExist',
    });
  });
});
