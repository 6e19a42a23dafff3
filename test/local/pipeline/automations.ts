import { randomUUID } from 'node:crypto';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import { CreateQueueCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import { arnOf, localClient } from '../../../local/aws-protocol/call.ts';
import { sandboxAt } from '../../../tools/engine/sandbox.ts';
import { smsCommand } from '../../../tools/support/sms-command.ts';
import { until } from '../../../tools/support/until.ts';
import { deliverSigned, type Started } from './post-signed.ts';

/** Attempts follow after 30, 120 and 600 seconds, or after six minutes if the delay could not be set. In milliseconds. */
const patienceMs = 1_800_000;

export function automationsRetry(pipeline: Started): void {
  async function reply(from: string, text: string): Promise<string> {
    const id = randomUUID();
    const data = { id, from, to: '+12025550100', text, occurred_at: new Date().toISOString() };
    await deliverSigned(pipeline(), { type: 'sms.reply', data }, id);
    return id;
  }

  const setApiKey = (SecretString: string) =>
    pipeline().secretsManager.send(
      new PutSecretValueCommand({ SecretId: 'sms-pipeline/api-key', SecretString }),
    );

  /** Waits for the first notice with this text. */
  async function noticeWith(text: string, QueueUrl: string | undefined): Promise<string> {
    const find = async () => {
      const { Messages = [] } = await pipeline().sqs.send(
        new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 1, MaxNumberOfMessages: 10 }),
      );
      return Messages.map(({ Body = '' }) => Body).find((body) => body.includes(text));
    };
    return until('a notice is sent', find, patienceMs);
  }

  const title =
    'opt-out and contact-sync retry until the API key is valid again, and an opt-out publishes a notice';
  it(title, { timeout: 3 * patienceMs }, async () => {
    const { outputs, port, sqs, functionLog, processes } = pipeline();
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'automation-notices' }));
    const sns = new SNSClient(localClient(`http://127.0.0.1:${port + 3}`));
    const Endpoint = arnOf('sqs', 'automation-notices');
    await sns.send(new SubscribeCommand({ TopicArn: outputs.NoticesTopicArn, Protocol: 'sqs', Endpoint }));

    const automations = ['opt-out', 'contact-sync'];
    const logged = new Map(automations.map((name) => [name, functionLog(name).length]));
    await setApiKey('wrong');
    // A process that has worked before has a valid token.
    const running = automations.flatMap(processes);
    for (const pid of running) process.kill(pid, 'SIGKILL');
    await until('they are gone', () => !automations.flatMap(processes).some((pid) => running.includes(pid)));
    try {
      await reply('+12025550136', 'STOP');
      await reply('+12025550137', 'Thank you');
      for (const name of automations)
        await until(`${name} has failed`, () =>
          functionLog(name).slice(logged.get(name)).includes('AUTOMATION-01'),
        );
    } finally {
      await setApiKey('local-api-key');
    }

    const wish = await reply('+12025550138', 'please stop texting me');
    const notice = await noticeWith(wish, QueueUrl);
    expect(notice).not.toContain('2025550138');
    expect(notice).not.toContain('texting');

    const bothContacts = async () => {
      const contacts = await sandboxAt(`http://127.0.0.1:${port + 1}`).contacts();
      return contacts.has('+12025550136') && contacts.has('+12025550137') && contacts;
    };
    const made = await until('both contacts are made', bothContacts, patienceMs);
    expect(made).not.toContain('+12025550138');
  });

  it('an opt-out by hand reaches the bus and the contact, and a newer reply ends it', async () => {
    const { directory, port } = pipeline();
    const phone = '+12025550149';
    const sms = async (...args: string[]) => {
      const { code, out, err } = await smsCommand(directory, args);
      expect([code, err]).toEqual([0, '']);
      return out;
    };
    const state = async () => (await sms('number', 'show', phone, '--reveal')).split('\n')[0];
    expect(await state()).toBe(`${phone}: never opted out`);

    const { after } = JSON.parse(await sms('opt-out', 'add', phone, '--reason', 'called support', '--json'));
    expect(after).toMatchObject({ state: 'out', phone, reason: 'called support' });
    expect(await state()).toContain('(by hand: called support)');
    // Only an event on the bus makes the automation write the contact.
    const contacts = () => sandboxAt(`http://127.0.0.1:${port + 1}`).contacts();
    await until('the contact is made', async () => (await contacts()).has(phone), patienceMs);
    const listed = JSON.parse(await sms('opt-out', 'list', '--all', '--json')).entries;
    expect(listed).toContainEqual({
      phone,
      since: after.since,
      by: 'operator',
      entryId: after.entryId,
      reason: after.reason,
    });

    // The reply's time has whole milliseconds, as the entry's has.
    await until('the clock has moved', () => new Date().toISOString() > after.since);
    const id = await reply(phone, 'START');
    await until('the reply counts', async () => (await state())?.includes(`(reply ${id})`), patienceMs);
    expect(await state()).toContain('opted in again');
  });
}
