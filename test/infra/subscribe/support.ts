import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { type BusEvent, eventSource } from '../../../functions/publish/shapes.ts';
import { SmsPipeline } from '../../../lib/public/index.ts';
import { quickApp } from '../support/built-app.ts';

/** A user's stack with the construct in it. */
export function userStack() {
  const app = quickApp();
  const stack = new Stack(app, 'User');
  const pipeline = SmsPipeline.fromAttributes(stack, 'Sms', {
    pipelineName: 'SmsPipeline',
    eventBusName: 'sms-bus',
  }).events;
  return { app, stack, pipeline, template: () => Template.fromStack(stack) };
}

const eventId = '0123456789abcdef0123456789abcdef';
const at = '2026-01-15T10:00:00.000Z';

export const failed = {
  detailType: 'SMS Delivery Status Changed',
  detail: {
    version: 1,
    eventId,
    messageId: 'msg-1',
    phone: '+12025550110',
    status: 'failed',
    previousStatus: 'sent',
    final: true,
    outcome: 'failure',
    reportCount: 2,
    historyEventId: 'report-1',
    errorCode: 'E-30',
    receivedAt: at,
    occurredAt: at,
    conflict: false,
  },
} as const satisfies BusEvent;

export const reply = {
  detailType: 'SMS Reply Received',
  detail: {
    version: 1,
    eventId,
    historyEventId: 'reply-1',
    replyId: 'r-1',
    from: '+12025550110',
    to: '+12025550199',
    text: 'Yes, please',
    isTextCut: false,
    mayMeanStop: false,
    occurredAt: at,
    receivedAt: at,
  },
} as const satisfies BusEvent;

const consent = {
  version: 1,
  eventId,
  phone: '+12025550110',
  by: 'person',
  replyId: 'r-1',
  occurredAt: at,
} as const;
export const optOut = { detailType: 'SMS Opt-Out', detail: consent } as const satisfies BusEvent;
export const optIn = { detailType: 'SMS Opt-In', detail: consent } as const satisfies BusEvent;
export const help = {
  detailType: 'SMS Help Requested',
  detail: { ...consent, historyEventId: 'reply-1' },
} as const satisfies BusEvent;

/** The event as EventBridge shows it to a rule's pattern. */
export function onTheBus({ detailType, detail }: BusEvent, source: string = eventSource) {
  return {
    version: '0',
    source,
    'detail-type': detailType,
    time: '2026-01-15T10:00:01Z',
    detail: { pipeline: 'SmsPipeline', ...detail },
  };
}
