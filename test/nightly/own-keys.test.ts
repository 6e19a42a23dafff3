import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CloudWatchClient, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { type DeployedStack, deployedStackReader } from '../../cli/commands/deploy/stacks.ts';
import { messageKey } from '../../functions/history/item-keys.ts';
import { readCloudAssembly } from '../../local/cloudformation/cloud-assembly.ts';
import { generateSecret } from '../../local/sms-service/webhook.ts';
import { cdkDeploy } from '../../tools/acceptance/cdk-deploy.ts';
import { type Emulator, withEmulator } from '../../tools/acceptance/emulator.ts';
import { accountIn } from '../../tools/acceptance/site.ts';
import { replyEvent, statusEvent } from '../../tools/engine/reports.ts';
import { shippedContract } from '../../tools/support/contracts.ts';
import { SignedPoster } from '../../tools/support/signed-poster.ts';
import { connectToPipeline, runSms } from '../../tools/support/sms-command.ts';
import { until } from '../../tools/support/until.ts';
import { keyUses, withoutKey } from './support/key-uses.ts';

// MiniStack 1.5.33 does less than AWS in three ways, so parts of this test read the template instead:
// - A VPC, its subnets and its endpoints exist, and a function runs outside of them: nothing shows that it reaches what it needs.
// - It stores the key of a queue, topic, table or secret, and does not ask the key's policy when a service or a role uses one.
// - EventBridge drops an event whose target is gone. It neither retries nor fills the dead-letter queue of a rule, and it does not read the
//   policy of a queue. On AWS the event is in the dead-letter queue. Here the test sends it again from the archive.

const project = resolve(import.meta.dirname, '../..');
const stackName = 'OwnKeys';

/** A webhook of the app, with a number that no other webhook reports. */
interface Webhook {
  readonly pipeline: 'Production' | 'Test';
  readonly source: string;
  readonly number: string;
}

const main: Webhook = { pipeline: 'Production', source: 'main', number: '+12025550101' };
const backup: Webhook = { pipeline: 'Production', source: 'backup', number: '+12025550102' };
const third: Webhook = { pipeline: 'Production', source: 'third', number: '+12025550103' };
const test: Webhook = { pipeline: 'Test', source: 'main', number: '+12025550104' };
const webhooks = [main, backup, third, test];

const stackOf = ({ pipeline }: Webhook) => `${stackName}:${pipeline}`;
const idOf = ({ source }: Webhook, id: string) => (source === 'main' ? id : `${source}/${id}`);

/** Runs a command against the pipeline of a webhook. @throws Error with its errors if it fails */
async function sms(webhook: Webhook, ...args: string[]): Promise<string> {
  const { code, out, err } = await runSms([...args, '--stack', stackOf(webhook)]);
  if (code === 0) return out;
  throw new Error(`sms ${args.slice(0, 2).join(' ')} ended with ${code}: ${err}`);
}

/** Returns the item of a message, if the history of the webhook's pipeline has it. */
function stored({ source, ...webhook }: Webhook, messageId: string) {
  const stack = stackOf({ source, ...webhook });
  return connectToPipeline({ local: false, directory: '', stack, source }).messageItem(messageId);
}

/** The deployed app. */
interface Site {
  readonly region: string;
  readonly stack: DeployedStack;
  readonly sqs: SQSClient;
  /** Posts an event to a webhook, signed with its secret. */
  post(webhook: Webhook, event: object): Promise<void>;
  /** Returns the output whose id begins so. */
  output(name: string): string;
}

/** Receives and deletes the messages of a queue until it is empty. */
async function drain({ sqs, output }: Site, queue: string): Promise<unknown[]> {
  const bodies: unknown[] = [];
  const QueueUrl = output(`${queue}Url`);
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 }),
    );
    if (Messages.length === 0) return bodies;
    for (const { Body = '', ReceiptHandle } of Messages) {
      bodies.push(parsed(Body));
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
  }
}

/** Notices are text, and the others are JSON. */
function parsed(body: string): unknown {
  return body.startsWith('{') ? JSON.parse(body) : body;
}

const busEvent = z.object({
  detail: z.object({
    pipeline: z.string(),
    source: z.string().default('main'),
    replyId: z.string(),
    from: z.string(),
  }),
});

const bySource = (one: { source: string }, other: { source: string }) => (one.source < other.source ? -1 : 1);

async function storeSecret(webhook: Webhook, directory: string): Promise<string> {
  const { shown, signing } = generateSecret(shippedContract.webhook.signature);
  const file = join(directory, 'secret.txt');
  writeFileSync(file, shown, { mode: 0o600 });
  const sourceOptions = ['--source', webhook.source, '--contract', 'contract.json'];
  await sms(webhook, 'webhook', 'store-secret', '--secret-file', file, ...sourceOptions);
  rmSync(file);
  return signing;
}

