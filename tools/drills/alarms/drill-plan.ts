import type { Scenario } from './scenario.ts';
import {
  automationsBroken,
  automationsNotReceived,
  automationsWaiting,
  queuesDeleted,
} from './scenarios/automations.ts';
import { contractOutdated, parkedRefused, storeFailing, workerBroken } from './scenarios/events.ts';
import {
  deliveryWatchBroken,
  publisherBroken,
  publisherThrottled,
  queryBroken,
  queryThrottled,
  queueUnavailable,
  setupBroken,
  sweepBroken,
  sweepThrottled,
  webhookDrifted,
} from './scenarios/function-troubles.ts';
import { foreignAddress, forgeries, tooManyRequests } from './scenarios/ingest.ts';
import { countersBehind, deliveryDegraded } from './scenarios/insights.ts';
import { behind, recordUnreadable } from './scenarios/publisher.ts';

/** Every automation is on, so that each alarm that there can be on this machine is there. */
export function drillSettings(forwardUrl: string) {
  return {
    'sms:optOutContacts': 'on',
    'sms:contactSync': 'on',
    'sms:failureAlert': 'on',
    'sms:failureAlertMinutes': 5,
    'sms:forwardUrl': forwardUrl,
    'sms:billingWatch': 'on',
    'sms:deliveryWatch': 'on',
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
  [[automationsNotReceived], [countersBehind], [deliveryDegraded, deliveryWatchBroken]],
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
