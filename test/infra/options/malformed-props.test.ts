import { Duration, Fn, Lazy, Stack, Token } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { Automation, Contract, SmsPipeline, type SmsPipelineProps } from '../../../lib/public/index.ts';
import { problemsOf } from '../support/own-pipeline.ts';

/** Props of another kind than the compiler accepts: apps of JavaScript give them, and apps of Python may. */
const malformed: readonly (readonly [object, string])[] = [
  [{ contract: 'twilio' }, 'contract: found a text, expected a Contract, for example Contract.preset'],
  [{ contract: undefined }, 'contract: found nothing, expected a Contract'],
  [{ apiKey: 'sms/api-key' }, 'apiKey: found a text, expected a secret'],
  [{ apiKey: null }, 'apiKey: found null, expected a secret'],
  [{ keywords: ['stop'] }, 'keywords: found a list, expected Keywords'],
  [{ serviceBaseUrl: 12 }, 'serviceBaseUrl: found the number 12, expected a text'],
  [{ serviceBaseUrl: 'ftp://example.com' }, 'serviceBaseUrl: found something else (not shown'],
  [{ registration: 'false' }, 'registration: found a text, expected true or false'],
  [{ lookups: 1 }, 'lookups: found the number 1, expected true or false'],
  [{ retention: 90 }, 'retention: found the number 90, expected a Duration'],
  [{ retention: '90 days' }, 'retention: found a text, expected a Duration'],
  [{ retention: Duration.days(4000) }, 'retention: found 4000, expected a whole number of days'],
  [{ staleAfter: Duration.minutes(30) }, 'staleAfter: found Duration.minutes(30), expected a whole number'],
  [{ listShards: 1.5 }, 'listShards: found 1.5, expected a whole number of shards'],
  [{ listShards: '4' }, 'listShards: found a text, expected a number'],
  [{ listShards: Fn.importValue('shards') }, 'listShards: found a token of CDK'],
  [{ listShards: Number.NaN }, 'listShards: found NaN, expected a whole number of shards'],
  [{ removalPolicy: 'destory' }, 'removalPolicy: found destory, expected retain or destroy'],
  [{ removalPolicy: 'snapshot' }, 'removalPolicy: found snapshot, expected retain or destroy'],
  [{ tables: { historyClass: 'cheap' } }, 'tables.historyClass: found cheap, expected STANDARD or'],
  [{ tables: true }, 'tables: found the boolean true, expected an object with props'],
  [{ webhook: { repairDrift: 'foo' } }, 'webhook.repairDrift: found'],
  [{ webhook: { onDrift: 'foo' } }, 'webhook.onDrift: not a prop'],
  [{ webhook: { allowedSources: '192.0.2.0/24' } }, 'webhook.allowedSources: found a text, expected a list'],
  [
    { webhook: { allowedSources: ['192.0.2.0/24', 1] } },
    'webhook.allowedSources: found a list whose item 2 is the number 1, expected a list of texts',
  ],
  [
    { automations: [Automation.billingWatch(), undefined] },
    'automations: found a list whose item 2 is undefined, expected a list of Automation',
  ],
  [{ webhook: { domain: 'sms.example.com' } }, 'webhook.domain: found a text, expected an object with props'],
  [{ webhook: { domain: { name: 'sms.example.com' } } }, 'webhook.domain.certificate: found nothing'],
  [
    { webhook: { domain: { name: 'sms.example.com', certificate: 'arn:aws:acm:us-east-1' } } },
    'webhook.domain.certificate: found arn:aws:acm:us-east-1, expected a certificate of ACM',
  ],
  [{ worker: { batchSzie: 10 } }, 'worker.batchSzie: not a prop; did you mean worker.batchSize?'],
  [{ worker: [] }, 'worker: found a list, expected an object with props'],
  [{ events: { accounts: 111122223333 } }, 'events.accounts: found the number 111122223333, expected a list'],
  [{ events: { accounts: ['1111'] } }, 'events.accounts: found 1111, expected'],
  [{ console: true }, 'console: found the boolean true, expected an object with props, for example {}'],
  [{ console: { oidc: { issuer: 'https://login.example.com' } } }, 'console.oidc.clientId: found nothing'],
  [{ exports: 'daily' }, 'exports: found a text, expected an object with props'],
  [
    { insights: false },
    'insights: found the boolean false, expected an object with props, { enabled: false } to do without',
  ],
  [{ alarms: false }, 'alarms: found the boolean false, expected an object with props'],
  [
    { alarms: { topic: 'arn:aws:sns:us-east-1:111122223333:ops' } },
    'alarms.topic: found arn:aws:sns:us-east-1:111122223333:ops, expected a topic of SNS',
  ],
  [{ alarms: { overrides: { QueueBehnd: {} } } }, 'alarms.overrides.QueueBehnd: not'],
  [
    { alarms: { overrides: { QueueBehind: { threshold: '5' } } } },
    'alarms.overrides.QueueBehind.threshold: found a text',
  ],
  [{ functions: { vpc: 'vpc-1' } }, 'functions.vpc: found a text'],
  [{ eventBus: 'bus' }, 'eventBus: found a text'],
  [
    { automations: Automation.deliveryWatch() },
    'automations: found an object, expected a list of Automation',
  ],
  [
    { automations: ['deliveryWatch'] },
    'automations: found a list whose item 1 is a text, expected a list of Automation',
  ],
  [
    { automations: [Automation.contactSync({ listIds: 'a-list' } as never)] },
    'automations.contactSync.listIds: found a text, expected a list of texts',
  ],
  [
    { automations: [Automation.forward(undefined as never)] },
    'automations.forward: found undefined, expected',
  ],
  [{ automations: [Automation.contactSync(null as never)] }, 'automations.contactSync: found null, expected'],
  [{ webhook: Lazy.any({ produce: () => ({}) }) }, 'webhook: found a token of CDK'],
  [
    { logs: { retention: 7 * 24 } },
    'logs.retention: found the number 168, expected a value of RetentionDays',
  ],
  [{ dashboard: 'no' }, 'dashboard: found a text, expected true or false'],
  [{ encryptionKey: 'alias/sms' }, 'encryptionKey: found a text, expected a key of KMS'],
  [{ retentoin: Duration.days(1) }, 'retentoin: not a prop; did you mean retention?'],
];

