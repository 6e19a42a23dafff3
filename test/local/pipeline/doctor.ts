import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import {
  ListSubscriptionsByTopicCommand,
  SNSClient,
  SubscribeCommand,
  UnsubscribeCommand,
} from '@aws-sdk/client-sns';
import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { expect, it, onTestFinished } from 'vitest';
import { doctorReport } from '../../../cli/commands/doctor/finding.ts';
import type { Connection } from '../../../cli/target/connection.ts';
import { readReport } from '../../../cli/target/stack/setup-function.ts';
import { localClient } from '../../../local/aws-protocol/call.ts';
import type { TestBed } from '../../../tools/drills/grants/test-bed.ts';
import { shippedContract } from '../../../tools/support/contracts.ts';
import { updateThrottle } from '../../../tools/support/local-pipeline.ts';
import { connectToPipeline, smsCommand } from '../../../tools/support/sms-command.ts';
import type { Started } from './post-signed.ts';

/** The key that the sandbox of the SMS service accepts. */
const apiKey = 'local-api-key';

/** Breaks the pipeline, or what the command sees of it. @returns how to repair it */
type Break = (bed: TestBed) => Promise<() => Promise<unknown>>;

export function doctorNamesFaults(bed: Started<TestBed>): void {
  /** Runs the command; the checks with their state and what they found. */
  async function doctor(
    args: readonly string[] = [],
    broken: Partial<Connection> = {},
    directory = bed().pipeline.directory,
  ) {
    const { code, out, err } = await smsCommand(directory, ['doctor', '--json', ...args], (target) => ({
      ...connectToPipeline(target),
      ...broken,
    }));
    for (const secret of [await bed().pipeline.webhookSecret(), apiKey])
      expect(out + err).not.toContain(secret);
    const { checks } = doctorReport.parse(JSON.parse(out));
    return { code, checks, failed: checks.filter(({ state }) => state === 'failed') };
  }
  const sms = (...args: string[]) => smsCommand(bed().pipeline.directory, args);
  const connection = () =>
    connectToPipeline({ local: true, directory: bed().pipeline.directory, prefix: 'SmsPipeline' });

  it('passes on a healthy pipeline, follows its test message to the bus, and removes it', async () => {
    const { checks, failed, code } = await doctor();
    expect([failed, code]).toEqual([[], 0]);
    for (const name of [
      'outputs',
      'contract',
      'api-key',
      'webhook-url',
      'webhook-secret',
      'topics',
      'webhook',
      'history',
      'bus',
      'clean-up',
    ])
      expect(checks).toContainEqual(expect.objectContaining({ check: name, state: 'ok' }));
  });

  /** Real faults: the check that names each, what it says, and how the pipeline is broken. */
  const faults: Readonly<
    Record<string, readonly [check: string, found: RegExp, breakIt: Break, ...args: string[]]>
  > = {
    'a dead letter': [
      'dead-letters',
      /^DeadLetterQueueUrl: 1 message/,
      async ({ pipeline: { sqs, outputs } }) => {
        const QueueUrl = outputs.DeadLetterQueueUrl;
        await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'not an envelope' }));
        return async () => {
          const { Messages = [] } = await sqs.send(
            new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5 }),
          );
          for (const { ReceiptHandle } of Messages)
            await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
        };
      },
      '--no-send',
    ],
    'another URL at the service': [
      'webhook-url',
      /sends to http:\/\/127.0.0.1:\d+\/elsewhere/,
      async ({ sandbox, pipeline }) => {
        await sandbox.changeUrl(`http://127.0.0.1:${pipeline.port}/elsewhere`);
        return () => sandbox.changeUrl(pipeline.webhookUrl);
      },
      '--no-send',
    ],
    'an API key that the service rejects': [
      'api-key',
      /answered 401/,
      async ({ pipeline: { secretsManager } }) => {
        const put = (SecretString: string) =>
          secretsManager.send(new PutSecretValueCommand({ SecretId: 'sms-pipeline/api-key', SecretString }));
        await put('revoked');
        return () => put(apiKey);
      },
      '--no-send',
    ],
    'a reconciliation that fails': [
      'reconcile',
      /^failed/,
      async ({ sandbox }) => {
        await sandbox.setFaults({ refuseReads: { status: 503, calls: 1000 } });
        await sms('webhook', 'reconcile');
        await sandbox.setFaults({});
        return () => sms('webhook', 'reconcile');
      },
      '--no-send',
    ],
    'a topic without a subscriber': [
      'topics',
      /^NoticesTopicArn: no confirmed subscription/,
      async ({ pipeline, output }) => {
        const sns = new SNSClient(localClient(`http://127.0.0.1:${pipeline.port + 3}`));
        const TopicArn = output('NoticesTopicArn');
        const { Subscriptions = [] } = await sns.send(new ListSubscriptionsByTopicCommand({ TopicArn }));
        for (const { SubscriptionArn } of Subscriptions)
          await sns.send(new UnsubscribeCommand({ SubscriptionArn }));
        return async () => {
          for (const { Protocol, Endpoint } of Subscriptions)
            await sns.send(new SubscribeCommand({ TopicArn, Protocol, Endpoint }));
        };
      },
      '--no-send',
    ],
    'a webhook that lets no request in': [
      'webhook',
      /^not checked/,
      async ({ pipeline }) => {
        const inForce = await updateThrottle(pipeline, {});
        await updateThrottle(pipeline, {
          defaultRouteSettings: { throttlingRateLimit: 0, throttlingBurstLimit: 0 },
        });
        return () => updateThrottle(pipeline, inForce);
      },
    ],
    'a bus that accepts nothing': [
      'bus',
      /^not within/,
      async ({ pipeline }) => {
        const set = (faults: object) =>
          fetch(`http://127.0.0.1:${pipeline.port + 4}/local/event-bridge/faults`, {
            method: 'PUT',
            body: JSON.stringify(faults),
          });
        await set({ throttle: true });
        return () => set({});
      },
      '--wait',
      '8',
    ],
  };

  it.each(Object.entries(faults))('names %s', async (_, [check, found, breakIt, ...args]) => {
    const repair = await breakIt(bed());
    try {
      const { code, failed } = await doctor(args);
      expect(failed).toContainEqual({
        check,
        state: 'failed',
        found: expect.stringMatching(found),
        hint: expect.any(String),
      });
      expect(code).toBe(1);
    } finally {
      await repair();
    }
    const { failed } = await doctor(['--no-send']);
    expect(failed).toEqual([]);
  });

  /** Faults of what the command sees, while the pipeline itself works. */
  const sights: Readonly<
    Record<
      string,
      readonly [check: string, found: RegExp, broken: () => Partial<Connection>, ...args: string[]]
    >
  > = {
    'a secret that is not stored': [
      'webhook-secret',
      /^none is stored/,
      () => ({
        invokeSetup: async (payload) => {
          const report = readReport(await connection().invokeSetup(payload));
          return { ...report, secret: { ...report.secret, stored: false } };
        },
      }),
      '--no-send',
    ],
    'an event that is not stored': [
      'history',
      /^not within/,
      () => ({
        history: async () => ({ ...(await connection().history()), message: async () => undefined }),
      }),
      '--wait',
      '1',
    ],
    'a permission that is missing': [
      'dead-letters',
      /denies you sqs:ReceiveMessage$/,
      () => ({
        deadLetterQueues: async () => {
          const message = 'User: someone is not authorized to perform: sqs:ReceiveMessage on resource: q';
          throw Object.assign(new Error(message), { name: 'AccessDenied' });
        },
      }),
      '--no-send',
    ],
  };

  it.each(Object.entries(sights))('names %s', async (_, [check, found, broken, ...args]) => {
    const { code, failed } = await doctor(args, broken());
    expect(failed).toEqual([
      { check, state: 'failed', found: expect.stringMatching(found), hint: expect.any(String) },
    ]);
    expect(code).toBe(1);
  });

  it('names another contract, and outputs that are not there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sms-doctor-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const contract = join(folder, 'contract.json');
    writeFileSync(contract, JSON.stringify({ ...shippedContract, errors: { 7: 'unknown' } }));
    expect((await doctor(['--no-send', '--contract', contract])).failed).toMatchObject([
      { check: 'contract', found: expect.stringContaining('contract.json is') },
    ]);
    const outputs = JSON.parse(readFileSync(join(bed().pipeline.directory, 'outputs.json'), 'utf8'));
    delete outputs['SmsPipeline-Events'];
    delete outputs['SmsPipeline-Pipeline'].QueryUrl;
    writeFileSync(join(folder, 'outputs.json'), JSON.stringify(outputs));
    const { failed } = await doctor(['--no-send'], {}, folder);
    expect(failed).toMatchObject([
      { check: 'outputs', found: 'no stack Events; SmsPipeline-Pipeline lacks QueryUrl' },
    ]);
  });
}