/** Deploys the app, and stores a secret for each webhook. */
async function deploy(region: string, directory: string, signal: AbortSignal, poster: SignedPoster) {
  const log = join(directory, 'log.txt');
  const output = openSync(log, 'w');
  try {
    const deployment = { appFile: 'test/nightly/support/own-keys-app.ts', region, directory, context: {} };
    await cdkDeploy(deployment, signal, output);
  } catch (cause) {
    throw new Error(`The deployment failed:\n${readFileSync(log, 'utf8')}`, { cause });
  } finally {
    closeSync(output);
  }
  const { cloudFormation } = accountIn(region);
  const stack = await deployedStackReader(cloudFormation)(stackName);
  if (stack === undefined) throw new Error('After the deployment there is no stack.');
  const outputs = z
    .record(z.string(), z.record(z.string(), z.string()))
    .parse(JSON.parse(readFileSync(join(directory, 'outputs.json'), 'utf8')))[stackName];
  const secrets = new Map<Webhook, string>();
  for (const webhook of webhooks) secrets.set(webhook, await storeSecret(webhook, directory));
  const site: Site = {
    region,
    stack,
    sqs: new SQSClient({ region }),
    async post(webhook, event) {
      const { source } = webhook;
      const stack = stackOf(webhook);
      const url = await connectToPipeline({ local: false, directory, stack, source }).webhookUrl();
      const body = Buffer.from(JSON.stringify(event));
      const delivery = { id: crypto.randomUUID(), body };
      expect(await poster.post(url, delivery, secrets.get(webhook))).toBe(200);
    },
    output(name) {
      const found = Object.entries(outputs ?? {}).filter(([id]) => id.replace(/[0-9A-F]{8}$/, '') === name);
      if (found.length !== 1) throw new Error(`${found.length} outputs are called ${name}`);
      return found[0]?.[1] ?? '';
    },
  };
  return site;
}

/** A delivery report to the number of a webhook. */
function report({ number }: Webhook, messageId: string, status?: string): object {
  const event = statusEvent(messageId, status);
  return { ...event, data: { ...event.data, to: number } };
}

/** Each webhook reports the same message and the same reply. They are different ones, because services choose ids by themselves. */
async function eventsStayApart(site: Site): Promise<void> {
  for (const webhook of webhooks) {
    await site.post(webhook, report(webhook, 'same'));
    await site.post(webhook, replyEvent(webhook.number, 'Thanks', 'same'));
  }
  for (const webhook of webhooks) {
    const item = await until(`the report of ${idOf(webhook, 'same')} is stored`, () =>
      stored(webhook, 'same'),
    );
    expect(item).toMatchObject({ pk: messageKey(idOf(webhook, 'same')), phone: webhook.number });
  }
  const pipelines = ['Production', 'Test'] as const;
  const of = (pipeline: Webhook['pipeline']) => webhooks.filter((webhook) => webhook.pipeline === pipeline);
  const received = { Production: [] as unknown[], Test: [] as unknown[] };
  await until('the replies are in the queues of their pipelines', async () => {
    for (const pipeline of pipelines) received[pipeline].push(...(await drain(site, `${pipeline}Replies`)));
    return pipelines.every((pipeline) => received[pipeline].length >= of(pipeline).length);
  });
  for (const pipeline of pipelines) {
    const events = [...received[pipeline], ...(await drain(site, `${pipeline}Replies`))];
    const replies = events.map((event) => busEvent.parse(event).detail);
    const expected = of(pipeline).map(({ source, number }) => ({
      pipeline: site.output(`${pipeline}PipelineName`),
      source,
      replyId: 'same',
      from: number,
    }));
    expect(replies.toSorted(bySource)).toEqual(expected.toSorted(bySource));
    expect(await drain(site, `${pipeline}DeadReplies`)).toEqual([]);
  }
}

/** The queue of a subscription is gone when a message fails. The history and the notice have the message all the same, and the archive keeps the event. */
async function targetIsGone(site: Site): Promise<void> {
  const { sqs, stack, region } = site;
  const QueueUrl = site.output('FailuresUrl');
  // Times of events on the bus are whole seconds.
  const since = new Date(Date.now() - 1000).toISOString();
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['Policy', 'KmsMasterKeyId'] }),
  );
  await sqs.send(new DeleteQueueCommand({ QueueUrl }));
  await site.post(main, report(main, 'failing', 'failed'));
  await until('the failed message is stored', () => stored(main, 'failing'));
  const lambda = new LambdaClient({ region });
  await until('a notice speaks of the failed message', async () => {
    const FunctionName = site.output('ProductionFailureAlertFunctionName');
    const { FunctionError } = await lambda.send(new InvokeCommand({ FunctionName, Payload: '{}' }));
    expect(FunctionError).toBeUndefined();
    const notices = await drain(site, 'NoticesQueue');
    return notices.some((notice) => /^1 message failed/.test(String(notice)));
  });

  await sqs.send(new CreateQueueCommand({ QueueName: QueueUrl.split('/').at(-1), Attributes }));
  const rule = stack.resources.find(({ logicalId }) =>
    logicalId.startsWith('ProductionEventsOnDeliveryFailedFailuresRule'),
  );
  const ruleName = rule?.physicalId.split('|').at(-1) ?? '';
  await sms(main, 'events', 'replay', '--since', since, '--until', 'now', '--rule', ruleName);
  const [event] = await until('the event came again', async () => {
    const events = await drain(site, 'Failures');
    return events.length > 0 && events;
  });
  expect(event).toMatchObject({ 'replay-name': expect.any(String), detail: { messageId: 'failing' } });
}