describe('a prop of another kind is refused by its name', () => {
  it.each(malformed)('%j', (props, problem) => {
    expect(problemsOf(props as Partial<SmsPipelineProps>)).toEqual([expect.stringContaining(problem)]);
  });

  it('without the text, which may be a key', () => {
    const secret = 'a-key-that-is-secret';
    expect(JSON.stringify(problemsOf({ apiKey: secret as never, keywords: secret as never }))).not.toContain(
      secret,
    );
  });
});

it('a value that is known at deployment only is accepted where its prop may be one', () => {
  const retention = Duration.days(Token.asNumber({ Ref: 'Days' }));
  const listShards = Lazy.number({ produce: () => 4 });
  expect(problemsOf({ retention, listShards, contract: Contract.preset('twilio') })).toEqual([]);
});

it.each<[unknown, string]>([
  [undefined, 'attributes: found undefined, expected an object'],
  [{}, 'pipelineName: found nothing, expected the output PipelineName of the pipeline, or *'],
  [{ pipelineName: 'sms' }, 'eventBusName: found nothing, expected the output EventBusName of the pipeline'],
  [{ pipelineName: 'sms', eventBusArn: 'sms-bus' }, 'eventBusName: found nothing'],
  [
    { pipelineName: 'sms', eventBusName: {} },
    'eventBusName: found an object, expected the output EventBusName',
  ],
  [{ pipelineName: 'sms', eventBusName: 'sms-bus', eventBusARN: 'sms-bus' }, 'eventBusARN: not a prop'],
  [
    { pipelineName: 'sms', eventBusName: 'sms-bus', alarms: false },
    'alarms: found the boolean false, expected an object',
  ],
  [
    { pipelineName: 'sms', eventBusName: 'sms-bus', alarms: { topic: 'ops' } },
    'alarms.topic: found a text, expected a topic',
  ],
  [
    { pipelineName: 'sms', eventBusName: 'sms-bus', encryptionKey: 'alias/sms' },
    'encryptionKey: found a text, expected a key',
  ],
  [
    { pipelineName: 'sms', eventBusName: '' },
    'eventBusName: found an empty text, expected the output EventBusName',
  ],
  [
    { pipelineName: '', eventBusName: 'sms-bus' },
    'pipelineName: found an empty text, expected the output PipelineName',
  ],
  [
    {
      pipelineName: 'sms',
      eventBusName: 'sms-bus',
      apiId: 'https://abc123.execute-api.us-east-1.amazonaws.com',
    },
    'apiId: found https://abc123.execute-api.us-east-1.amazonaws.com, expected the output ApiId of the pipeline: letters and digits, no URL',
  ],
  [
    { pipelineName: 'sms', eventBusName: 'arn:aws:sqs:us-east-1:111111111111:sms' },
    'eventBusName: found arn:aws:sqs:us-east-1:111111111111:sms, expected the output EventBusName of the pipeline, or EventBusArn',
  ],
])('attributes of another kind are refused by name: %#', (attributes, problem) => {
  expect(() => SmsPipeline.fromAttributes(new Stack(), 'Sms', attributes as never)).toThrow(
    `The props of the SMS pipeline Default/Sms are wrong:\n  ${problem}`,
  );
});
