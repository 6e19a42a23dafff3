import {
  CreateQueueCommand,
  DeleteQueueCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { until } from '../../../support/until.ts';
import { type Automation, contactSync, failureAlert, forward, optOut } from '../automation.ts';
import { expectText, type Scenario } from '../scenario.ts';
import type { Site } from '../site.ts';

/** The queues of the automations were deleted. */
export const queuesDeleted: Scenario = {
  alarms: [optOut, contactSync, forward, failureAlert].map(({ name }) => `${name}RulesUndeliveredPresent`),
  how: 'the queues of all four automations are deleted: the bus has nowhere to put an event',
  async play({ site, fired, step, fixed, undo }) {
    const { sqs } = site.pipeline;
    const automations = [optOut, contactSync, forward, failureAlert];
    const queues = await Promise.all(
      automations.map(async ({ name }) => {
        const QueueUrl = site.output(`${name}QueueUrl`);
        const {
          VisibilityTimeout = '',
          RedrivePolicy = '',
          MessageRetentionPeriod = '',
        } = await site.attributes(QueueUrl);
        return { QueueUrl, Attributes: { VisibilityTimeout, RedrivePolicy, MessageRetentionPeriod } };
      }),
    );
    const createQueues = async () => {
      for (const { QueueUrl, Attributes } of queues)
        await sqs.send(new CreateQueueCommand({ QueueName: QueueUrl.split('/').at(-1), Attributes }));
    };
    undo(createQueues);
    const from = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();
    for (const { QueueUrl } of queues) await sqs.send(new DeleteQueueCommand({ QueueUrl }));
    for (const { cause } of automations) await cause(site);
    await fired();
    await step('ERROR_MESSAGE of a message there: the queue does not exist', async () => {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: undeliveredUrl(site, optOut),
          VisibilityTimeout: 0,
          MessageAttributeNames: ['All'],
        }),
      );
      expectText(JSON.stringify(Messages[0]?.MessageAttributes ?? {}), 'NO_RESOURCE');
    });
    await step('deploy: the queues are there again', createQueues);
    const taken = site.receiver.accepted.size;
    for (const { name } of automations)
      await step(`sms replay --rule ${name} of that time`, () => replay(site, name, from));
    await step('the automations do what they did not', async () => {
      await until('forward has forwarded', () => site.receiver.accepted.size > taken, 60_000);
      for (const { name } of [optOut, contactSync, forward])
        await site.untilEmpty(`${name}QueueUrl`, 120_000);
      await until(
        'the failure waits for its round',
        async () => (await site.pipeline.queueDepth(site.output('FailureAlertQueueUrl'))).waiting > 0,
      );
      if (!(await site.invoke('failure-alert'))) throw new Error('failure-alert failed');
    });
    await step('delete the messages (aws sqs purge-queue)', async () => {
      for (const automation of automations)
        await sqs.send(new PurgeQueueCommand({ QueueUrl: undeliveredUrl(site, automation) }));
    });
    await fixed();
  },
};

/** Each rule of the automation that the events matched. */
async function replay(site: Site, name: string, from: string): Promise<void> {
  const answer = await site.trySms(['replay', '--from', from, '--to', 'now', '--rule', name, '--wait']);
  if (answer.code === 0) return;
  const rules = [...answer.err.matchAll(/^ {2}(\S+)$/gm)].map(([, rule = '']) => rule);
  const own = rules.filter((rule) => rule.includes(`-${name}Rules`));
  if (own.length === 0) throw new Error(answer.err);
  for (const rule of own) await site.sms(`replay --from ${from} --to now --rule ${rule} --wait`);
}

function undeliveredUrl(site: Site, { name }: Automation): string {
  const found = site.monitor.queues.find((queue) => queue.includes(`-${name}RulesUndelivered`));
  return site.output('EventsQueueUrl').replace(/[^/]+$/, found ?? '');
}
