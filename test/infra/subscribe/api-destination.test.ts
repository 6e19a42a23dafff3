import { SecretValue, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { type ISecret, Secret, type SecretProps } from 'aws-cdk-lib/aws-secretsmanager';
import { expect, it } from 'vitest';
import { SmsPipeline, Target } from '../../../lib/public/index.ts';
import { problemsWithDestination } from '../../../lib/subscribe/api-destination.ts';
import { quickApp } from '../support/built-app.ts';

const destination = { url: 'https://crm.test/sms', keyHeader: 'x-api-key', rateLimitPerSecond: 5 };

// The class declares an attribute as possibly undefined, which its interface rejects under exactOptionalPropertyTypes.
const secretIn = (stack: Stack, props: SecretProps = {}) =>
  new Secret(stack, 'Key', props) as Secret & ISecret;

const object: SecretProps = {
  generateSecretString: { secretStringTemplate: '{"user":"sms"}', generateStringKey: 'key' },
};
const objectOfValues: SecretProps = {
  secretObjectValue: { key: SecretValue.unsafePlainText('not-a-real-key') },
};

it.each<[string, SecretProps, string | undefined, string]>([
  [
    'a generated JSON object without keyField',
    object,
    undefined,
    'keyField: found nothing, expected the field that holds the key, one of user, key: Default/Key is a JSON object',
  ],
  ['a JSON object without keyField', objectOfValues, undefined, 'one of key: Default/Key is a JSON object'],
  [
    'another field',
    object,
    'token',
    'keyField: found a text, expected a field of Default/Key, one of user, key',
  ],
  [
    'a field of a text',
    { secretStringValue: SecretValue.unsafePlainText('not-a-real-key') },
    'key',
    'expected nothing, because Default/Key is no JSON object',
  ],
])('of a secret of the app, %s is refused', (_, props, keyField, line) => {
  const keySecret = secretIn(new Stack(undefined, 'Default'), props);
  expect(problemsWithDestination({ ...destination, keySecret, keyField })).toEqual([
    expect.stringContaining(line),
  ]);
});

it.each<[string, (stack: Stack) => ISecret, string | undefined]>([
  ['a field of a generated object', (stack) => secretIn(stack, object), 'key'],
  ['a field of an object', (stack) => secretIn(stack, objectOfValues), 'key'],
  ['a generated text', (stack) => secretIn(stack), undefined],
  ['a field of a generated text, which may be replaced by an object', (stack) => secretIn(stack), 'key'],
  ['a field of an imported secret', (stack) => Secret.fromSecretNameV2(stack, 'Key', 'crm/key'), 'key'],
  ['an imported secret', (stack) => Secret.fromSecretNameV2(stack, 'Key', 'crm/key'), undefined],
])('%s is accepted', (_, secret, keyField) => {
  const keySecret = secret(new Stack(undefined, 'Default'));
  expect(problemsWithDestination({ ...destination, keySecret, keyField })).toEqual([]);
});

it.each([
  ['https://crm.test/*/sms', true],
  ['https://crm.test/sms?q=*', false],
])('the asterisk in %s brings a warning: %s', (url, isWarned) => {
  const stack = new Stack(quickApp(), 'Shop');
  const { events } = SmsPipeline.fromAttributes(stack, 'Sms', {
    pipelineName: 'sms',
    eventBusName: 'sms-bus',
    alarms: { enabled: false },
  });
  const keySecret = Secret.fromSecretNameV2(stack, 'Key', 'crm/key');
  events.onReply(Target.apiDestination({ ...destination, url, keySecret }));
  const warning = Match.stringLikeRegexp('the path has an asterisk');
  if (isWarned) Annotations.fromStack(stack).hasWarning('*', warning);
  else Annotations.fromStack(stack).hasNoWarning('*', warning);
});
