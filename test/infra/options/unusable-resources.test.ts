import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Alias, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Bucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import { Automation, type MutualTlsProps, type SmsPipelineProps, Target } from '../../../lib/public/index.ts';
import { quickApp } from '../support/built-app.ts';
import { pipelineIn } from '../support/own-pipeline.ts';

const account = '111122223333';
const region = 'eu-west-1';
const newStack = () => new Stack(quickApp(), 'Shop', { env: { account, region } });
const arn = (service: string, name: string, place = region) =>
  `arn:aws:${service}:${place}:${account}:${name}`;
const keyArn = arn('kms', 'key/11111111-2222-3333-4444-555555555555');
const topicIn = (stack: Stack, place = region) => Topic.fromTopicArn(stack, 'T', arn('sns', 'ops', place));
const queueAsTopic = (stack: Stack) => Topic.fromTopicArn(stack, 'T', arn('sqs', 'ops'));
const domainIn = (stack: Stack, mutualTls: MutualTlsProps): Partial<SmsPipelineProps> => ({
  webhook: {
    domain: {
      name: 'sms.example.com',
      certificate: Certificate.fromCertificateArn(stack, 'Certificate', arn('acm', 'certificate/c-1')),
      mutualTls,
    },
  },
});

it.each<[string, (stack: Stack) => Partial<SmsPipelineProps>, string]>([
  [
    'a topic of another region for notices about failures',
    (stack) => ({ automations: [Automation.failureAlert({ topic: topicIn(stack, 'us-east-1') })] }),
    'automations.failureAlert.topic: found a topic in us-east-1, expected one in eu-west-1',
  ],
  [
    'a topic of another region for notices about opt-outs',
    (stack) => ({ automations: [Automation.optOutContacts({ topic: topicIn(stack, 'us-east-1') })] }),
    'automations.optOutContacts.topic: found a topic in us-east-1, expected one in eu-west-1',
  ],
  [
    'a queue where a topic is needed',
    (stack) => ({ alarms: { topic: queueAsTopic(stack) } }),
    `alarms.topic: found an object whose topicArn is ${arn('sqs', 'ops')}, expected a topic of SNS`,
  ],
  [
    'a queue where a topic of notices is needed',
    (stack) => ({ automations: [Automation.failureAlert({ topic: queueAsTopic(stack) })] }),
    `automations.failureAlert.topic: found an object whose topicArn is ${arn('sqs', 'ops')}`,
  ],
  [
    'an ARN where the name of a bus is needed',
    (stack) => ({ eventBus: EventBus.fromEventBusName(stack, 'Bus', arn('events', 'event-bus/own')) }),
    `eventBus: found an object whose eventBusName is ${arn('events', 'event-bus/own')}, expected an event bus`,
  ],
  [
    'the ARN of a rule',
    (stack) => ({ eventBus: EventBus.fromEventBusArn(stack, 'Bus', arn('events', 'rule/own')) }),
    `eventBus: found ${arn('events', 'rule/own')}, expected the ARN of an event bus`,
  ],
  [
    'the ARN of a parameter where that of a secret is needed',
    (stack) => ({
      apiKey: Secret.fromSecretCompleteArn(stack, 'Own', arn('ssm', 'parameter/sms-key-AbCdEf')),
    }),
    `apiKey: found ${arn('ssm', 'parameter/sms-key-AbCdEf')}, expected the ARN of a secret`,
  ],
  [
    'an issuer that stands for every tenant',
    () => ({
      console: { oidc: { issuer: 'https://login.microsoftonline.com/common/v2.0', clientId: 'a' } },
    }),
    'console.oidc.issuer: found https://login.microsoftonline.com/common/v2.0, expected the issuer',
  ],
  [
    'a name that no bus can have',
    (stack) => ({ eventBus: EventBus.fromEventBusName(stack, 'Bus', 'my bus') }),
    'eventBus: found an object whose eventBusName is a text, expected an event bus',
  ],
  [
    'a bus of a partner, on which only the partner publishes',
    (stack) => ({ eventBus: EventBus.fromEventBusName(stack, 'Bus', 'aws.partner/example.com/1') }),
    'eventBus: found an object whose eventBusName is a text, expected an event bus that is no bus of a partner and whose name has only letters, digits and . - _ /',
  ],
  [
    'an ARN where the name of a secret is needed',
    (stack) => ({
      apiKey: Secret.fromSecretNameV2(stack, 'Own', arn('secretsmanager', 'secret:sms/key-AbCdEf')),
    }),
    `apiKey: found an object whose secretName is ${arn('secretsmanager', 'secret:sms/key-AbCdEf')}, expected a secret`,
  ],
  [
    'a secret without a name',
    (stack) => ({ apiKey: Secret.fromSecretNameV2(stack, 'Own', '') }),
    'apiKey: found an object whose secretName is an empty text, expected a secret',
  ],
  [
    'an asymmetric key',
    (stack) => ({ encryptionKey: new Key(stack, 'Key', { keySpec: KeySpec.RSA_4096 }) }),
    'encryptionKey: found a key of RSA_4096, expected a symmetric one',
  ],
  [
    'a key of HMAC for log groups',
    (stack) => ({
      logs: {
        encryptionKey: new Key(stack, 'Key', {
          keySpec: KeySpec.HMAC_256,
          keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
        }),
      },
    }),
    'logs.encryptionKey: found a key of HMAC_256, expected a symmetric one',
  ],
  [
    'a disabled key, also behind an alias',
    (stack) => ({
      encryptionKey: new Alias(stack, 'Alias', {
        aliasName: 'sms',
        targetKey: new Key(stack, 'Key', { enabled: false }),
      }),
    }),
    'encryptionKey: found a disabled key, expected an enabled one',
  ],
  [
    'a key of AWS',
    (stack) => ({ encryptionKey: Alias.fromAliasName(stack, 'Key', 'alias/aws/sqs') }),
    'encryptionKey: found alias/aws/sqs, expected a key of your own',
  ],
  [
    'a key of AWS for log groups',
    (stack) => ({ logs: { encryptionKey: Alias.fromAliasName(stack, 'Key', 'alias/aws/dynamodb') } }),
    'logs.encryptionKey: found alias/aws/dynamodb, expected a key of your own',
  ],
  [
    'a bucket of another region with the certificates of the CAs',
    (stack) =>
      domainIn(stack, {
        bucket: Bucket.fromBucketAttributes(stack, 'B', { bucketName: 'trust', region: 'us-east-1' }),
        key: 'ca.pem',
      }),
    'webhook.domain.mutualTls.bucket: found a bucket in us-east-1, expected one in eu-west-1',
  ],
  ...['', '/ca.pem', 's3://trust/ca.pem'].map(
    (key) =>
      [
        `the key ${JSON.stringify(key)} of the trust store`,
        (stack: Stack) => domainIn(stack, { bucket: Bucket.fromBucketName(stack, 'B', 'trust'), key }),
        `webhook.domain.mutualTls.key: found ${key === '' ? 'an empty text' : key}, expected the key of the object`,
      ] as [string, (stack: Stack) => Partial<SmsPipelineProps>, string],
  ),
  [
    'a version of a trust store in a bucket without versions',
    (stack) => domainIn(stack, { bucket: new Bucket(stack, 'B') as IBucket, key: 'ca.pem', version: 'v1' }),
    'webhook.domain.mutualTls.version: found v1, expected a bucket with versioned: true',
  ],
  [
    'a VPC of another region',
    (stack) => ({ functions: { vpc: new Vpc(stackIn(stack, 'us-east-1'), 'Vpc') as never } }),
    'functions.vpc: found a VPC in us-east-1, expected one in eu-west-1',
  ],
])('%s is refused', (_, propsIn, line) => {
  const stack = newStack();
  expect(() => pipelineIn(stack, propsIn(stack))).toThrow(line);
});

