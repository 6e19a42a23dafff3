import { CreateTopicCommand, DeleteTopicCommand, SubscribeCommand } from '@aws-sdk/client-sns';
import { CreateQueueCommand } from '@aws-sdk/client-sqs';
import { until } from '../../../support/until.ts';
import { contactSync, failureAlert, forward, optOut } from '../automation.ts';
import { expectText, type Scenario } from '../scenario.ts';
import { queueArn, type Site } from '../site.ts';

/** From when on an automation's alarm takes an event for failing. */
const failingMs = 600_000;

/** The fifth try of what is forwarded comes 22 min 35 s after the first (functions/automations/forward/forward-event.ts). */
const beforeFifthTryMs = 1_340_000;

/** The one that the sandbox takes. */
const apiKey = 'local-api-key';

/** The API key was changed at the service, and the new one is not stored yet. */
const apiKeyWrong: Scenario = {
  alarms: [
    'SetupReconcileFailed',
    'BillingWatchBillingWatchErrors',
    'OptOutMessagesFailing',
    'ContactSyncMessagesFailing',
  ],
  how: 'a wrong API key; the clocks of the automations are ten minutes ahead',
  async play({ site, fired, step, fixed, undo }) {
    undo(() => site.setApiKey(apiKey));
    await site.setApiKey('wrong');
    await site.sandbox('PUT', 'faults', { expireTokens: true });
    // A process that runs already knows the key that was right.
    for (const label of ['opt-out', 'contact-sync', 'billing-watch', 'setup']) site.endHosts(label);
    const putRight = [
      await site.shiftClock('opt-out', failingMs),
      await site.shiftClock('contact-sync', failingMs),
    ];
    for (const act of putRight) undo(act);
    await optOut.cause(site);
    await contactSync.cause(site);
    for (let run = 0; run < 2; run += 1) {
      await site.sms('webhook reconcile', 1);
      await site.invoke('billing-watch');
    }
    await fired({ deadlineMs: 90_000 });
    await step("webhook status shows the service's error (exit code 1)", () => site.sms('webhook status', 1));
    await step('log Setup SETUP-05: unauthorized', () =>
      site.expectLogged('setup', 'SETUP-05', /unauthorized/),
    );
    await step('AUTOMATION-01 and BILLING-02 in the logs of the automations', () => {
      for (const label of ['opt-out', 'contact-sync']) site.expectLogged(label, 'AUTOMATION-01');
      site.expectLogged('billing-watch', 'BILLING-02');
    });
    for (const act of putRight) await act();
    await step('store a valid API key (put-secret-value)', () => site.setApiKey(apiKey));
    await fixed();
    await step('webhook reconcile and billing-watch succeed', async () => {
      await site.sms('webhook reconcile');
      if (!(await site.invoke('billing-watch'))) throw new Error('billing-watch failed');
    });
    await step('nothing was given up: the events come again by themselves', async () => {
      for (const name of ['OptOut', 'ContactSync']) {
        await site.untilEmpty(`${name}QueueUrl`, 240_000);
        await site.untilEmpty(`${name}DeadLetterQueueUrl`, 1000);
      }
    });
  },
};

/** The receiver of forwarded events does not accept them. */
const receiverDown: Scenario = {
  alarms: ['ForwardMessagesFailing'],
  how: 'the receiver answers 500; the clock of forward is 22 minutes ahead, just before the time of its fifth try',
  async play({ site, fired, step, fixed, undo }) {
    site.receiver.status = 500;
    const repair = () => {
      site.receiver.status = 204;
    };
    undo(repair);
    const putRight = await site.shiftClock('forward', beforeFifthTryMs);
    undo(putRight);
    await forward.cause(site);
    await fired({ deadlineMs: 90_000 });
    await step('AUTOMATION-01 in the log of forward: the receiver answered 500', () =>
      site.expectLogged('forward', 'AUTOMATION-01', /answered 500/),
    );
    await putRight();
    await step('fix the receiver', repair);
    const before = site.receiver.accepted.size;
    await fixed();
    await step('nothing was given up: the events come again by themselves', async () => {
      await site.untilEmpty('ForwardQueueUrl', 240_000);
      await site.untilEmpty('ForwardDeadLetterQueueUrl', 1000);
      if (site.receiver.accepted.size === before) throw new Error('the receiver got nothing');
    });
  },
};

