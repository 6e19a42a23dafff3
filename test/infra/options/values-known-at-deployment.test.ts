import { CfnParameter, Duration, Fn, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { expect, it } from 'vitest';
import { Automation, type SmsPipelineProps } from '../../../lib/public/index.ts';
import { quickApp } from '../support/built-app.ts';
import { pipelineIn } from '../support/own-pipeline.ts';

const numberIn = (stack: Stack) => new CfnParameter(stack, 'Number', { type: 'Number' }).valueAsNumber;
const textIn = (stack: Stack) => new CfnParameter(stack, 'Text').valueAsString;

it('props may be known at deployment only', () => {
  const stack = new Stack(quickApp(), 'Shop');
  const parameter = (id: string, type = 'String') => new CfnParameter(stack, id, { type });
  const days = parameter('Days', 'Number').valueAsNumber;
  pipelineIn(stack, {
    alarms: { topic: Topic.fromTopicArn(stack, 'Topic', parameter('TopicArn').valueAsString) },
    apiKey: Secret.fromSecretCompleteArn(stack, 'Key', parameter('KeyArn').valueAsString),
    serviceBaseUrl: parameter('Service').valueAsString,
    retention: Duration.days(days),
    listShards: parameter('Shards', 'Number').valueAsNumber,
    webhook: {
      domain: {
        name: parameter('Domain').valueAsString,
        certificate: Certificate.fromCertificateArn(stack, 'Cert', parameter('CertArn').valueAsString),
        mutualTls: {
          bucket: Bucket.fromBucketName(stack, 'Truststore', parameter('Bucket').valueAsString),
          key: parameter('TruststoreKey').valueAsString,
        },
      },
      allowedSources: parameter('Sources', 'CommaDelimitedList').valueAsList,
      ratePerSecond: parameter('Rate', 'Number').valueAsNumber,
    },
    automations: [Automation.forward({ url: parameter('Url').valueAsString })],
  });
  Annotations.fromStack(stack).hasNoWarning('*', Match.stringLikeRegexp('listShards'));
  const template = Template.fromStack(stack);
  template.hasResourceProperties('AWS::Lambda::Function', {
    Environment: {
      Variables: Match.objectLike({ RETENTION_DAYS: { Ref: 'Days' }, LIST_SHARDS: { Ref: 'Shards' } }),
    },
  });
  template.hasResourceProperties('AWS::Lambda::Function', {
    Environment: { Variables: Match.objectLike({ FORWARD_URL: { Ref: 'Url' } }) },
  });
  const alarms = template.findResources('AWS::CloudWatch::Alarm');
  const [near] = Object.entries(alarms).filter(([id]) => id.includes('RequestsNearThrottle'));
  expect(near?.[1].Properties.Metrics[0].Expression).toEqual({
    'Fn::Join': ['', ['100 * requests / (60 * ', { Ref: 'Rate' }, ')']],
  });
  // A number that became a text would look like -1.8881545897087503e+289.
  expect(JSON.stringify(template.toJSON())).not.toMatch(/e\+289|\$\{Token\[/);
});

it.each<[string, (stack: Stack) => Partial<SmsPipelineProps>]>([
  ['tables.recovery', (stack) => ({ tables: { recovery: Duration.days(numberIn(stack)) } })],
  ['worker.timeout', (stack) => ({ worker: { timeout: Duration.seconds(numberIn(stack)) } })],
  ['events.accounts', (stack) => ({ events: { accounts: Fn.split(',', textIn(stack)) } })],
  ['console.oidc.issuer', (stack) => ({ console: { oidc: { issuer: textIn(stack), clientId: 'console' } } })],
  [
    'automations.failureAlert.period',
    (stack) => ({ automations: [Automation.failureAlert({ period: Duration.minutes(numberIn(stack)) })] }),
  ],
  ['removalPolicy', (stack) => ({ removalPolicy: textIn(stack) as RemovalPolicy })],
])('%s cannot be known at deployment only', (prop, propsIn) => {
  const stack = new Stack(quickApp(), 'Shop');
  expect(() => pipelineIn(stack, propsIn(stack))).toThrow(
    `are wrong:\n  ${prop}: found a token of CDK, whose value is known at deployment only, expected`,
  );
});

it.each([
  [{ ratePerSecond: 1000 }, 1, undefined],
  [{ ratePerSecond: 2500 }, 1, 'accept 1000 events a second.*to 3:'],
  [{ ratePerSecond: 2500 }, 2, 'accept 2000 events a second.*to 3:'],
  [{ ratePerSecond: 2500 }, 3, undefined],
])('a webhook of %j with %i list shards warns: %s', (webhook, listShards, warning) => {
  const stack = new Stack(quickApp(), 'Shop');
  pipelineIn(stack, { webhook, listShards });
  const annotations = Annotations.fromStack(stack);
  if (warning === undefined) annotations.hasNoWarning('*', Match.stringLikeRegexp('listShards'));
  else annotations.hasWarning('*', Match.stringLikeRegexp(warning));
});
