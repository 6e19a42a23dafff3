import type { Stack } from 'aws-cdk-lib';
import { Alias, Key } from 'aws-cdk-lib/aws-kms';
import { Function as CdkFunction, Code, Runtime } from 'aws-cdk-lib/aws-lambda';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { SmsPipeline, Target } from '../../../lib/public/index.ts';
import { resource, resourcesOf } from '../support/built-app.ts';
import { userStack } from './support.ts';

const ruleType = 'AWS::Events::Rule';

const watched = (stack: Stack, id: string, topic: ITopic) =>
  SmsPipeline.fromAttributes(stack, id, { pipelineName: 'sms', eventBusName: 'sms-bus', alarms: { topic } })
    .events;

describe('a subscription', () => {
  const { stack, pipeline, template } = userStack();
  const { rule } = pipeline.onOptOut(Target.sqs(new Queue(stack, 'Crm')));
  const { Properties } = resource(template(), ruleType);
  const deadLetters = resource(template(), 'AWS::SQS::Queue', 'SmsEventsOnOptOutCrmDeadLetters');

  it('is a rule on the bus of the pipeline, returned for the name that a replay asks for', () => {
    expect(Properties).toMatchObject({ EventBusName: 'sms-bus', State: 'ENABLED' });
    expect(Properties).not.toHaveProperty('Name');
    expect(stack.resolve(rule.ruleName)).toEqual({ Ref: resource(template(), ruleType).id });
  });

  it('retries for a day, then sends undelivered events to its dead-letter queue', () => {
    expect(Properties.Targets).toMatchObject([
      {
        RetryPolicy: { MaximumEventAgeInSeconds: 24 * 3600, MaximumRetryAttempts: 185 },
        DeadLetterConfig: { Arn: { 'Fn::GetAtt': [deadLetters.id, 'Arn'] } },
      },
    ]);
  });

  it('has an encrypted dead-letter queue with a retention of 14 days, for TLS and its rule only', () => {
    expect(deadLetters.Properties).toMatchObject({
      MessageRetentionPeriod: 14 * 24 * 3600,
      SqsManagedSseEnabled: true,
    });
    const ruleArn = { 'Fn::GetAtt': [resource(template(), ruleType).id, 'Arn'] };
    expect(resource(template(), 'AWS::SQS::QueuePolicy', 'SmsEventsOnOptOutCrm').Properties).toMatchObject({
      PolicyDocument: {
        Statement: [
          { Effect: 'Deny', Action: 'sqs:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
          {
            Effect: 'Allow',
            Action: 'sqs:SendMessage',
            Principal: { Service: 'events.amazonaws.com' },
            Condition: { ArnEquals: { 'aws:SourceArn': ruleArn } },
          },
        ],
      },
    });
  });

  it('has an alarm that goes off at the first dead letter and gives advice', () => {
    const alarm = resource(template(), 'AWS::CloudWatch::Alarm').Properties;
    expect(alarm).toMatchObject({
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [deadLetters.id, 'QueueName'] } }],
      Threshold: 1,
      EvaluationPeriods: 1,
      TreatMissingData: 'notBreaching',
      AlarmDescription: expect.stringMatching(
        /^SEVERITY: ticket\. CAUSE: .+"Crm".+\. IMPACT: .+\. FIRST: .+\.$/,
      ),
    });
    expect(String(alarm.AlarmDescription).length).toBeLessThan(1024);
    expect(alarm).not.toHaveProperty('AlarmActions');
  });
});

