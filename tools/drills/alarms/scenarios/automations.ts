import { CreateTopicCommand, DeleteTopicCommand, SubscribeCommand } from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  DeleteQueueCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { until } from '../../../support/until.ts';
import { anotherPhone, replyEvent, statusEvent } from '../event-bodies.ts';
import { expectText, type Scenario } from '../scenario.ts';
import { queueArn, type Site } from '../site.ts';

/** An automation that takes events from a queue: by what its outputs and its function are called, with an event that it works off. */
interface Automation {
  readonly name: string;
  readonly label: string;
  readonly event: () => object;
}

const optOut: Automation = {
  name: 'OptOut',
  label: 'opt-out',
  event: () => replyEvent(anotherPhone(), 'STOP'),
};
const contactSync: Automation = {
  name: 'ContactSync',
  label: 'contact-sync',
  event: () => replyEvent(anotherPhone(), 'Thank you'),
};
const forward: Automation = {
  name: 'Forward',
  label: 'forward',
  event: () => statusEvent(`drill-forward-${Date.now()}`),
};
const failureAlert: Automation = {
  name: 'FailureAlert',
  label: 'failure-alert',
  event: () => statusEvent(`drill-failed-${Date.now()}`, 'failed'),
};
const consumers = [optOut, contactSync, forward];
const automations = [...consumers, failureAlert];

/** From when on an automation's alarm takes an event for failing. */
const failingMs = 600_000;

/** The fifth try of what is forwarded comes 22 min 35 s after the first (functions/automations/forward/forward-event.ts). */
const beforeFifthTryMs = 1_340_000;

/** The one that the sandbox takes. */
const apiKey = 'local-api-key';

export const automationsBroken = consumers.map(
  ({ name, label, event }): Scenario => ({
    alarms: [`${name}ConsumerErrors`, `${name}DeadLettersPresent`],
    how: `a deployment of ${label} that does not start; its queue gives up after one try (SetQueueAttributes) instead of 1000`,
    async play({ site, fired, step, sms, fixed, undo }) {
      const restoreRetries = await undo(site.shortenRetries(`${name}QueueUrl`, `${name}DeadLetterQueueUrl`));
      // Earlier messages, in progress while their process is replaced, would be invisible for minutes.
      await site.untilEmpty(`${name}QueueUrl`);
      const deploy = await undo(site.breakCode(label));
      await site.post(event());
      await fired();
      await step(`the log of ${label} has the error: fix it and deploy again`, async () => {
        await until('its log names the error', () => site.logged(label, 'does not start').length > 0);
        deploy();
        await restoreRetries();
      });
      await sms(`dead-letter show ${name}`, 'SMS ');
      await sms(`dead-letter redrive ${name} --dry-run`);
      await fixed();
      await sms(`dead-letter redrive ${name}`);
      await site.untilEmpty(`${name}DeadLetterQueueUrl`);
      await site.untilEmpty(`${name}QueueUrl`, 200_000);
    },
  }),
);

