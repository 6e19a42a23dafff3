import { CfnParameter, Duration } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { expect, it } from 'vitest';
import { type SubscribeOptions, Target } from '../../../lib/public/index.ts';
import { resource, resourcesOf } from '../support/built-app.ts';
import { userStack } from './support.ts';

/** A stack with one subscription of a queue. */
function subscribed(options: SubscribeOptions = {}, user = userStack()) {
  const subscription = user.pipeline.onOptOut(Target.sqs(new Queue(user.stack, 'Inbox')), options);
  const template = user.template();
  const [target] = resource(template, 'AWS::Events::Rule').Properties.Targets as [Record<string, unknown>];
  return { subscription, template, target };
}

it('retries for a day, unless an option says otherwise', () => {
  const policyWith = (options: SubscribeOptions) => subscribed(options).target.RetryPolicy;
  expect(policyWith({})).toEqual({ MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 });
  expect(policyWith({ retryAttempts: 0, maxEventAge: Duration.minutes(5) })).toEqual({
    MaximumEventAgeInSeconds: 300,
    MaximumRetryAttempts: 0,
  });
  const user = userStack();
  const retryAttempts = new CfnParameter(user.stack, 'Retries', { type: 'Number' }).valueAsNumber;
  expect(subscribed({ retryAttempts }, user).target.RetryPolicy).toMatchObject({
    MaximumRetryAttempts: { Ref: 'Retries' },
  });
});

it('describes the retries in the alarm', () => {
  const causeWith = (options: SubscribeOptions) =>
    /for (\d+[^.]*)\. /.exec(
      JSON.stringify(resource(subscribed(options).template, 'AWS::CloudWatch::Alarm').Properties),
    )?.[1];
  expect(causeWith({})).toBe('24 hours');
  expect(causeWith({ maxEventAge: Duration.minutes(5), retryAttempts: 3 })).toBe('5 minutes or 3 retries');
});

it('keeps dead letters in a queue of the caller, which makes no queue and no alarm', () => {
  const user = userStack();
  const own = new Queue(user.stack, 'Failed');
  const { subscription, target, template } = subscribed({ deadLetterQueue: own as IQueue }, user);
  expect(subscription.deadLetterQueue).toBe(own);
  const { id } = resource(template, 'AWS::SQS::Queue', 'Failed');
  expect(target.DeadLetterConfig).toEqual({ Arn: { 'Fn::GetAtt': [id, 'Arn'] } });
  expect(Object.keys(resourcesOf(template, 'AWS::SQS::Queue'))).toHaveLength(2);
  template.resourceCountIs('AWS::CloudWatch::Alarm', 0);
  template.hasResourceProperties('AWS::SQS::QueuePolicy', {
    Queues: [{ Ref: id }],
    PolicyDocument: {
      Statement: [
        Match.objectLike({
          Action: 'sqs:SendMessage',
          Principal: { Service: 'events.amazonaws.com' },
          Condition: {
            ArnEquals: {
              'aws:SourceArn': { 'Fn::GetAtt': [resource(template, 'AWS::Events::Rule').id, 'Arn'] },
            },
          },
        }),
      ],
    },
  });
});

it('comes before what the target says itself', () => {
  const user = userStack();
  const targets = new Queue(user.stack, 'OfTarget');
  const own = new Queue(user.stack, 'Failed') as IQueue;
  const target = new SqsQueue(new Queue(user.stack, 'Inbox'), { deadLetterQueue: targets, retryAttempts: 7 });
  user.pipeline.onOptOut(target, { id: 'Plain' });
  user.pipeline.onOptIn(target, { id: 'Changed', retryAttempts: 2, deadLetterQueue: own });
  const rules = Object.entries(resourcesOf(user.template(), 'AWS::Events::Rule'));
  const targetOf = (name: string) =>
    JSON.stringify(rules.find(([id]) => id.includes(name))?.[1].Properties.Targets);
  expect(targetOf('Plain')).toMatch(/"MaximumRetryAttempts":7/);
  expect(targetOf('Plain')).toMatch(/OfTarget/);
  expect(targetOf('Changed')).toMatch(/"MaximumRetryAttempts":2/);
  expect(targetOf('Changed')).toMatch(/"DeadLetterConfig":{"Arn":{"Fn::GetAtt":\["Failed/);
});

it('warns of an imported dead-letter queue, whose policy cannot be changed', () => {
  const user = userStack();
  const arn = 'arn:aws:sqs:us-east-1:111111111111:failed';
  subscribed({ deadLetterQueue: Queue.fromQueueArn(user.stack, 'Failed', arn) }, user);
  Annotations.fromStack(user.stack).hasWarning('*', Match.stringLikeRegexp('policy of deadLetterQueue'));
});

it.each<[string, (user: ReturnType<typeof userStack>) => SubscribeOptions, string]>([
  ['retries', () => ({ retryAttempts: 186 }), 'retryAttempts: found 186, expected a whole number of retries'],
  [
    'an age below a minute',
    () => ({ maxEventAge: Duration.seconds(30) }),
    'maxEventAge: found 30, expected a whole number of seconds from 60 to 86400',
  ],
  ['an age that is a number', () => ({ maxEventAge: 300 as never }), 'maxEventAge: expected a Duration'],
  [
    'a name',
    () => ({ retryAttempt: 3 }) as never,
    'retryAttempt: not an option; did you mean retryAttempts?',
  ],
  [
    'a queue that is an ARN',
    () => ({ deadLetterQueue: 'arn' as never }),
    'deadLetterQueue: expected a queue of SQS',
  ],
  [
    'a FIFO queue',
    ({ stack }) => ({ deadLetterQueue: new Queue(stack, 'Fifo', { fifo: true }) as IQueue }),
    'deadLetterQueue: found a FIFO queue',
  ],
])('refuses %s by the name of the option', (_, optionsOf, problem) => {
  const user = userStack();
  expect(() => subscribed(optionsOf(user), user)).toThrow(problem);
});
