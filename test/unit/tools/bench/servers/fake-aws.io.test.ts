import { DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWebhookSecretStore } from '../../../../../functions/webhook/webhook-secret-store.ts';
import { type FakeAws, startFakeAws } from '../../../../../tools/bench/servers/fake-aws.ts';

let aws: FakeAws;
beforeAll(async () => {
  aws = await startFakeAws('the secret');
});
afterAll(() => aws.stop());

const settings = () => ({
  region: 'us-east-1',
  endpoint: aws.url,
  credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
  maxAttempts: 1,
});

it('the fake AWS answers the calls of the functions, and counts them', async () => {
  const before = aws.calls();
  const secrets = createWebhookSecretStore(new SecretsManagerClient(settings()), 'webhook');
  expect((await secrets.read())?.document.current.secret).toBe('the secret');
  // The client compares the checksum.
  const message = { QueueUrl: `${aws.url}/000000000000/events`, MessageBody: 'ü' };
  expect((await new SQSClient(settings()).send(new SendMessageCommand(message))).MessageId).toBeTruthy();
  const dynamoDb = new DynamoDBClient(settings());
  await dynamoDb.send(new UpdateItemCommand({ TableName: 'history', Key: { pk: { S: 'message#1' } } }));
  const { Entries, FailedEntryCount } = await new EventBridgeClient(settings()).send(
    new PutEventsCommand({ Entries: [{ Detail: '{}' }, { Detail: '{}' }] }),
  );
  expect([Entries?.every(({ EventId }) => EventId), Entries?.length, FailedEntryCount]).toEqual([true, 2, 0]);
  expect(aws.calls() - before).toBe(4);
});

it('the fake AWS rejects calls that no measured function makes', async () => {
  const read = new GetItemCommand({ TableName: 'history', Key: { pk: { S: 'message#1' } } });
  await expect(new DynamoDBClient(settings()).send(read)).rejects.toThrow('not supported');
});