describe('SmsEvents', () => {
  it('matches events of each kind with a pattern of its own', () => {
    const { stack, pipeline, template } = userStack();
    const target = Target.sqs(new Queue(stack, 'Crm'));
    pipeline.onOptOut(target);
    pipeline.onOptIn(target);
    pipeline.onHelp(target);
    pipeline.onConflict(target);
    pipeline.onReply(target, { keyword: ['start'] });
    pipeline.onDeliveryStatus(target, { final: true });
    pipeline.onProviderDegraded(target, { source: ['main'] });
    pipeline.onProviderRecovered(target);
    pipeline.onEvent(target, { detailTypes: ['SMS Webhook Drifted'] });
    const patterns = Object.values(resourcesOf(template(), ruleType)).map(
      ({ Properties }) => Properties.EventPattern,
    );
    const source = ['sms.pipeline'];
    const ofPipeline = { pipeline: ['SmsPipeline'] };
    expect(patterns).toHaveLength(9);
    expect(patterns).toEqual(
      expect.arrayContaining([
        { source, 'detail-type': ['SMS Opt-Out'], detail: ofPipeline },
        { source, 'detail-type': ['SMS Opt-In'], detail: ofPipeline },
        { source, 'detail-type': ['SMS Help Requested'], detail: ofPipeline },
        { source, 'detail-type': ['SMS Delivery Conflict'], detail: ofPipeline },
        { source, 'detail-type': ['SMS Reply Received'], detail: { ...ofPipeline, keyword: ['start'] } },
        { source, 'detail-type': ['SMS Delivery Status Changed'], detail: { ...ofPipeline, final: [true] } },
        { source, 'detail-type': ['SMS Provider Degraded'], detail: { ...ofPipeline, source: ['main'] } },
        { source, 'detail-type': ['SMS Provider Recovered'], detail: ofPipeline },
        { source, 'detail-type': ['SMS Webhook Drifted'], detail: ofPipeline },
      ]),
    );
  });

  it('notifies the topic of every alarm', () => {
    const { stack, template } = userStack();
    const alarmTopic = Topic.fromTopicArn(stack, 'Ops', 'arn:aws:sns:us-east-1:000000000000:ops');
    watched(stack, 'Watched', alarmTopic).onHelp(Target.sqs(new Queue(stack, 'Crm')));
    expect(resource(template(), 'AWS::CloudWatch::Alarm').Properties).toMatchObject({
      AlarmActions: [alarmTopic.topicArn],
      OKActions: [alarmTopic.topicArn],
    });
  });

  it.each([
    ['by name', (stack: Stack) => Alias.fromAliasName(stack, 'KeyOfSns', 'alias/aws/sns')],
    [
      'by ARN',
      (stack: Stack) => Key.fromKeyArn(stack, 'KeyOfSns', 'arn:aws:kms:us-east-1:000000000000:alias/aws/sns'),
    ],
  ])('rejects an alarm topic with the key of SNS (%s), which CloudWatch may not use', (_, keyIn) => {
    const { app, stack } = userStack();
    const alarmTopic = new Topic(stack, 'Ops', { masterKey: keyIn(stack) });
    watched(stack, 'Watched', alarmTopic).onHelp(Target.sqs(new Queue(stack, 'Crm')));
    expect(() => app.synth()).toThrow(/User\/Ops is encrypted with alias\/aws\/sns.*key of your own/);
  });

  it('accepts an alarm topic without a key, with its own key, or from elsewhere', () => {
    const { app, stack } = userStack();
    const topics = [
      new Topic(stack, 'Plain'),
      new Topic(stack, 'Encrypted', { masterKey: new Key(stack, 'Own') }),
      Topic.fromTopicArn(stack, 'Imported', 'arn:aws:sns:us-east-1:000000000000:ops'),
    ];
    for (const [index, alarmTopic] of topics.entries()) watched(stack, `Watched${index}`, alarmTopic);
    expect(() => app.synth()).not.toThrow();
  });

  it('gives logical ids that do not depend on the order or number of subscriptions', () => {
    const idsOf = (kinds: readonly ('onOptOut' | 'onOptIn' | 'onHelp')[]) => {
      const { stack, pipeline, template } = userStack();
      const crm = Target.sqs(new Queue(stack, 'Crm'));
      for (const kind of kinds) pipeline[kind](crm);
      return Object.keys(template().toJSON().Resources).sort();
    };
    const all = idsOf(['onOptOut', 'onOptIn', 'onHelp']);
    expect(idsOf(['onHelp', 'onOptIn', 'onOptOut'])).toEqual(all);
    expect(all).toEqual(expect.arrayContaining(idsOf(['onHelp'])));
  });

  it('requires a name for the second subscription of a kind to one target', () => {
    const { stack, pipeline, template } = userStack();
    const crm = Target.sqs(new Queue(stack, 'Crm'));
    pipeline.onReply(crm, { keyword: ['stop'] });
    expect(() => pipeline.onReply(crm, { keyword: ['help'] })).toThrow(
      'User/Sms/Events: there is an onReply subscription "Crm" already; give this one a permanent name: onReply(..., { id: \'...\' })',
    );
    pipeline.onReply(crm, { keyword: ['help'], id: 'CrmHelp' });
    expect(Object.keys(resourcesOf(template(), ruleType))).toHaveLength(2);
    expect(resource(template(), ruleType, 'SmsEventsOnReplyCrmHelp').Properties).toMatchObject({
      EventPattern: { detail: { keyword: ['help'] } },
    });
  });

  it.each([AwsSolutionsChecks, ServerlessChecks])('has no finding of %o', (Pack) => {
    const { app, stack, pipeline } = userStack();
    const fn = new CdkFunction(stack, 'Work', {
      code: Code.fromInline('exports.handler = async () => {}'),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
    });
    pipeline.onOptOut(Target.lambda(fn));
    pipeline.onDeliveryStatus(Target.lambda(fn));
    app.synth();
    const { violations } = new Pack().validateScope(pipeline);
    expect(violations).toEqual([]);
    // The pack does look: the function beside the pipeline has no tracing and a managed policy.
    expect(new Pack().validateScope(stack).violations).not.toEqual([]);
  });
});
