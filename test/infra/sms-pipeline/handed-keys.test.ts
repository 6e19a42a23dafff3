import { Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Alias, type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Function as CdkFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import { Automation, SmsPipeline, Target } from '../../../lib/public/index.ts';
import { quickApp } from '../support/built-app.ts';
import { pipelineIn } from '../support/own-pipeline.ts';

const importedKeyArn = 'arn:aws:kms:us-east-1:111122223333:key/11111111-2222-3333-4444-555555555555';

/** Ways to hand over a queue or topic that is encrypted with a key, the services that must be able to use it, and its name in warnings. */
const handed: Readonly<
  Record<string, readonly [(stack: Stack, key: IKey) => void, readonly string[], string]>
> = {
  'a queue for failed events': [
    (stack, encryptionMasterKey) => {
      const deadLetterQueue = new Queue(stack, 'Failed', { encryptionMasterKey }) as IQueue;
      pipelineIn(stack).events.onReply(lambda(stack), { deadLetterQueue });
    },
    ['events'],
    'deadLetterQueue',
  ],
  'a queue for failed events of a pipeline in another app': [
    (stack, encryptionKey) =>
      void SmsPipeline.fromAttributes(stack, 'Sms', { ...named, encryptionKey }).events.onReply(
        lambda(stack),
      ),
    ['events', 'sqs'],
    'encryptionKey',
  ],
  'a queue for failed events that the target brings': [
    (stack, encryptionMasterKey) => {
      const deadLetterQueue = new Queue(stack, 'Failed', { encryptionMasterKey });
      pipelineIn(stack).events.onReply(new SqsQueue(new Queue(stack, 'Inbox'), { deadLetterQueue }));
    },
    ['events'],
    'deadLetterQueue',
  ],
  'a queue as a target': [
    (stack, encryptionMasterKey) =>
      void pipelineIn(stack).events.onReply(Target.sqs(new Queue(stack, 'Inbox', { encryptionMasterKey }))),
    ['events'],
    'the target',
  ],
  'a topic as a target': [
    (stack, masterKey) =>
      void pipelineIn(stack).events.onReply(Target.sns(new Topic(stack, 'Inbox', { masterKey }))),
    ['events'],
    'the target',
  ],
  'the topic of alarms': [
    (stack, masterKey) =>
      void pipelineIn(stack, { alarms: { topic: new Topic(stack, 'Ops', { masterKey }) } }),
    ['cloudwatch'],
    'alarms.topic',
  ],
  'the topic of pages': [
    (stack, masterKey) => {
      const topic = new Topic(stack, 'Ops');
      pipelineIn(stack, { alarms: { topic, page: new Topic(stack, 'Page', { masterKey }) } });
    },
    ['cloudwatch'],
    'alarms.page',
  ],
  'the topic of one alarm': [
    (stack, masterKey) => {
      const topic = new Topic(stack, 'One', { masterKey });
      pipelineIn(stack, { alarms: { overrides: { QueryErrors: { topic } } } });
    },
    ['cloudwatch'],
    'alarms.overrides.QueryErrors.topic',
  ],
  'the topic of alarms of a pipeline in another app': [
    (stack, masterKey) =>
      void SmsPipeline.fromAttributes(stack, 'Sms', {
        ...named,
        alarms: { topic: new Topic(stack, 'Ops', { masterKey }) },
      }),
    ['cloudwatch'],
    'alarms.topic',
  ],
};

const named = { pipelineName: 'sms', eventBusName: 'sms-bus' };
const lambda = (stack: Stack) => Target.lambda(CdkFunction.fromFunctionName(stack, 'Crm', 'crm'));

/** The principals and conditions of the policy of the only key. */
function policyOf(stack: Stack): string {
  const keys = Object.values(Template.fromStack(stack).findResources('AWS::KMS::Key'));
  expect(keys).toHaveLength(1);
  return JSON.stringify(keys[0]?.Properties.KeyPolicy.Statement);
}

describe.each(Object.entries(handed))('under a key of yours, %s', (_, [use, services, name]) => {
  it('can be used by the service that sends there', () => {
    const stack = new Stack(quickApp(), 'Shop');
    use(stack, new Key(stack, 'Key'));
    for (const service of services) expect(policyOf(stack)).toContain(`${service}.`);
    Annotations.fromStack(stack).hasNoWarning('*', Match.stringLikeRegexp('is imported, so its policy'));
  });

  it('brings a warning with its name, if the key is imported', () => {
    const stack = new Stack(quickApp(), 'Shop');
    use(stack, Key.fromKeyArn(stack, 'Key', importedKeyArn));
    Annotations.fromStack(stack).hasWarning(
      '*',
      Match.stringLikeRegexp(`${name}.* (is imported, so its|cannot be changed)`),
    );
  });
});

describe.each(['failureAlert', 'optOutContacts'] as const)(
  'the topic of %s under a key of yours',
  (automation) => {
    it('can be used by the function that publishes there', () => {
      const stack = new Stack(quickApp(), 'Shop');
      const topic = new Topic(stack, 'Notices', { masterKey: new Key(stack, 'Key') });
      const options = { topic };
      pipelineIn(stack, { automations: [Automation[automation](options)] });
      const [key] = Object.keys(Template.fromStack(stack).findResources('AWS::KMS::Key'));
      const allowed = Object.values(Template.fromStack(stack).findResources('AWS::IAM::Policy')).filter(
        ({ Properties }) =>
          Properties.PolicyDocument.Statement.some(
            ({ Action, Resource }: { Action: unknown; Resource: unknown }) =>
              JSON.stringify(Action).includes('kms:GenerateDataKey"') &&
              JSON.stringify(Resource).includes(key ?? ''),
          ),
      );
      expect(allowed).toHaveLength(1);
    });
  },
);

it('a key by its alias brings no warning', () => {
  const stack = new Stack(quickApp(), 'Shop');
  const encryptionMasterKey = new Key(stack, 'Key').addAlias('alias/shop');
  pipelineIn(stack).events.onReply(Target.sqs(new Queue(stack, 'Inbox', { encryptionMasterKey })));
  expect(policyOf(stack)).toContain('events.');
  Annotations.fromStack(stack).hasNoWarning('*', Match.stringLikeRegexp('is imported, so its policy'));
});

describe('a key that EventBridge may not use', () => {
  it.each<[string, (stack: Stack) => void, string]>([
    [
      'of a target',
      (stack) =>
        pipelineIn(stack).events.onReply(
          new SqsQueue(new Queue(stack, 'Inbox', { encryption: QueueEncryption.KMS_MANAGED })),
        ),
      'Shop/Inbox is encrypted with alias/aws/sqs',
    ],
    [
      'of a queue for failed events',
      (stack) =>
        pipelineIn(stack).events.onReply(lambda(stack), {
          deadLetterQueue: new Queue(stack, 'Failed', { encryption: QueueEncryption.KMS_MANAGED }) as IQueue,
        }),
      'Shop/Failed is encrypted with alias/aws/sqs',
    ],
    [
      'of a queue for failed events that the target brings',
      (stack) => {
        const deadLetterQueue = new Queue(stack, 'Failed', { encryption: QueueEncryption.KMS_MANAGED });
        pipelineIn(stack).events.onReply(new SqsQueue(new Queue(stack, 'Inbox'), { deadLetterQueue }));
      },
      'Shop/Failed is encrypted with alias/aws/sqs',
    ],
    [
      'of a topic',
      (stack) => {
        const masterKey = Alias.fromAliasName(stack, 'KeyOfSns', 'alias/aws/sns');
        pipelineIn(stack).events.onReply(Target.sns(new Topic(stack, 'Inbox', { masterKey })));
      },
      'Shop/Inbox is encrypted with alias/aws/sns',
    ],
  ])('is refused: %s', (_, use, problem) => {
    const app = quickApp();
    use(new Stack(app, 'Shop'));
    expect(() => app.synth()).toThrow(problem);
  });
});

it('a target with a queue of its own for failed events gets no second one, and no alarm on an empty queue', () => {
  const stack = new Stack(quickApp(), 'Shop');
  const own = new Queue(stack, 'Failed');
  const target = new SqsQueue(new Queue(stack, 'Inbox'), { deadLetterQueue: own });
  const { deadLetterQueue } = SmsPipeline.fromAttributes(stack, 'Sms', named).events.onReply(target);
  const template = Template.fromStack(stack);
  template.resourceCountIs('AWS::SQS::Queue', 2);
  template.resourceCountIs('AWS::CloudWatch::Alarm', 0);
  expect(stack.resolve(deadLetterQueue.queueArn)).toEqual(stack.resolve(own.queueArn));
});
