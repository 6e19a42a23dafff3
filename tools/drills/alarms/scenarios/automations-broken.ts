import { type Automation, contactSync, forward, optOut } from '../automation.ts';
import { expectText, type Scenario } from '../scenario.ts';

/** The function of an automation cannot start. */
function broken(automation: Automation): Scenario {
  const { name, label, cause } = automation;
  return {
    alarms: [`${name}ConsumerErrors`, `${name}DeadLettersPresent`],
    how: `a deployment of ${label} that does not start; its queue gives up after one try (SetQueueAttributes) instead of 1000`,
    async play({ site, fired, step, fixed, undo }) {
      const deadLetters = `${name}DeadLetterQueueUrl`;
      const restoreRetries = await site.shortenRetries(`${name}QueueUrl`, deadLetters);
      undo(restoreRetries);
      // Earlier messages, in progress while their process is replaced, would be invisible for minutes.
      await site.untilEmpty(`${name}QueueUrl`);
      const deploy = site.breakCode(label);
      undo(deploy);
      await cause(site);
      await fired();
      await step(`the log of ${label} has the error: fix it and deploy again`, async () => {
        site.expectLogged(label, 'does not start');
        deploy();
        await restoreRetries();
      });
      await step(`dlq show ${name}`, async () => expectText(await site.sms(`dlq show ${name}`), 'SMS '));
      await step(`dlq redrive ${name} --dry-run`, () => site.sms(`dlq redrive ${name} --dry-run`));
      await fixed();
      await step(`dlq redrive ${name}`, () => site.sms(`dlq redrive ${name}`));
      await site.untilEmpty(deadLetters);
      await site.untilEmpty(`${name}QueueUrl`, 200_000);
    },
  };
}

export const automationsBroken = [optOut, contactSync, forward].map(broken);
