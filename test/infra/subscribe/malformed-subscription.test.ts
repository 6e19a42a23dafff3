import type { Stack } from 'aws-cdk-lib';
import { Function as CdkFunction, Code, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { expect, it } from 'vitest';
import type { SmsEvents } from '../../../lib/public/index.ts';
import { Target } from '../../../lib/public/index.ts';
import { userStack } from './support.ts';

/** The subscriptions as an app of JavaScript sees them. */
type AnySubscriptions = { readonly [Name in keyof SmsEvents]: (...given: readonly unknown[]) => void };

const queueIn = (stack: Stack) => new Queue(stack, 'Crm');
const functionIn = (stack: Stack) =>
  new CdkFunction(stack, 'Work', {
    code: Code.fromInline('exports.handler = async () => {}'),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
  });

it.each<[string, (events: AnySubscriptions, stack: Stack) => void]>([
  ['target: found an object, expected a target', (events, stack) => events.onOptOut(functionIn(stack))],
  ['target: found undefined, expected a target', (events) => events.onOptOut()],
  [
    'filter: found a target, expected an object',
    (events, stack) => events.onReply(Target.sqs(queueIn(stack))),
  ],
  [
    'filter: found undefined, expected an object',
    (events, stack) => events.onReply(undefined, Target.sqs(queueIn(stack))),
  ],
  ['filter: found a text, expected', (events, stack) => events.onReply('yes', Target.sqs(queueIn(stack)))],
  ['filter: found a list, expected', (events, stack) => events.onReply(['yes'], Target.sqs(queueIn(stack)))],
  [
    'filter: found a text, expected an object with detailTypes and detail',
    (events, stack) => events.onEvent('SMS Opt-Out', Target.sqs(queueIn(stack))),
  ],
  [
    'detailTypes: found nothing, expected a list',
    (events, stack) => events.onEvent({}, Target.sqs(queueIn(stack))),
  ],
  [
    'detailTypes: found a text, expected a list',
    (events, stack) => events.onEvent({ detailTypes: 'SMS Opt-Out' }, Target.sqs(queueIn(stack))),
  ],
  [
    'filter.details: does not exist; did you mean detail?',
    (events, stack) =>
      events.onEvent(
        { detailTypes: ['SMS Opt-Out'], details: { by: ['person'] } },
        Target.sqs(queueIn(stack)),
      ),
  ],
  [
    'detail: found a text, expected an object',
    (events, stack) =>
      events.onEvent({ detailTypes: ['SMS Opt-Out'], detail: 'person' }, Target.sqs(queueIn(stack))),
  ],
  [
    'options.name: does not exist',
    (events, stack) => events.onOptOut(Target.sqs(queueIn(stack)), { name: 'OptOuts' }),
  ],
  [
    'options: found a text, expected an object with id',
    (events, stack) => events.onOptOut(Target.sqs(queueIn(stack)), 'OptOuts'),
  ],
  ['options: found null, expected', (events, stack) => events.onOptOut(Target.sqs(queueIn(stack)), null)],
])('a malformed subscription is refused: %s', (problem, subscribe) => {
  const { stack, pipeline } = userStack();
  expect(() => subscribe(pipeline as never, stack)).toThrow(
    new RegExp(`^User/Sms/Events: on\\w+ is wrong:\n  ${problem.replaceAll('?', '\\?')}`),
  );
});
