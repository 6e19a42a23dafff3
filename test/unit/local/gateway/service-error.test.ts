import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import { answerError } from '../../../../local/gateway/service-error.ts';
import { callListener, inMemoryClient } from '../../../support/in-memory-http.ts';

type Settings = ReturnType<typeof inMemoryClient>;

/** A call to each service. */
const calls = {
  dynamodb: (settings: Settings) =>
    new DynamoDBClient(settings).send(
      new GetItemCommand({ TableName: 'History', Key: { pk: { S: 'message#1' } } }),
    ),
  sqs: (settings: Settings) =>
    new SQSClient(settings).send(new ReceiveMessageCommand({ QueueUrl: 'http://127.0.0.1:1/0/Events' })),
  sns: (settings: Settings) =>
    new SNSClient(settings).send(new PublishCommand({ TopicArn: 'arn:aws:sns:us-east-1:0:N', Message: 'x' })),
  secretsmanager: (settings: Settings) =>
    new SecretsManagerClient(settings).send(new GetSecretValueCommand({ SecretId: 'Webhook' })),
  events: (settings: Settings) =>
    new EventBridgeClient(settings).send(
      new PutEventsCommand({ Entries: [{ Source: 's', DetailType: 't', Detail: '{}' }] }),
    ),
  lambda: (settings: Settings) =>
    new LambdaClient(settings).send(new InvokeCommand({ FunctionName: 'Setup' })),
};

it.each([
  ['dynamodb', 'refuse', 'AccessDeniedException', 400],
  ['dynamodb', 'throttle', 'ProvisionedThroughputExceededException', 400],
  ['dynamodb', 'fail', 'InternalServerError', 500],
  ['sqs', 'refuse', 'AccessDenied', 403],
  ['sqs', 'throttle', 'RequestThrottled', 403],
  ['sqs', 'fail', 'InternalFailure', 500],
  ['sns', 'refuse', 'AuthorizationErrorException', 403],
  ['sns', 'throttle', 'Throttling', 400],
  ['sns', 'fail', 'InternalFailure', 500],
  ['secretsmanager', 'refuse', 'AccessDeniedException', 400],
  ['secretsmanager', 'throttle', 'ThrottlingException', 400],
  ['secretsmanager', 'fail', 'InternalServiceError', 500],
  ['events', 'refuse', 'AccessDeniedException', 400],
  ['events', 'throttle', 'ThrottlingException', 400],
  ['events', 'fail', 'InternalException', 500],
  ['lambda', 'refuse', 'AccessDeniedException', 403],
  ['lambda', 'throttle', 'TooManyRequestsException', 429],
  ['lambda', 'fail', 'ServiceException', 500],
] as const)('the SDK sees that %s %ss as %s, %i', async (service, kind, name, httpStatusCode) => {
  const message = 'not <now> & not here';
  const settings = inMemoryClient((_, response) => answerError(response, service, kind, message));
  await expect(calls[service](settings)).rejects.toMatchObject({
    name,
    message: expect.stringContaining(message),
    $metadata: { httpStatusCode },
  });
});

it.each([
  ['refuse', 401, undefined],
  ['throttle', 429, '1'],
  ['fail', 500, undefined],
] as const)('the SMS service answers %s with %i', async (kind, status, retryAfter) => {
  const answer = await callListener((_, response) => answerError(response, 'sms-service', kind, 'no'), {});
  expect(answer).toMatchObject({ status, json: { error: { message: 'no' } } });
  expect(answer.headers['retry-after']).toBe(retryAfter);
});
