import { Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Match as Matcher } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { expect, it } from 'vitest';
import { Automation, Contract, DetailType, SmsPipeline, Target } from '../../../lib/public/index.ts';
import { quickApp } from '../support/built-app.ts';
import { alarmsIn, stackWith } from '../support/own-pipeline.ts';

it('subscriptions and metrics belong to the pipeline', () => {
  const { stack, pipeline } = stackWith();
  pipeline.events.onReply(Target.sqs(new Queue(stack, 'Stops')), { keyword: ['stop'] });
  Template.fromStack(stack).hasResourceProperties('AWS::Events::Rule', {
    EventPattern: Match.objectLike({ detail: { keyword: ['stop'] } }),
  });
  const metric = pipeline.metricReports('delivered', { label: 'delivered' });
  expect(metric).toMatchObject({ metricName: 'ReportsDelivered', dimensions: { service: 'publisher' } });
  expect(pipeline.metricEventsStored().namespace).toBe(metric.namespace);
});

it('a subscription that could never receive an event fails the synthesis, which says why', () => {
  const problemsOf = (
    subscribe: (pipeline: SmsPipeline, target: Target) => void,
    automations = [] as Automation[],
  ) => {
    const { stack, pipeline } = stackWith({ alarms: { enabled: false }, automations });
    subscribe(pipeline, Target.sqs(new Queue(stack, 'Inbox')));
    pipeline.addSource('backup', { contract: Contract.preset('vonage-sms') });
    return pipeline.node.validate();
  };
  expect(problemsOf(({ events }, to) => events.onReply(to, { source: ['main', 'bakcup'] }))).toEqual([
    'Shop/Sms/Events/OnReplyInbox: there is no source "bakcup". The pipeline has main, backup.',
  ]);
  expect(problemsOf(({ events }, to) => events.onProviderDegraded(to, { source: ['backup'] }))).toEqual([
    expect.stringMatching(/no such event without Automation\.deliveryWatch\(\) among/),
  ]);
  for (const [type, needed] of [
    [DetailType.DELIVERY_EVENT, 'events: { everyEvent: true }'],
    [DetailType.CARD_EXPIRING, 'Automation.billingWatch()'],
  ] as const)
    expect(problemsOf(({ events }, to) => events.onEvent(to, { detailTypes: [type] }))).toEqual([
      expect.stringContaining(`no such event without ${needed}`),
    ]);
  const watch = [Automation.deliveryWatch()];
  const provider = ({ events }: SmsPipeline, to: Target) => {
    events.onProviderDegraded(to, { source: ['main'] });
    events.onReply(to, { source: Matcher.anythingBut('backup') });
  };
  expect(problemsOf(provider, watch)).toEqual([]);
});

it('a pipeline made elsewhere can be subscribed to', () => {
  const stack = new Stack(quickApp(), 'Reports');
  const imported = SmsPipeline.fromAttributes(stack, 'Sms', { pipelineName: 'sms', eventBusName: 'the-bus' });
  imported.events.onReply(Target.sqs(new Queue(stack, 'Replies')), { source: ['backup'] });
  Template.fromStack(stack).hasResourceProperties('AWS::Events::Rule', {
    EventBusName: 'the-bus',
    EventPattern: Match.objectLike({ detail: { source: ['backup'] } }),
  });
  Annotations.fromStack(stack).hasWarning('*', Match.stringLikeRegexp('No alarm notifies an operator'));
});

it('a pipeline made elsewhere has the bus of its ARN, and alarms that notify its topic, or none', () => {
  const stack = new Stack(quickApp(), 'Reports');
  const eventBusName = 'arn:aws:events:us-east-1:222222222222:event-bus/the-bus';
  const bus = { eventBusName: 'the-bus', eventBusArn: eventBusName };
  expect(
    SmsPipeline.fromAttributes(stack, 'Far', {
      pipelineName: 'sms',
      eventBusName,
      alarms: { enabled: false },
    }).eventBus,
  ).toMatchObject(bus);
  const topic = new Topic(stack, 'Tickets');
  const named = { pipelineName: 'sms', eventBusName: 'the-bus' };
  const loud = SmsPipeline.fromAttributes(stack, 'Loud', { ...named, alarms: { topic } });
  const silent = SmsPipeline.fromAttributes(stack, 'Silent', { ...named, alarms: { enabled: false } });
  for (const { events } of [loud, silent]) events.onOptOut(Target.sqs(new Queue(stack, events.node.path)));
  const alarms = alarmsIn(stack);
  expect(alarms.map(([, { AlarmActions }]) => AlarmActions)).toEqual([[stack.resolve(topic.topicArn)]]);
  expect(alarms[0]?.[0]).toMatch(/^Loud/);
  Annotations.fromStack(stack).hasNoWarning('*', Match.stringLikeRegexp('alarm'));
});
