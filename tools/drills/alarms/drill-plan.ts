import type { Scenario } from './scenario.ts';
import { automationsBroken } from './scenarios/automations-broken.ts';
import { queuesDeleted } from './scenarios/automations-undelivered.ts';
import { automationsNotReceived, automationsWaiting } from './scenarios/automations-waiting.ts';
import { behind } from './scenarios/behind.ts';
import { contractOutdated, parkedRefused, storeFailing, workerBroken } from './scenarios/events.ts';
import { foreignAddress, forgeries, queueUnavailable, tooManyRequests } from './scenarios/ingest.ts';
import { publisherBroken, publisherThrottled, recordUnreadable } from './scenarios/publisher.ts';
import { queryBroken, queryThrottled } from './scenarios/query.ts';
import { setupBroken, webhookDrifted } from './scenarios/setup.ts';
import { sweepBroken, sweepThrottled } from './scenarios/sweep.ts';

/** Every automation is on, so that each alarm that there can be on this machine is there. */
export function drillSettings(forwardUrl: string) {
  return {
    'sms:optOutContacts': 'on',
    'sms:contactSync': 'on',
    'sms:failureAlert': 'on',
    'sms:failureAlertMinutes': 5,
    'sms:forwardUrl': forwardUrl,
    'sms:billingWatch': 'on',
    'sms:allowedSourceIps': '127.0.0.1/32',
    'sms:workerTimeoutSeconds': 10,
  };
}

/** One group after the other; in a group all lanes at once, in a lane one scenario after the other. */
export const groups: readonly (readonly (readonly Scenario[])[])[] = [
  [[workerBroken]],
  [[contractOutdated], ...automationsBroken.map((scenario) => [scenario])],
  automationsWaiting.map((scenario) => [scenario]),
  [[parkedRefused], [queuesDeleted, publisherBroken, publisherThrottled, recordUnreadable]],
  [[automationsNotReceived]],
  [[storeFailing]],
  // No event is accepted meanwhile.
  [[queueUnavailable, tooManyRequests]],
  [
    [behind],
    [
      ...[forgeries, foreignAddress, webhookDrifted, setupBroken],
      ...[queryThrottled, queryBroken, sweepBroken, sweepThrottled],
    ],
  ],
];