export const queuesDeleted: Scenario = {
  alarms: automations.map(({ name }) => `${name}DeadLettersPresent`),
  how: 'the queues of all four automations are deleted: the bus has nowhere to put an event',
  async play({ site, fired, step, fixed, undo }) {
    const { sqs } = site.pipeline;
    const queues = await Promise.all(
      automations.map(async ({ name }) => {
        const QueueUrl = site.output(`${name}QueueUrl`);
        const all = await site.attributes(QueueUrl);
        const { VisibilityTimeout = '', RedrivePolicy = '', MessageRetentionPeriod = '' } = all;
        return { QueueUrl, Attributes: { VisibilityTimeout, RedrivePolicy, MessageRetentionPeriod } };
      }),
    );
    const createQueues = await undo(async () => {
      for (const { QueueUrl, Attributes } of queues)
        await sqs.send(new CreateQueueCommand({ QueueName: QueueUrl.split('/').at(-1), Attributes }));
    });
    const from = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();
    for (const { QueueUrl } of queues) await sqs.send(new DeleteQueueCommand({ QueueUrl }));
    for (const { event } of automations) await site.post(event());
    await fired();
    await step('ERROR_MESSAGE of a message there: the queue does not exist', async () => {
      const QueueUrl = undeliveredUrl(site, optOut);
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0, MessageAttributeNames: ['All'] }),
      );
      expectText(JSON.stringify(Messages[0]?.MessageAttributes ?? {}), 'NO_RESOURCE');
    });
    await step('deploy: the queues are there again', createQueues);
    const taken = site.receiver.accepted.size;
    for (const { name } of automations)
      await step(`sms events replay --rule ${name} of that time`, () => replay(site, name, from));
    await step('the automations do what they did not', async () => {
      await until('forward has forwarded', () => site.receiver.accepted.size > taken, 60_000);
      for (const { name } of consumers) await site.untilEmpty(`${name}QueueUrl`, 120_000);
      await site.untilWaiting(site.output('FailureAlertQueueUrl'));
      await site.succeed('failure-alert');
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
  const answer = await site.trySms([
    'events',
    'replay',
    '--since',
    from,
    '--until',
    'now',
    '--rule',
    name,
    '--follow',
  ]);
  if (answer.code === 0) return;
  const rules = [...answer.err.matchAll(/^ {2}(\S+)$/gm)].map(([, rule = '']) => rule);
  const own = rules.filter((rule) => rule.includes(`-${name}Rules`));
  if (own.length === 0) throw new Error(answer.err);
  for (const rule of own) await site.sms(`events replay --since ${from} --until now --rule ${rule} --follow`);
}

function undeliveredUrl(site: Site, { name }: Automation): string {
  const found = site.monitor.queues.find((queue) => queue.includes(`-${name}RulesUndelivered`));
  return site.output('EventsQueueUrl').replace(/[^/]+$/, found ?? '');
}

const apiKeyWrong: Scenario = {
  alarms: [
    'SetupSetupErrors',
    'BillingWatchBillingWatchErrors',
    'OptOutMessagesFailing',
    'ContactSyncMessagesFailing',
  ],
  how: 'a wrong API key; the clocks of the automations are ten minutes ahead',
  async play({ site, fired, step, sms, log, fixed, undo }) {
    const storeKey = await undo(() => site.setApiKey(apiKey));
    await site.setApiKey('wrong');
    await site.sandbox.setFaults({ expireTokens: true });
    // A process that runs already knows the key that was right.
    for (const label of ['opt-out', 'contact-sync', 'billing-watch', 'setup']) site.endHosts(label);
    const putRight = [
      await undo(site.shiftClock('opt-out', failingMs)),
      await undo(site.shiftClock('contact-sync', failingMs)),
    ];
    for (const { event } of [optOut, contactSync]) await site.post(event());
    for (let run = 0; run < 2; run += 1) {
      await site.sms('webhook reconcile', 1);
      await site.invoke('billing-watch');
    }
    await fired({ deadlineMs: 90_000 });
    await sms('webhook status', '', 1);
    await log('setup', 'SETUP-05', /unauthorized/);
    for (const label of ['opt-out', 'contact-sync']) await log(label, 'AUTOMATION-01');
    await log('billing-watch', 'BILLING-02');
    for (const act of putRight) await act();
    await step('store a valid API key (put-secret-value)', storeKey);
    await fixed();
    await step('webhook reconcile and billing-watch succeed', async () => {
      await site.sms('webhook reconcile');
      await site.succeed('billing-watch');
    });
    for (const automation of [optOut, contactSync])
      await step('nothing was given up: the events are redelivered by themselves', () =>
        workedOff(site, automation),
      );
  },
};

async function workedOff(site: Site, { name }: Automation): Promise<void> {
  await site.untilEmpty(`${name}QueueUrl`, 240_000);
  await site.untilEmpty(`${name}DeadLetterQueueUrl`, 1000);
}

const receiverDown: Scenario = {
  alarms: ['ForwardMessagesFailing'],
  how: 'the receiver answers 500; the clock of forward is 22 minutes ahead, just before the time of its fifth try',
  async play({ site, fired, step, log, fixed, undo }) {
    const repair = await undo(() => {
      site.receiver.status = 204;
    });
    site.receiver.status = 500;
    const putRight = await undo(site.shiftClock('forward', beforeFifthTryMs));
    await site.post(forward.event());
    await fired({ deadlineMs: 90_000 });
    await log('forward', 'AUTOMATION-01', /answered 500/);
    await putRight();
    await step('fix the receiver', repair);
    const before = site.receiver.accepted.size;
    await fixed();
    await step('nothing was given up: the events are redelivered by themselves', async () => {
      await workedOff(site, forward);
      if (site.receiver.accepted.size === before) throw new Error('the receiver got nothing');
    });
  },
};

export const automationsNotReceived: Scenario = {
  alarms: consumers.map(({ name }) => `${name}QueueBehind`),
  how: 'SQS refuses to let Lambda receive (/local/faults), as where a role was changed; the queues are looked at so far ahead that 20 s of their threshold are really waited',
  async play({ site, fired, step, fixed, undo }) {
    const fixes = await Promise.all(consumers.map(({ label }) => undo(site.spoilPoller(label))));
    const lookAgain = [
      await undo(lookAhead(site, 'OptOutQueueUrl', 900)),
      await undo(lookAhead(site, 'ContactSyncQueueUrl', 3600)),
      await undo(lookAhead(site, 'ForwardQueueUrl', 3600)),
    ];
    for (const { event } of consumers) await site.post(event());
    await fired({ deadlineMs: 90_000 });
    await step('deploy: the roles are as they were', async () => {
      for (const fix of fixes) await fix();
    });
    await step('what waits is worked off', async () => {
      for (const { name } of consumers) await site.untilEmpty(`${name}QueueUrl`);
    });
    for (const act of lookAgain) act();
    await fixed();
  },
};

const topicDeleted: Scenario = {
  alarms: ['FailureAlertAlertErrors', 'FailureAlertQueueBehind', 'FailureAlertDeadLettersPresent'],
  how: 'the topic of the notices is deleted, failure-alert run by hand as its schedule does; its queue gives up after one try (SetQueueAttributes) and is looked at so far ahead that 20 s of the threshold are really waited',
  async play({ site, fired, step, sms, log, fixed, undo }) {
    const TopicArn = site.output('NoticesTopicArn');
    const queue = 'FailureAlertQueueUrl';
    const deadLetters = 'FailureAlertDeadLetterQueueUrl';
    const createTopic = await undo(() =>
      site.sns.send(new CreateTopicCommand({ Name: TopicArn.split(':').at(-1) })),
    );
    await site.sns.send(new DeleteTopicCommand({ TopicArn }));
    const restoreRetries = await undo(site.shortenRetries(queue, deadLetters));
    const lookAgain = await undo(lookAhead(site, queue, 900));
    await site.post(failureAlert.event());
    await site.untilWaiting(site.output(queue));
    await fired({ id: 'FailureAlertQueueBehind' });
    await until('the event is given up', async () => {
      await site.invoke('failure-alert');
      return (await site.pipeline.queueDepth(site.output(deadLetters))).waiting > 0;
    });
    await fired();
    await log('failure-alert', 'ALERT-04');
    await step('fix it and deploy: the topic is there again', async () => {
      await createTopic();
      await restoreRetries();
    });
    const { QueueUrl = '' } = await site.pipeline.sqs.send(
      new CreateQueueCommand({ QueueName: 'drill-notices' }),
    );
    await site.sns.send(new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint: queueArn(QueueUrl) }));
    await sms('dead-letter show FailureAlert', 'SMS ');
    await sms('dead-letter redrive FailureAlert --dry-run');
    await sms('dead-letter redrive FailureAlert');
    await fixed();
    await step('its next run sends the notice', async () => {
      await site.succeed('failure-alert');
      await site.untilWaiting(QueueUrl);
      await site.untilEmpty(queue);
    });
    lookAgain();
  },
};

/** Looks at a queue ahead of time, 20 s before its alarm's threshold. @returns how to look at it as it is again */
function lookAhead(site: Site, output: string, thresholdSeconds: number): () => void {
  const name = site.output(output).split('/').at(-1) ?? '';
  site.monitor.lookAhead(name, thresholdSeconds - 20);
  return () => site.monitor.lookAhead(name, 0);
}

export const automationsWaiting = [apiKeyWrong, receiverDown, topicDeleted];