/** A damaged item keeps the worker of a source from storing a report, so the request is a dead letter of this source. After the repair it is stored. */
async function deadLetterIsOfItsSource(site: Site): Promise<void> {
  const { dynamoDb } = accountIn(site.region);
  const TableName = site.output('ProductionHistoryTableName');
  const pk = { S: messageKey(idOf(backup, 'damaged')) };
  await dynamoDb.send(new PutItemCommand({ TableName, Item: { pk } }));
  // With 61 seconds, 13 receives would take a quarter of an hour.
  const QueueUrl = site.output('ProductionSourceBackupEventsQueueUrl');
  await site.sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { VisibilityTimeout: '1' } }));
  await site.post(backup, report(backup, 'damaged'));
  await site.post(third, report(third, 'intact'));
  await until('the report of another source is stored', () => stored(third, 'intact'));
  const show = async (queue: string) =>
    z
      .object({ entries: z.array(z.looseObject({})) })
      .parse(JSON.parse(await sms(main, 'dead-letter', 'show', queue, '--json'))).entries;
  const letters = await until('the dead letter is shown', async () => {
    const entries = await show('SourceBackupDeadLetterQueueUrl');
    return entries.length > 0 && entries;
  });
  expect(letters).toEqual([
    expect.objectContaining({ kind: 'request', events: [expect.objectContaining({ id: 'damaged' })] }),
  ]);
  for (const queue of ['DeadLetterQueueUrl', 'SourceThirdDeadLetterQueueUrl'])
    expect(await show(queue)).toEqual([]);

  await dynamoDb.send(new DeleteItemCommand({ TableName, Key: { pk } }));
  await sms(main, 'dead-letter', 'redrive', 'SourceBackupDeadLetterQueueUrl', '--limit', '10');
  const item = await until('the redriven report is stored', () => stored(backup, 'damaged'));
  expect(item).toMatchObject({ phone: backup.number });
}

/** Every alarm that notifies reaches the queue behind its topic. */
async function alarmsNotify(site: Site): Promise<void> {
  const { resources, template } = site.stack;
  const names = resources
    .filter(({ logicalId }) => template?.Resources[logicalId]?.Properties.AlarmActions !== undefined)
    .map(({ physicalId }) => physicalId);
  expect(names.length).toBeGreaterThan(20);
  const cloudWatch = new CloudWatchClient({ region: site.region });
  for (const AlarmName of names)
    await cloudWatch.send(
      new SetAlarmStateCommand({ AlarmName, StateValue: 'ALARM', StateReason: 'a test' }),
    );
  const notified = new Set<unknown>();
  await until('every alarm has notified', async () => {
    for (const body of await drain(site, 'AlarmsQueue')) {
      const { AlarmName, NewStateValue } = body as Record<string, unknown>;
      if (NewStateValue === 'ALARM') notified.add(AlarmName);
    }
    return names.every((name) => notified.has(name));
  });
}

/** Each service may use the keys of what it sends to, and each queue of a rule admits the rule. */
function keysAdmitServices(directory: string): void {
  const [{ template } = { template: undefined }] = readCloudAssembly(join(directory, 'cdk.out'));
  if (template === undefined) throw new Error('The app has no stack.');
  expect(withoutKey(template)).toEqual([]);
  const uses = keyUses(template);
  expect(uses.filter(({ problem }) => problem !== undefined)).toEqual([]);
  const services = new Set(uses.map(({ service }) => service));
  expect(services).toEqual(new Set(['events', 'cloudwatch', 'sns', 'logs']));
}

async function walk(emulator: Emulator, directory: string, signal: AbortSignal): Promise<void> {
  const poster = new SignedPoster();
  try {
    const site = await deploy(emulator.region, directory, signal, poster);
    expect(emulator.decisions().broken).toEqual([]);
    keysAdmitServices(directory);
    const steps = [eventsStayApart, targetIsGone, deadLetterIsOfItsSource, alarmsNotify];
    for (const step of steps) {
      const begun = performance.now();
      await step(site);
      console.info(`${step.name}: ${Math.round((performance.now() - begun) / 1000)} s`);
    }
    expect(emulator.decisions().broken).toEqual([]);
  } finally {
    poster.close();
  }
}

it('two pipelines with keys, a bus and a VPC of the app lose nothing', { timeout: 1_800_000 }, async ({
  signal,
}) => {
  const directory = mkdtempSync(join(tmpdir(), 'sms-own-keys-'));
  try {
    await withEmulator(join(project, '.local/emulators/own-keys'), (emulator) =>
      walk(emulator, directory, signal),
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
});
