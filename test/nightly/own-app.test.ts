import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LocalPipeline, startLocalPipeline } from '../../tools/support/local-pipeline.ts';
import { until } from '../../tools/support/until.ts';

/** The app in own-app/app.mjs, which one reply reaches. */
let shop: LocalPipeline;

beforeAll(async () => {
  shop = await startLocalPipeline({ 'local:app': 'node test/nightly/own-app/app.mjs' });
  const reply = ['--kind', 'reply', '--reply-id', 'reply-1', '--text', 'Yes, please'];
  // The command of docs/start/own-app.md, with the contract of this app.
  await promisify(execFile)(
    process.execPath,
    [
      'bin/sms.ts',
      'webhook',
      'test',
      '--dir',
      shop.directory,
      '--stack',
      'Shop',
      ...reply,
      '--contract',
      'contract.json',
    ],
    { cwd: join(import.meta.dirname, '../..') },
  );
});
afterAll(async () => {
  expect(await shop.stop()).toBe(0);
});

/** Waits for an item of a table of the app. */
const stored = (TableName: string | undefined) =>
  until('the item is stored', async () => {
    const input = { TableName, Key: { id: { S: 'reply-1' } } };
    return (await shop.dynamoDb.send(new GetItemCommand(input))).Item;
  });

/** Waits for a message in a queue of the app. @returns its body and attributes */
const received = (QueueUrl: string | undefined) =>
  until('a message is in the queue', async () => {
    const input = { QueueUrl, MessageAttributeNames: ['All'], WaitTimeSeconds: 1 };
    const { Messages = [] } = await shop.sqs.send(new ReceiveMessageCommand(input));
    return Messages[0];
  });

it('a function of the app stores a reply in a table of the app, and has a log', async () => {
  const { RepliesTable } = shop.outputs;
  expect(await stored(RepliesTable)).toEqual({ id: { S: 'reply-1' }, text: { S: 'Yes, please' } });
  expect(shop.functionLog('KeepReply')).toContain(`a reply for ${RepliesTable}`);
});

it('a function reads a queue of the app, which a topic of the app feeds', async () => {
  expect(await stored(shop.outputs.DoneTable)).toEqual({ id: { S: 'reply-1' } });
});

it('the reply that a function fails on is at its destination, and in its dead-letter queue', async () => {
  const record = JSON.parse((await received(shop.outputs.FailuresUrl)).Body ?? '');
  expect(record).toMatchObject({
    requestContext: { condition: 'RetriesExhausted', approximateInvokeCount: 1 },
    requestPayload: { 'detail-type': 'SMS Reply Received', detail: { replyId: 'reply-1' } },
    responsePayload: { errorMessage: 'out of order' },
  });
  const { Body = '', MessageAttributes } = await received(shop.outputs.DeadUrl);
  expect(JSON.parse(Body)).toEqual(record.requestPayload);
  expect(MessageAttributes?.ErrorMessage?.StringValue).toBe('out of order');
});

it('each resource that one machine does not have is named, and no other', () => {
  const lines = shop.printed().match(/(?<=note +stack Shop, resource ).*/g) ?? [];
  const named = lines.map((line) => line.replaceAll(/(?<=[a-z])[0-9A-F]{8}(?=[ :])/g, ''));
  const [lambda, absent] = ['(AWS::Lambda::Function)', 'skipped, because one machine has no resources'];
  const expected = [
    'InVpcServiceRole (AWS::IAM::Role): one machine does not know the policy arn:aws:iam::aws:policy/AmazonS3ReadOnly',
    `InVpc ${lambda}: Layers has no effect on one machine`,
    `InVpc ${lambda}: VpcConfig has no effect on one machine`,
    `Python ${lambda}: skipped: its runtime is python3.13`,
    'SmsEventsOnReplyPythonRule (AWS::Events::Rule): no event reaches the target',
    'Topicsomeoneexamplecom (AWS::SNS::Subscription): skipped: one machine has no subscription by email',
    `Vpc (AWS::EC2::VPC): ${absent}`,
    `Worker ${lambda}: its runtime is nodejs22.x, and it runs with Node.js`,
  ];
  for (const line of expected) expect(named.filter((name) => name.startsWith(line))).toHaveLength(1);
  expect(named.filter((name) => !/^(Custom|In|Vpc)/.test(name))).toHaveLength(4);
  expect(shop.printed()).toContain('stage assembly-Prod is skipped: ');
});