const stackIn = (stack: Stack, place: string) =>
  new Stack(stack.node.scope, 'Far', { env: { account, region: place } });

it('resources that fit are accepted', () => {
  const stack = newStack();
  pipelineIn(stack, {
    encryptionKey: new Alias(stack, 'Alias', {
      aliasName: 'sms',
      targetKey: new Key(stack, 'Key', { keySpec: KeySpec.SYMMETRIC_DEFAULT, enabled: true }),
    }),
    logs: { encryptionKey: Key.fromKeyArn(stack, 'Logs', keyArn) },
    alarms: { topic: topicIn(stack) },
    eventBus: EventBus.fromEventBusName(stack, 'Bus', 'default'),
    ...domainIn(stack, {
      bucket: new Bucket(stack, 'B', { versioned: true }) as IBucket,
      key: 'trust/ca.pem',
      version: 'v1',
    }),
  });
});

describe('a disabled key', () => {
  it('of a topic of alarms is refused, because CloudWatch could not notify', () => {
    const stack = newStack();
    const topic = new Topic(stack, 'Ops', { masterKey: new Key(stack, 'Key', { enabled: false }) }) as ITopic;
    const { node } = pipelineIn(stack, { alarms: { topic } });
    expect(node.validate()).toEqual([
      'Shop/Ops is under a disabled key, and needs an enabled one: no alarm would notify it.',
    ]);
  });

  it('of a target is refused, because EventBridge could not deliver', () => {
    const stack = newStack();
    const inbox = new Queue(stack, 'Inbox', {
      encryptionMasterKey: new Key(stack, 'Key', { enabled: false }),
    });
    const { node } = pipelineIn(stack).events.onReply(Target.sqs(inbox));
    expect(node.validate()).toEqual([
      'Shop/Inbox is under a disabled key, and needs an enabled one: every event would be lost.',
    ]);
  });
});

describe('a key that is deleted with its stack', () => {
  const warning = Match.stringLikeRegexp('encryptionKey is deleted .* RemovalPolicy.RETAIN');
  const stackWithKey = (removalPolicy: RemovalPolicy) => {
    const stack = newStack();
    pipelineIn(stack, {
      encryptionKey: new Key(stack, 'Key', { removalPolicy: RemovalPolicy.DESTROY }),
      removalPolicy,
    });
    return Annotations.fromStack(stack);
  };

  it('brings a warning if the tables are kept, which no one could read then', () => {
    stackWithKey(RemovalPolicy.RETAIN).hasWarning('/Shop/Sms', warning);
  });

  it('brings none if the tables are deleted too', () => {
    stackWithKey(RemovalPolicy.DESTROY).hasNoWarning('*', warning);
  });
});

it('Target.sns refuses a queue', () => {
  const stack = newStack();
  expect(() => Target.sns(queueAsTopic(stack))).toThrow(
    `Target.sns: found an object whose topicArn is ${arn('sqs', 'ops')}, expected a topic`,
  );
});
