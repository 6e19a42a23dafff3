import {
  CreateQueueCommand,
  DeleteQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { messagesIn } from '../../../cli/commands/deploy/deployed-account.ts';
import { sqsClient } from '../../../local/services/sqs/api.ts';
import { type SqsServer, startSqsServer } from '../../../local/services/sqs/sqs-server.ts';
import { freePorts } from '../../../tools/support/free-port.ts';

const port = await freePorts();
const client = sqsClient(`http://127.0.0.1:${port}`);
let server: SqsServer;

beforeAll(async () => {
  server = await startSqsServer(port);
});
afterAll(() => server.close());

it('deploy counts the visible, in-flight and delayed messages of a queue that it would remove', async () => {
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: 'counted' }));
  if (QueueUrl === undefined) throw new Error('no queue was made');
  expect(await messagesIn(client, QueueUrl)).toBe(0);
  for (const DelaySeconds of [0, 0, 900])
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'event', DelaySeconds }));
  await client.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 1 }));
  expect(await messagesIn(client, QueueUrl)).toBe(3);
});

it('deploy counts no messages in a queue that was deleted by hand', async () => {
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: 'deleted' }));
  if (QueueUrl === undefined) throw new Error('no queue was made');
  await client.send(new DeleteQueueCommand({ QueueUrl }));
  expect(await messagesIn(client, QueueUrl)).toBe(0);
});
