import { Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { AnyPrincipal, PolicyDocument, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnTopicPolicy, type ITopic, Topic, TopicPolicy } from 'aws-cdk-lib/aws-sns';
import { expect, it } from 'vitest';
import { SmsPipeline, Target } from '../../../lib/public/index.ts';
import { quickApp } from '../support/built-app.ts';
import { pipelineIn } from '../support/own-pipeline.ts';

const env = { account: '111122223333', region: 'eu-west-1' };
const newStack = () => new Stack(quickApp(), 'Shop', { env });
const subscriber = (stack: Stack, topic: ITopic) =>
  SmsPipeline.fromAttributes(stack, 'Sms', {
    pipelineName: 'sms',
    eventBusName: 'sms-bus',
    alarms: { topic },
  });

const allowedAlarms = Match.objectLike({
  Effect: 'Allow',
  Principal: { Service: 'cloudwatch.amazonaws.com' },
  Action: 'sns:Publish',
  Condition: {
    StringEquals: { 'aws:SourceAccount': env.account },
    ArnLike: { 'aws:SourceArn': `arn:aws:cloudwatch:eu-west-1:${env.account}:alarm:*` },
  },
});

const statementFor = (topic: ITopic, service: string) =>
  new PolicyStatement({
    principals: [new ServicePrincipal(service)],
    actions: ['sns:Publish'],
    resources: [topic.topicArn],
  });

it.each<[string, (stack: Stack) => void]>([
  [
    'that is also the target of a subscription',
    (stack) => {
      const topic = new Topic(stack, 'Ops');
      pipelineIn(stack, { alarms: { topic } }).events.onReply(Target.sns(topic));
    },
  ],
  [
    'with enforceSSL',
    (stack) => void subscriber(stack, new Topic(stack, 'Ops', { enforceSSL: true }) as ITopic),
  ],
  [
    'of pages with enforceSSL',
    (stack) => {
      const page = new Topic(stack, 'Page', { enforceSSL: true });
      pipelineIn(stack, { alarms: { topic: new Topic(stack, 'Ops'), page } });
    },
  ],
  [
    'that another service may publish to',
    (stack) => {
      const topic = new Topic(stack, 'Ops');
      subscriber(stack, topic);
      // Statements may be added after the pipeline.
      topic.addToResourcePolicy(statementFor(topic, 'budgets.amazonaws.com'));
    },
  ],
  [
    'with a TopicPolicy of the app',
    (stack) => {
      const topic = new Topic(stack, 'Ops');
      subscriber(stack, topic);
      new TopicPolicy(stack, 'Own', { topics: [topic] }).document.addStatements(
        statementFor(topic, 'budgets.amazonaws.com'),
      );
    },
  ],
])('alarms may publish to a topic %s', (_, use) => {
  const stack = newStack();
  use(stack);
  Template.fromStack(stack).hasResourceProperties('AWS::SNS::TopicPolicy', {
    PolicyDocument: { Statement: Match.arrayWith([allowedAlarms]) },
  });
});

it('a topic without a policy keeps that of SNS, which lets alarms publish', () => {
  const stack = newStack();
  subscriber(stack, new Topic(stack, 'Ops'));
  Template.fromStack(stack).resourceCountIs('AWS::SNS::TopicPolicy', 0);
});

it('two users of a topic add the statement once', () => {
  const stack = newStack();
  const topic = new Topic(stack, 'Ops', { enforceSSL: true });
  subscriber(stack, topic);
  SmsPipeline.fromAttributes(stack, 'Other', {
    pipelineName: 'other',
    eventBusName: 'sms-bus',
    alarms: { topic },
  });
  const [policy] = Object.values(Template.fromStack(stack).findResources('AWS::SNS::TopicPolicy'));
  expect(policy?.Properties.PolicyDocument.Statement).toHaveLength(2);
});

const warning = Match.stringLikeRegexp(
  'alarms.topic: found the policy Shop/Own, which does not allow cloudwatch.amazonaws.com sns:Publish',
);
const withPolicy = (statementOf: (topic: ITopic) => PolicyStatement, isImported = false) => {
  const stack = newStack();
  const topic: ITopic = isImported
    ? Topic.fromTopicArn(stack, 'Ops', 'arn:aws:sns:eu-west-1:111122223333:ops')
    : new Topic(stack, 'Ops');
  subscriber(stack, topic);
  new CfnTopicPolicy(stack, 'Own', {
    topics: [topic.topicArn],
    policyDocument: new PolicyDocument({ statements: [statementOf(topic)] }),
  });
  return Annotations.fromStack(stack);
};

it.each([false, true])(
  'a policy that cannot be changed brings a warning (topic is imported: %s)',
  (isImported) => {
    withPolicy((topic) => statementFor(topic, 'events.amazonaws.com'), isImported).hasWarning(
      '/Shop/Sms',
      warning,
    );
  },
);

it.each<[string, (topic: ITopic) => PolicyStatement]>([
  ['CloudWatch', (topic) => statementFor(topic, 'cloudwatch.amazonaws.com')],
  [
    'everyone of the account, as the policy of SNS does',
    ({ topicArn }) =>
      new PolicyStatement({
        principals: [new AnyPrincipal()],
        actions: ['sns:Publish'],
        resources: [topicArn],
        conditions: { StringEquals: { 'aws:SourceOwner': env.account } },
      }),
  ],
])('a policy that allows %s brings no warning', (_, statement) => {
  withPolicy(statement).hasNoWarning('*', Match.stringLikeRegexp('found the policy'));
});
