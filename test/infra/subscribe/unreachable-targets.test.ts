import { Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { EventBus, type IRuleTarget } from 'aws-cdk-lib/aws-events';
import { LambdaFunction, SnsTopic, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Function as CdkFunction } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { describe, expect, it } from 'vitest';
import { type SmsPipeline, type SubscribeOptions, Target } from '../../../lib/public/index.ts';
import { quickApp } from '../support/built-app.ts';
import { pipelineIn } from '../support/own-pipeline.ts';

const account = '111122223333';
const env = { account, region: 'eu-west-1' };

function subscribed(
  targetIn: (stack: Stack) => IRuleTarget,
  optionsIn: (stack: Stack) => SubscribeOptions = () => ({}),
) {
  const stack = new Stack(quickApp(), 'Shop', { env });
  const pipeline = pipelineIn(stack);
  return { stack, subscription: pipeline.events.onReply(targetIn(stack), optionsIn(stack)) };
}

const arn = (service: string, name: string, region = env.region, owner = account) =>
  `arn:aws:${service}:${region}:${owner}:${name}`;
const queueAt = (stack: Stack, place = arn('sqs', 'inbox')) => Queue.fromQueueArn(stack, 'Inbox', place);
const topicAt = (stack: Stack, place = arn('sns', 'inbox')) => Topic.fromTopicArn(stack, 'News', place);
const functionAt = (stack: Stack, place = arn('lambda', 'function:crm')) =>
  CdkFunction.fromFunctionArn(stack, 'Crm', place);
const fifo = (stack: Stack, id = 'Fifo') => new Queue(stack, id, { fifo: true });

describe('an imported target whose policy cannot be changed', () => {
  it.each<[string, (stack: Stack) => IRuleTarget, string]>([
    ['Target.sqs', (stack) => Target.sqs(queueAt(stack)), 'sqs:SendMessage'],
    ['Target.sns', (stack) => Target.sns(topicAt(stack)), 'sns:Publish'],
    ['SqsQueue of CDK', (stack) => new SqsQueue(queueAt(stack)), 'sqs:SendMessage'],
    ['SnsTopic of CDK', (stack) => new SnsTopic(topicAt(stack)), 'sns:Publish'],
  ])('brings a warning with the statement to add: %s', (_, target, action) => {
    const { stack } = subscribed(target);
    Annotations.fromStack(stack).hasWarning(
      '*',
      Match.stringLikeRegexp(`policy of the target cannot be changed.*events.amazonaws.com ${action}`),
    );
  });

  it.each<[string, (stack: Stack) => IRuleTarget]>([
    ['a queue of the app', (stack) => Target.sqs(new Queue(stack, 'Inbox'))],
    ['a topic of the app', (stack) => Target.sns(new Topic(stack, 'News') as ITopic)],
  ])('brings none for %s', (_, target) => {
    const { stack } = subscribed(target);
    Annotations.fromStack(stack).hasNoWarning('*', Match.stringLikeRegexp('policy of the target'));
  });
});

it.each<[string, (stack: Stack) => IRuleTarget, string]>([
  ['queue', (stack) => Target.sqs(queueAt(stack, arn('sqs', 'inbox', 'us-east-1'))), 'us-east-1'],
  ['topic', (stack) => Target.sns(topicAt(stack, arn('sns', 'news', 'us-east-1'))), 'us-east-1'],
  [
    'function',
    (stack) => Target.lambda(functionAt(stack, arn('lambda', 'function:crm', 'us-east-1'))),
    'us-east-1',
  ],
  [
    'function',
    (stack) => Target.lambda(functionAt(stack, arn('lambda', 'function:crm', env.region, '999999999999'))),
    'account 999999999999',
  ],
])('an imported %s of another place is refused with the subscription and the target', (_, target, place) => {
  expect(() => subscribed(target)).toThrow(
    new RegExp(
      `Shop/Sms/Events/OnReply\\w+ is wrong:\\s+target: found Shop/\\w+ in ${place}, expected one of the account and region of the rule`,
    ),
  );
});

it.each<[string, (stack: Stack) => IRuleTarget, (stack: Stack) => SubscribeOptions, string]>([
  [
    'a queue of another region for failed events',
    (stack) => Target.lambda(functionAt(stack)),
    (stack) => ({ deadLetterQueue: queueAt(stack, arn('sqs', 'failed', 'us-east-1')) }),
    'deadLetterQueue: found a queue in us-east-1, expected one in eu-west-1',
  ],
  [
    'a FIFO queue for failed events that the target brings',
    (stack) => new LambdaFunction(functionAt(stack), { deadLetterQueue: fifo(stack) }),
    () => ({}),
    'deadLetterQueue: found a FIFO queue, expected a standard queue',
  ],
  [
    'a FIFO queue without a group',
    (stack) => new SqsQueue(fifo(stack)),
    () => ({}),
    'target: found a FIFO queue without messageGroupId',
  ],
  [
    'a FIFO topic',
    (stack) => new SnsTopic(new Topic(stack, 'News', { fifo: true })),
    () => ({}),
    'target: found a FIFO topic, expected a standard topic',
  ],
  [
    'a queue that is its own queue for failed events',
    (stack) => Target.sqs(queueAt(stack)),
    (stack) => ({ deadLetterQueue: stack.node.findChild('Inbox') as unknown as IQueue }),
    'deadLetterQueue: found the target itself, expected another queue',
  ],
])('%s is refused', (_, target, options, line) => {
  expect(() => subscribed(target, options)).toThrow(line);
});

it('a FIFO queue with a group is a target', () => {
  expect(() => subscribed((stack) => new SqsQueue(fifo(stack), { messageGroupId: 'sms' }))).not.toThrow();
});

it('the bus of the pipeline is no target of its own events', () => {
  const stack = new Stack(quickApp(), 'Shop', { env });
  const { events, eventBus } = pipelineIn(stack);
  expect(() => events.onReply(Target.eventBus(eventBus))).toThrow(
    'target: found the bus of the pipeline itself, expected another one: each event would go in a circle',
  );
});

it.each<[string, (pipeline: SmsPipeline) => IRuleTarget]>([
  ['function', ({ ingestFunction }) => Target.lambda(ingestFunction)],
  ['queue', ({ eventsQueue }) => Target.sqs(eventsQueue)],
])('a %s of the pipeline is no target of its events', (_, target) => {
  const pipeline = pipelineIn(new Stack(quickApp(), 'Shop', { env }));
  expect(() => pipeline.events.onReply(target(pipeline))).toThrow(
    /target: found Shop\/Sms\/\S+, a part of the pipeline itself, expected a resource of your own/,
  );
});

it('no queue of the pipeline is for failed events, also one that the target brings', () => {
  const pipeline = pipelineIn(new Stack(quickApp(), 'Shop', { env }));
  const crm = functionAt(Stack.of(pipeline));
  const { events, eventsQueue, deadLetterQueue, publisherFailuresQueue } = pipeline;
  const line =
    /deadLetterQueue: found Shop\/Sms\/\S+, a part of the pipeline itself, expected a queue of your own/;
  for (const [index, queue] of [eventsQueue, deadLetterQueue, publisherFailuresQueue].entries()) {
    const given = () => events.onReply(Target.lambda(crm), { id: `A${index}`, deadLetterQueue: queue });
    const brought = () =>
      events.onReply(new LambdaFunction(crm, { deadLetterQueue: queue }), { id: `B${index}` });
    expect(given).toThrow(line);
    expect(brought).toThrow(line);
  }
});

it('the dead-letter queue of a subscription may be that of another', () => {
  const { events } = pipelineIn(new Stack(quickApp(), 'Shop', { env }));
  const crm = functionAt(Stack.of(events));
  const { deadLetterQueue } = events.onReply(Target.lambda(crm));
  expect(() => events.onOptOut(Target.lambda(crm), { deadLetterQueue })).not.toThrow();
});

it('the dead-letter queue of a subscription may be a target', () => {
  const pipeline = pipelineIn(new Stack(quickApp(), 'Shop', { env }));
  const { deadLetterQueue } = pipeline.events.onReply(Target.sqs(queueAt(Stack.of(pipeline))));
  expect(() => pipeline.events.onOptOut(Target.sqs(deadLetterQueue))).not.toThrow();
});

it('an activity is no state machine, and a rule is no bus', () => {
  const stack = new Stack();
  const activity = arn('states', 'activity:work');
  expect(() => Target.stepFunctions(StateMachine.fromStateMachineArn(stack, 'Work', activity))).toThrow(
    `Target.stepFunctions: found an object whose stateMachineArn is ${activity}, expected a state machine`,
  );
  const rule = arn('events', 'rule/own');
  expect(() => Target.eventBus(EventBus.fromEventBusArn(stack, 'Bus', rule))).toThrow(
    `Target.eventBus: found ${rule}, expected the ARN of an event bus`,
  );
});

it('an API destination needs an input of CDK as its event', () => {
  const stack = new Stack();
  const keySecret = Secret.fromSecretNameV2(stack, 'Key', 'crm/key');
  const destination = { url: 'https://crm.test/', keyHeader: 'x', keySecret, rateLimitPerSecond: 5 };
  expect(() => Target.apiDestination({ ...destination, event: { text: 'a' } as never })).toThrow(
    'event: found an object, expected RuleTargetInput.fromObject({ ... })',
  );
});
