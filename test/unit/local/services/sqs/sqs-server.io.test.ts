import { SQS } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SqsServer, startSqsServer } from '../../../../../local/services/sqs/sqs-server.ts';
import { freePorts } from '../../../../../tools/support/free-port.ts';

let port: number;
let server: SqsServer;
const clients: SQS[] = [];

function clientOf(region: string): SQS {
  const client = new SQS({
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
    expect((await client.createQueue({ QueueName: 'events' })).QueueUrl).toBe(url);
    expect((await client.getQueueUrl({ QueueName: 'events' })).QueueUrl).toBe(url);
    expect((await client.listQueues({})).QueueUrls).toContain(url);
  });

  it('changes the visibility timeout of each message of a batch', async () => {
    const client = clientOf('us-east-1');
    const Attributes = { VisibilityTimeout: '540', MessageRetentionPeriod: '300' };
    const { QueueUrl } = await client.createQueue({ QueueName: 'visibility', Attributes });
    for (const MessageBody of ['back', 'away']) await client.sendMessage({ QueueUrl, MessageBody });
    const receive = async () => {
      const answer = await client.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
      return answer.Messages ?? [];
    };
    const messages = await receive();
    expect(messages).toHaveLength(2);
    const entry = (body: string, VisibilityTimeout: number) => ({
      Id: body,
      ReceiptHandle: messages.find(({ Body }) => Body === body)?.ReceiptHandle,
      VisibilityTimeout,
    });
    const { Successful, Failed } = await client.changeMessageVisibilityBatch({
      QueueUrl,
      Entries: [
        entry('back', 0),
        entry('away', 540),
        { Id: 'missing', ReceiptHandle: 'nothing', VisibilityTimeout: 1 },
      ],
    });
    expect(Successful?.map(({ Id }) => Id)).toEqual(['back', 'away']);
    expect(Failed).toMatchObject([{ Id: 'missing', Code: 'ReceiptHandleIsInvalid', SenderFault: true }]);
    expect((await receive()).map(({ Body }) => Body)).toEqual(['back']);
    const stored = await client.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] });
    expect(stored.Attributes).toMatchObject(Attributes);
  });
});
