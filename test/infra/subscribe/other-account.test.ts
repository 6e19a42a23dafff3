import { Aws, CfnParameter, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import { detailTypes } from '../../../events/index.ts';
import { type SmsEvents, SmsPipeline, Target } from '../../../lib/public/index.ts';
import { quickApp, resource, resourcesOf } from '../support/built-app.ts';

const pipelineBusArn = 'arn:aws:events:us-east-1:111122223333:event-bus/sms-bus';
const replies = { detailTypes: [detailTypes.replyReceived] };

const eventsOf = (stack: Stack, id: string, eventBusName: string) =>
  SmsPipeline.fromAttributes(stack, id, { pipelineName: 'sms', eventBusName }).events;

/** A stack of a subscriber, for one account or, without one, for any. */
function subscriber(account?: string) {
  const app = quickApp();
  const env = account === undefined ? {} : { env: { account, region: 'us-east-1' } };
  const stack = new Stack(app, 'Subscriber', env);
  return { stack, own: new EventBus(stack, 'Own'), template: () => Template.fromStack(stack) };
}

describe('a subscription to the bus of another account', () => {
  const { stack, own, template } = subscriber('444455556666');
  const theirs = eventsOf(stack, 'Pipeline', pipelineBusArn);
  theirs.onEvent(Target.eventBus(own), replies);
  eventsOf(stack, 'Sms', own.eventBusName).onReply(Target.sqs(new Queue(stack, 'Inbox')));
  const made = template();
  const ownArn = { 'Fn::GetAtt': [resource(made, 'AWS::Events::EventBus').id, 'Arn'] };
  const forwarding = resource(made, 'AWS::Events::Rule', 'Pipeline');
  const role = resource(made, 'AWS::IAM::Role', 'Pipeline');

  it("is a rule on the pipeline's bus, by its ARN, that leads to a bus of the subscriber with a role", () => {
    expect(forwarding.Properties).toMatchObject({
      EventBusName: pipelineBusArn,
      EventPattern: { source: ['sms.pipeline'], 'detail-type': ['SMS Reply Received'] },
      Targets: [
        {
          Arn: ownArn,
          RoleArn: { 'Fn::GetAtt': [role.id, 'Arn'] },
          DeadLetterConfig: { Arn: { 'Fn::GetAtt': [expect.stringMatching(/^Pipeline/), 'Arn'] } },
        },
      ],
    });
  });

  it('gives EventBridge a role that may only put events on the own bus', () => {
    expect(role.Properties.AssumeRolePolicyDocument).toMatchObject({
      Statement: [{ Action: 'sts:AssumeRole', Principal: { Service: 'events.amazonaws.com' } }],
    });
    expect(resource(made, 'AWS::IAM::Policy', 'Pipeline').Properties.PolicyDocument).toMatchObject({
      Statement: [{ Effect: 'Allow', Action: 'events:PutEvents', Resource: ownArn }],
    });
  });

  it('is followed by ordinary subscriptions on the own bus', () => {
    const rule = resource(made, 'AWS::Events::Rule', 'SmsEventsOnReplyInbox');
    expect(rule.Properties).toMatchObject({
      EventBusName: { Ref: resource(made, 'AWS::Events::EventBus').id },
      Targets: [{ Arn: { 'Fn::GetAtt': [resource(made, 'AWS::SQS::Queue', 'Inbox').id, 'Arn'] } }],
    });
  });

  it('names an imported bus by its ARN, because CDK would write only the name', () => {
    const other = subscriber('444455556666');
    const bus = EventBus.fromEventBusArn(other.stack, 'Imported', pipelineBusArn);
    eventsOf(other.stack, 'Pipeline', bus.eventBusArn).onEvent(Target.eventBus(other.own), replies);
    expect(resource(other.template(), 'AWS::Events::Rule').Properties.EventBusName).toBe(pipelineBusArn);
  });
});

it('a bus in another region is refused for every target', () => {
  const { stack, own } = subscriber('111122223333');
  const far = pipelineBusArn.replace('us-east-1', 'eu-west-1');
  for (const target of [Target.eventBus(own), Target.sqs(new Queue(stack, 'Crm'))])
    expect(() => eventsOf(stack, `Far${target.id}`, far).onOptOut(target)).toThrow(
      'the bus is in eu-west-1, and a rule must be in the region of its bus. Subscribe in a stack of eu-west-1, not of us-east-1.',
    );
});

describe('a target that is not a bus', () => {
  const subscribe = (account: string | undefined, busOf: (stack: Stack) => SmsEvents) => {
    const { stack, template } = subscriber(account);
    busOf(stack).onHelp(Target.sqs(new Queue(stack, 'Crm')));
    return template();
  };
  const byName = (name: string) => (stack: Stack) => eventsOf(stack, 'Sms', name);
  const imported = (arn: string) => (stack: Stack) =>
    eventsOf(stack, 'Sms', EventBus.fromEventBusArn(stack, 'Imported', arn).eventBusArn);

  it.each([
    ['named by its ARN', byName],
    ['imported by its ARN', imported],
  ])('is rejected on the bus of another account, %s, with advice', (_, busOf) => {
    expect(() => subscribe('444455556666', busOf(pipelineBusArn))).toThrow(
      /^Subscriber\/Sms\/Events: the bus is in account 111122223333, and a rule there can deliver only to an event bus of this account\. Add a bus to this stack, send events to it with Target\.eventBus\(bus\)/,
    );
  });

  it.each([
    ['named by its ARN', byName],
    ['imported by its ARN', imported],
  ])('is rejected when the stack has no account and the bus, %s, has one', (_, busOf) => {
    expect(() => subscribe(undefined, busOf(pipelineBusArn))).toThrow(
      /the stack has no account\. If it is for that one, give the name of the bus \(output EventBusName\)/,
    );
  });

  it.each<[string, string | undefined, (stack: Stack) => SmsEvents]>([
    ['of the own account, by its ARN', '111122223333', byName(pipelineBusArn)],
    ['of the own account, imported', '111122223333', imported(pipelineBusArn)],
    ['by its name, in a stack for any account', undefined, byName('sms-bus')],
    ['by its name, in a stack for one account', '444455556666', byName('sms-bus')],
    [
      'of whatever account is deployed to',
      undefined,
      byName(`arn:aws:events:us-east-1:${Aws.ACCOUNT_ID}:event-bus/sms-bus`),
    ],
    [
      'by a parameter, of which nothing is known at synth',
      '444455556666',
      (stack) => eventsOf(stack, 'Sms', new CfnParameter(stack, 'BusName').valueAsString),
    ],
  ])('is accepted on a bus %s', (_, account, busOf) => {
    const template = subscribe(account, busOf);
    expect(Object.keys(resourcesOf(template, 'AWS::Events::Rule'))).toHaveLength(1);
  });
});