/** Lambda may not receive the events of the automations any more. */
export const automationsNotReceived: Scenario = {
  alarms: ['OptOutQueueBehind', 'ContactSyncQueueBehind', 'ForwardQueueBehind'],
  how: 'SQS refuses to let Lambda receive (/local/faults), as where a role was changed; the queues are looked at so far ahead that 20 s of their threshold are really waited',
  async play({ site, fired, step, fixed, undo }) {
    const fixes: (() => Promise<void>)[] = [];
    await Promise.all(
      [optOut, contactSync, forward].map(async ({ label }) => {
        const fix = await site.spoilPoller(label);
        undo(fix);
        fixes.push(fix);
      }),
    );
    const lookAgain = [
      lookAhead(site, 'OptOutQueueUrl', 900),
      lookAhead(site, 'ContactSyncQueueUrl', 3600),
      lookAhead(site, 'ForwardQueueUrl', 3600),
    ];
    for (const act of lookAgain) undo(act);
    for (const { cause } of [optOut, contactSync, forward]) await cause(site);
    await fired({ deadlineMs: 90_000 });
    await step('deploy: the roles are as they were', async () => {
      for (const fix of fixes) await fix();
    });
    await step('what waits is worked off', async () => {
      for (const { name } of [optOut, contactSync, forward]) await site.untilEmpty(`${name}QueueUrl`);
    });
    for (const act of lookAgain) act();
    await fixed();
  },
};

/** The topic of the notices was deleted. */
const topicDeleted: Scenario = {
  alarms: ['FailureAlertAlertErrors', 'FailureAlertQueueBehind', 'FailureAlertDeadLettersPresent'],
  how: 'the topic of the notices is deleted, failure-alert run by hand as its schedule does; its queue gives up after one try (SetQueueAttributes) and is looked at so far ahead that 20 s of the threshold are really waited',
  async play({ site, fired, step, fixed, undo }) {
    const TopicArn = site.output('NoticesTopicArn');
    const queueUrl = site.output('FailureAlertQueueUrl');
    const deadLetters = site.output('FailureAlertDeadLetterQueueUrl');
    const createTopic = () => site.sns.send(new CreateTopicCommand({ Name: TopicArn.split(':').at(-1) }));
    undo(createTopic);
    await site.sns.send(new DeleteTopicCommand({ TopicArn }));
    const restoreRetries = await site.shortenRetries(
      'FailureAlertQueueUrl',
      'FailureAlertDeadLetterQueueUrl',
    );
    undo(restoreRetries);
    const lookAgain = lookAhead(site, 'FailureAlertQueueUrl', 900);
    undo(lookAgain);
    await failureAlert.cause(site);
    await until('the event waits', async () => (await site.pipeline.queueDepth(queueUrl)).waiting > 0);
    await fired({ id: 'FailureAlertQueueBehind' });
    await until('the event is given up', async () => {
      await site.invoke('failure-alert');
      return (await site.pipeline.queueDepth(deadLetters)).waiting > 0;
    });
    await fired();
    await step('ALERT-04 in the log of failure-alert', () => site.expectLogged('failure-alert', 'ALERT-04'));
    await step('fix it and deploy: the topic is there again', async () => {
      await createTopic();
      await restoreRetries();
    });
    const inbox = await site.pipeline.sqs.send(new CreateQueueCommand({ QueueName: 'drill-notices' }));
    await site.sns.send(
      new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint: queueArn(inbox.QueueUrl ?? '') }),
    );
    await step('dlq show FailureAlert', async () =>
      expectText(await site.sms('dlq show FailureAlert'), 'SMS '),
    );
    await step('dlq redrive FailureAlert --dry-run', () => site.sms('dlq redrive FailureAlert --dry-run'));
    await step('dlq redrive FailureAlert', () => site.sms('dlq redrive FailureAlert'));
    await fixed();
    await step('its next run sends the notice', async () => {
      if (!(await site.invoke('failure-alert'))) throw new Error('it failed');
      await until('a notice', async () => (await site.pipeline.queueDepth(inbox.QueueUrl)).waiting > 0);
      await site.untilEmpty('FailureAlertQueueUrl');
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
