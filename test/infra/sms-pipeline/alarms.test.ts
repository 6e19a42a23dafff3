import { CfnParameter, Duration, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Alias } from 'aws-cdk-lib/aws-kms';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import { type AlarmsProps, Automation, Target } from '../../../lib/public/index.ts';
import { quickApp } from '../support/built-app.ts';
import { alarmsIn, pipelineIn, stackWith } from '../support/own-pipeline.ts';

it('alarms: { enabled: false } makes no alarm, of subscriptions neither, and warns about none', () => {
  const { stack, pipeline } = stackWith({
    alarms: { enabled: false },
    automations: [Automation.contactSync()],
  });
  pipeline.events.onHelp(Target.sqs(new Queue(stack, 'Help')));
  expect(alarmsIn(stack)).toEqual([]);
  Annotations.fromStack(stack).hasNoWarning('*', Match.stringLikeRegexp('alarm'));
});

it('synth refuses a topic of tickets or of pages that CloudWatch may not publish to', () => {
  const problems = (alarms: (scope: Stack, refused: Topic) => AlarmsProps) => {
    const stack = new Stack(quickApp(), 'Shop');
    const masterKey = Alias.fromAliasName(stack, 'SnsKey', 'alias/aws/sns');
    const { node } = pipelineIn(stack, { alarms: alarms(stack, new Topic(stack, 'Refused', { masterKey })) });
    return node.findAll().flatMap((child) => child.node.validate());
  };
  const refused = [expect.stringContaining('Shop/Refused is encrypted with alias/aws/sns')];
  expect(problems((_, topic) => ({ topic }))).toEqual(refused);
  expect(problems((scope, page) => ({ topic: new Topic(scope, 'Tickets'), page }))).toEqual(refused);
});

it('synth refuses a FIFO topic of alarms, made here or imported', () => {
  const problems = (topicOf: (scope: Stack) => ITopic) => {
    const stack = new Stack(quickApp(), 'Shop');
    const { node } = pipelineIn(stack, { alarms: { topic: topicOf(stack) } });
    return node.findAll().flatMap((child) => child.node.validate());
  };
  const refused = ['Shop/T is a FIFO topic, which no alarm can notify. Use a standard topic.'];
  expect(problems((scope) => new Topic(scope, 'T', { fifo: true }))).toEqual(refused);
  const arn = 'arn:aws:sns:us-east-1:111111111111:ops.fifo';
  expect(problems((scope) => Topic.fromTopicArn(scope, 'T', arn))).toEqual(refused);
});

it('notices of automations go to the topic that is given', () => {
  const stack = new Stack(quickApp(), 'Shop');
  const topic = new Topic(stack, 'Support');
  pipelineIn(stack, {
    automations: [Automation.failureAlert({ topic, period: Duration.hours(1) }), Automation.optOutContacts()],
  });
  const template = Template.fromStack(stack);
  template.resourceCountIs('AWS::SNS::Topic', 2);
  template.hasResourceProperties('AWS::Lambda::Function', {
    Environment: {
      Variables: Match.objectLike({
        NOTICES_TOPIC_ARN: { Ref: stack.getLogicalId(topic.node.defaultChild as never) },
        ALERT_PERIOD_MINUTES: '60',
      }),
    },
  });
});

it.each([
  ['cn-north-1', 'https://cn-north-1.console.amazonaws.cn/cloudwatch/'],
  ['us-gov-west-1', 'https://us-gov-west-1.console.amazonaws-us-gov.com/cloudwatch/'],
  ['eu-west-1', 'https://eu-west-1.console.aws.amazon.com/cloudwatch/'],
])('alarms in %s link to logs at the console of its partition', (region, link) => {
  const stack = new Stack(quickApp(), 'Shop', { env: { region } });
  pipelineIn(stack);
  const links = alarmsIn(stack)
    .map(([, { AlarmDescription }]) =>
      JSON.stringify(AlarmDescription).replaceAll('",{"Ref":"AWS::Region"},"', region),
    )
    .flatMap((description) => / LOGS: (\S+\/cloudwatch\/)/.exec(description)?.[1] ?? []);
  expect(links.length).toBeGreaterThan(0);
  expect(new Set(links)).toEqual(new Set([link]));
});

describe('alarms', () => {
  it('are at most 19 by default, two composite ones among them', () => {
    const { stack } = stackWith();
    expect(alarmsIn(stack).length).toBeLessThanOrEqual(19);
    Template.fromStack(stack).resourceCountIs('AWS::CloudWatch::CompositeAlarm', 2);
  });

  it('do not go off for batches that wait as long as they may', () => {
    const threshold = (seconds: number) => {
      const { stack } = stackWith({ worker: { batchWindow: Duration.seconds(seconds) } });
      return alarmsIn(stack).find(([id]) => id.includes('QueueBehind'))?.[1].Threshold;
    };
    expect([1, 150, 151, 300].map(threshold)).toEqual([300, 300, 302, 600]);
  });

  it('go off at the given thresholds, known or not', () => {
    const { stack } = stackWith();
    const number = (id: string) => new CfnParameter(stack, id, { type: 'Number' }).valueAsNumber;
    pipelineIn(
      stack,
      {
        alarms: {
          topic: new Topic(stack, 'Tickets'),
          page: new Topic(stack, 'Pages'),
          runbookUrl: new CfnParameter(stack, 'Runbook').valueAsString,
          thresholds: {
            requestsNotAccepted: 2,
            requestsRejected: number('Rejected'),
            eventsQuarantined: 3,
            queueBehind: Duration.minutes(20),
            publisherBehind: Duration.millis(number('Behind')),
            queriesFailed: 4,
          },
        },
      },
      'Second',
    );
    const found = alarmsIn(stack).filter(([id]) => id.startsWith('Second'));
    const thresholds = found.map(([id, { Threshold }]) => [
      /([A-Z][a-z]+[A-Z][a-z]+[A-Za-z]*)Alarm/.exec(id)?.[1],
      Threshold,
    ]);
    expect(Object.fromEntries(thresholds)).toMatchObject({
      SecondReceivingIngestRequestsNotAccepted: 2,
      SecondReceivingIngestRequestsRejected: { Ref: 'Rejected' },
      SecondReceivingEventsEventsQuarantined: 3,
      SecondReceivingEventsQueueBehind: 1200,
      SecondPublishingPublisherPublisherBehind: { Ref: 'Behind' },
      SecondReceivingQueryQueryErrors: 4,
    });
    for (const [, { AlarmDescription }] of found)
      expect(JSON.stringify(AlarmDescription)).toMatch(/RUNBOOK: ",\{"Ref":"Runbook"\},"#[a-z0-9-]+/);
  });
});
