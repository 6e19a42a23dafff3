import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import { doctorReport } from '../../../cli/commands/doctor/finding.ts';
import type { TestBed } from '../../../tools/drills/grants/test-bed.ts';
import { updateThrottle } from '../../../tools/support/local-pipeline.ts';
import { smsCommand } from '../../../tools/support/sms-command.ts';
import type { Started } from './post-signed.ts';

/** The key that the sandbox of the SMS service accepts. */
const apiKey = 'local-api-key';

/** Breaks the pipeline, or what the command sees of it. @returns how to repair it */
type Break = (bed: TestBed) => Promise<() => Promise<unknown>>;

export function doctorNamesFaults(bed: Started<TestBed>): void {
  /** Runs the command; the checks with their state and what they found. */
  async function doctor(args: readonly string[] = []) {
    const { code, out, err } = await smsCommand(bed().pipeline.directory, ['doctor', '--json', ...args]);
    for (const secret of [await bed().pipeline.webhookSecret(), apiKey])
      expect(out + err).not.toContain(secret);
    const { checks } = doctorReport.parse(JSON.parse(out));
    return { code, checks, failed: checks.filter(({ state }) => state === 'failed') };
  }

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
}
