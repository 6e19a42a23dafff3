import { Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { expect, it } from 'vitest';
import { Contract, type SmsPipelineProps } from '../../../lib/public/index.ts';
import { quickApp } from '../support/built-app.ts';
import { pipelineIn } from '../support/own-pipeline.ts';

const account = '000000000000';

const stackInIreland = () => new Stack(quickApp(), 'Shop', { env: { account, region: 'eu-west-1' } });

const arnOfKey = (region: string) => `arn:aws:kms:${region}:${account}:key/k-1`;
const arnOfSecret = (region: string, name: string, owner = account) =>
  `arn:aws:secretsmanager:${region}:${owner}:secret:${name}`;

it.each<[string, (stack: Stack) => Partial<SmsPipelineProps>, string]>([
  [
    'a key',
    (stack) => ({ encryptionKey: Key.fromKeyArn(stack, 'Own', arnOfKey('us-east-1')) }),
    'encryptionKey: found a key in us-east-1, expected one in eu-west-1',
  ],
  [
    'a key of log groups',
    (stack) => ({ logs: { encryptionKey: Key.fromKeyArn(stack, 'Own', arnOfKey('us-east-1')) } }),
    'logs.encryptionKey: found a key in us-east-1, expected one in eu-west-1',
  ],
  [
    'an API key',
    (stack) => ({
      apiKey: Secret.fromSecretCompleteArn(stack, 'Own', arnOfSecret('us-east-1', 'sms/key-AbCdEf')),
    }),
    'apiKey: found a secret in us-east-1, expected one in eu-west-1: replicate it there',
  ],
])('%s of another region is refused', (_, propsIn, line) => {
  const stack = stackInIreland();
  expect(() => pipelineIn(stack, propsIn(stack))).toThrow(line);
});

it('keys and secrets of the region, and those whose region is known at deployment only, are accepted', () => {
  const stack = stackInIreland();
  pipelineIn(stack, {
    encryptionKey: Key.fromKeyArn(stack, 'Own', arnOfKey('eu-west-1')),
    apiKey: Secret.fromSecretCompleteArn(stack, 'Api', arnOfSecret('eu-west-1', 'sms/key-AbCdEf')),
  });
  const anywhere = new Stack(quickApp(), 'Shop');
  pipelineIn(anywhere, { encryptionKey: Key.fromKeyArn(anywhere, 'Own', arnOfKey('eu-west-1')) });
});

it.each([account, '111111111111'])(
  'a partial ARN of account %s is refused where Secrets Manager would take it for a complete one',
  (owner) => {
    const apiKeyOf = (stack: Stack, name: string) =>
      Secret.fromSecretPartialArn(stack, 'Own', arnOfSecret('eu-west-1', name, owner));
    const refused = stackInIreland();
    expect(() => pipelineIn(refused, { apiKey: apiKeyOf(refused, 'my-secret') })).toThrow(
      'apiKey: found the partial ARN of a secret whose name ends in a hyphen and six characters, expected Secret.fromSecretCompleteArn',
    );
    const accepted = stackInIreland();
    pipelineIn(accepted, { apiKey: apiKeyOf(accepted, 'sms/key') });
  },
);

it('the webhook and the console cannot have one domain name', () => {
  const stack = new Stack(quickApp(), 'Shop', { env: { account, region: 'us-east-1' } });
  const certificate = Certificate.fromCertificateArn(
    stack,
    'Certificate',
    `arn:aws:acm:us-east-1:${account}:certificate/c-1`,
  );
  const withNames = (webhook: string, console: string) => () =>
    pipelineIn(stack, {
      webhook: { domain: { name: webhook, certificate } },
      console: { domain: { name: console, certificate } },
    });
  expect(withNames('sms.example.com', 'sms.example.com')).toThrow(
    'console.domain.name: found sms.example.com, expected another name than webhook.domain.name',
  );
});

it.each<[string, SmsPipelineProps['webhook'], string | undefined]>([
  ['eu-west-1', { ratePerSecond: 10_000, burst: 5000 }, undefined],
  ['eu-west-1', { burst: 5001 }, 'webhook.burst is 5001 .the quota 5000.: more than'],
  ['eu-west-1', { ratePerSecond: 10_001 }, 'webhook.ratePerSecond is 10001 .the quota 10000.'],
  ['eu-south-1', { burst: 1250, ratePerSecond: 2500 }, undefined],
  ['eu-south-1', { burst: 1251 }, 'webhook.burst is 1251 .the quota 1250.'],
])('in %s a throttle of %j brings this warning: %s', (region, webhook, warning) => {
  const stack = new Stack(quickApp(), 'Shop', { env: { account, region } });
  pipelineIn(stack, {
    contract: Contract.preset('vonage-sms'),
    registration: false,
    ...(webhook && { webhook }),
  });
  const annotations = Annotations.fromStack(stack);
  if (warning === undefined) annotations.hasNoWarning('*', Match.stringLikeRegexp('throttle-quota'));
  else annotations.hasWarning('*', Match.stringLikeRegexp(warning));
});
