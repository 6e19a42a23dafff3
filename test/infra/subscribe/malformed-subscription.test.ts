import type { Stack } from 'aws-cdk-lib';
import { Function as CdkFunction, Code, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { expect, it } from 'vitest';
import type { SmsEvents } from '../../../lib/public/index.ts';
import { Target } from '../../../lib/public/index.ts';
import { userStack } from './support.ts';

/** The subscriptions as an app of JavaScript sees them. */
type AnySubscriptions = { readonly [Name in keyof SmsEvents]: (...given: readonly unknown[]) => void };

const crm = (stack: Stack) => Target.sqs(new Queue(stack, `Crm${stack.node.children.length}`));
const functionIn = (stack: Stack) =>
  new CdkFunction(stack, 'Work', {
    code: Code.fromInline('exports.handler = async () => {}'),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
  });

it.each<[string, (events: AnySubscriptions, stack: Stack) => void]>([
  ['target: found an object, expected a target', (events, stack) => events.onOptOut(functionIn(stack))],
  ['target: found undefined, expected a target', (events) => events.onOptOut()],
  ['target: found an object, expected a target', (events) => events.onReply({ text: ['yes'] })],
  ['options: found a target, expected', (events, stack) => events.onReply(crm(stack), crm(stack))],
  ['options: found a text, expected', (events, stack) => events.onReply(crm(stack), 'yes')],
  ['options: found a list, expected', (events, stack) => events.onReply(crm(stack), ['yes'])],
  ['options: found null, expected', (events, stack) => events.onOptOut(crm(stack), null)],
  ['name: no field of SMS Opt-Out', (events, stack) => events.onOptOut(crm(stack), { name: 'OptOuts' })],
  ['id: found the number 5, expected a text', (events, stack) => events.onOptOut(crm(stack), { id: 5 })],
  ['txt: no field of SMS Reply Received', (events, stack) => events.onReply(crm(stack), { txt: ['yes'] })],
  ['options: found a text, expected', (events, stack) => events.onEvent(crm(stack), 'SMS Opt-Out')],
  ['options: found undefined, expected', (events, stack) => events.onEvent(crm(stack))],
  ['detailTypes: found nothing, expected', (events, stack) => events.onEvent(crm(stack), {})],
  [
    'detailTypes: found a text, expected a list',
    (events, stack) => events.onEvent(crm(stack), { detailTypes: 'SMS Opt-Out' }),
  ],
  [
    'details: not an option; did you mean detail?',
    (events, stack) =>
      events.onEvent(crm(stack), { detailTypes: ['SMS Opt-Out'], details: { by: ['person'] } }),
  ],
  [
    'phone: not an option; fields of events are in detail',
    (events, stack) => events.onEvent(crm(stack), { detailTypes: ['SMS Opt-Out'], phone: ['x'] }),
  ],
  [
    'detail: found a text, expected an object',
    (events, stack) => events.onEvent(crm(stack), { detailTypes: ['SMS Opt-Out'], detail: 'person' }),
  ],
])('a malformed subscription is refused: %s', (problem, subscribe) => {
  const { stack, pipeline } = userStack();
  expect(() => subscribe(pipeline as never, stack)).toThrow(
    new RegExp(`^User/Sms/Events: on\\w+ is wrong:\n  ${problem.replaceAll('?', '\\?')}`),
  );
});
