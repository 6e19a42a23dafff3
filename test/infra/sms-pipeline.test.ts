import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, AspectPriority, Aspects, CfnOutput, CfnParameter, Duration, Stack, Stage } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { AccountRootPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { Alias, Key } from 'aws-cdk-lib/aws-kms';
import { Function as CdkFunction } from 'aws-cdk-lib/aws-lambda';
import { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import { CfnSecret, type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnTopic, type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { CfnQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct, IConstruct } from 'constructs';
import { describe, expect, it } from 'vitest';
import { shippedContract } from '../../contract/document/contract-file-store.ts';
import {
  type AlarmsProps,
  Automation,
  Contract,
  eventSource,
  Keywords,
  lambda,
  PipelinePropsError,
  SmsPipeline,
  type SmsPipelineProps,
  sqs,
} from '../../lib/index.ts';
import { quickApp, StubbedPipeline } from './support/built-app.ts';

const root = join(import.meta.dirname, '../..');
const contract = Contract.fromFile(shippedContract);

const pipelineIn = (scope: Construct, props: Partial<SmsPipelineProps> = {}, id = 'Sms') =>
  new StubbedPipeline(scope, id, {
    contract,
    apiKey: Secret.fromSecretNameV2(scope, `${id}Key`, 'sms/api-key'),
    ...props,
  });

const stackWith = (props: Partial<SmsPipelineProps> = {}) => {
  const stack = new Stack(quickApp(), 'Shop');
  return { stack, pipeline: pipelineIn(stack, props) };
};

const someTopic = Topic.fromTopicArn(new Stack(), 'Topic', 'arn:aws:sns:us-east-1:000000000000:ops');

const alarmsIn = (stack: Stack) =>
  ['Alarm', 'CompositeAlarm'].flatMap((kind) =>
    Object.entries(Template.fromStack(stack).findResources(`AWS::CloudWatch::${kind}`)).map(
      ([id, { Properties }]) => [id, Properties] as const,
    ),
  );

const problemsOf = (props: Partial<SmsPipelineProps>) => {
  try {
    stackWith(props);
    return [];
  } catch (error) {
    if (!(error instanceof PipelinePropsError)) throw error;
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
};

describe('a pipeline in a stack of your own', () => {
  const { stack, pipeline } = stackWith();
  const template = Template.fromStack(stack);

  it('has the functions of a report, the tables and the bus', () => {
    template.resourceCountIs('AWS::DynamoDB::Table', 4);
    template.resourceCountIs('AWS::Events::EventBus', 1);
    template.resourceCountIs('AWS::ApiGatewayV2::Api', 1);
    template.resourceCountIs('AWS::Lambda::Function', 7);
  });

  it('keeps the data when the stack goes', () => {
    const retained = Object.values(template.findResources('AWS::DynamoDB::Table')).map(
      ({ DeletionPolicy }) => DeletionPolicy,
    );
    expect(retained.sort()).toEqual(['Delete', 'Retain', 'Retain', 'Retain']);
  });

  it('has outputs that begin with its id, for the command line, and takes no name from the stack', () => {
    const outputs = Object.keys(template.toJSON().Outputs);
    for (const name of ['WebhookUrl', 'HistoryTableName', 'Registration'])
      expect(outputs).toContainEqual(expect.stringMatching(`^Sms${name}[0-9A-F]{8}$`));
    expect(outputs.filter((name) => !/^Sms\w+[0-9A-F]{8}$/.test(name))).toEqual([]);
    const { stack: shop, pipeline: sms } = stackWith();
    new CfnOutput(shop, 'SmsWebhookUrl', { value: sms.webhookUrl });
    pipelineIn(shop, { exports: {}, metricsNamespace: 'Shop/Sms' }, 'Sms-');
    const databases = Object.values(Template.fromStack(shop).findResources('AWS::Glue::Database'));
    expect(databases[0]?.Properties.DatabaseInput.Name).toMatch(/^shop_sms_[0-9a-f]{8}$/);
  });

  it('registers its webhook last, when the whole path of an event is there, and removes it first', () => {
    const [registration] = Object.values(template.findResources('Custom::SmsWebhookRegistration'));
    const path = [
      ...['AWS::ApiGatewayV2::Route', 'AWS::ApiGatewayV2::Stage', 'AWS::ApiGatewayV2::Integration'],
      ...['AWS::Lambda::Permission', 'AWS::Lambda::EventSourceMapping', 'AWS::DynamoDB::Table'],
      ...['AWS::IAM::Policy', 'AWS::SQS::Queue', 'AWS::Events::EventBus', 'AWS::SecretsManager::Secret'],
    ];
    for (const type of path)
      expect(registration?.DependsOn, type).toEqual(
        expect.arrayContaining(Object.keys(template.findResources(type))),
      );
  });

  it('warns that its alarms notify no one', () => {
    Annotations.fromStack(stack).hasWarning('*', Match.stringLikeRegexp('No alarm notifies an operator'));
  });

  it('has a webhook below the URL of its API', () => {
    expect(JSON.stringify(stack.resolve(pipeline.webhookUrl))).toContain('/webhooks/sms');
  });
});

it('two pipelines live in one stack, with names and metrics of their own', () => {
  const stack = new Stack(quickApp(), 'Shop');
  pipelineIn(stack, {}, 'Sms');
  pipelineIn(stack, {}, 'Second');
  const functions = Object.values(Template.fromStack(stack).findResources('AWS::Lambda::Function'));
  const namespaces = functions.map(
    ({ Properties }) => Properties.Environment.Variables.POWERTOOLS_METRICS_NAMESPACE,
  );
  expect(functions).toHaveLength(14);
  expect(new Set(namespaces).size).toBe(2);
});

it('a pipeline works in a stage', () => {
  const stage = new Stage(quickApp(), 'Prod');
  const stack = new Stack(stage, 'Shop');
  pipelineIn(stack);
  stage.synth();
  Template.fromStack(stack).resourceCountIs('AWS::Lambda::Function', 7);
});

it('a pipeline touches nothing beside it: no alarm, key or check of the rest of the app', () => {
  const stack = new Stack(quickApp(), 'Shop');
  new Queue(stack, 'Other');
  new CfnBucket(stack, 'NotCompliant');
  pipelineIn(stack, { encryptionKey: new Key(stack, 'Key') });
  const template = Template.fromStack(stack);
  const other = Object.entries(template.findResources('AWS::SQS::Queue')).find(([id]) =>
    id.startsWith('Other'),
  );
  expect(other?.[1].Properties).toBeUndefined();
  const queues = Object.entries(template.findResources('AWS::SQS::Queue')).filter(([id]) =>
    id.startsWith('Sms'),
  );
  for (const [, { Properties }] of queues) expect(Properties.KmsMasterKeyId).toBeDefined();
});

it('a key of the stack lets the pipeline use it, and an imported one brings a warning', () => {
  const { stack } = stackWith();
  const own = new Stack(quickApp(), 'Own');
  pipelineIn(own, { encryptionKey: new Key(own, 'Key') });
  Template.fromStack(own).hasResourceProperties('AWS::KMS::Key', {
    KeyPolicy: { Statement: Match.arrayWith([Match.objectLike({ Sid: 'UseThroughServices' })]) },
  });
  const imported = new Stack(quickApp(), 'Imported');
  const arn = 'arn:aws:kms:us-east-1:111122223333:key/11111111-2222-3333-4444-555555555555';
  pipelineIn(imported, { encryptionKey: Key.fromKeyArn(imported, 'Key', arn) });
  Annotations.fromStack(imported).hasWarning('*', Match.stringLikeRegexp('encryptionKey'));
  Annotations.fromStack(stack).hasNoWarning('*', Match.stringLikeRegexp('encryptionKey'));
});

it.each([0, AspectPriority.MUTATING, AspectPriority.DEFAULT, AspectPriority.READONLY])(
  'an Aspect of priority %i finds every table, queue, secret and topic encrypted with the key',
  (priority) => {
    const app = quickApp();
    const stack = new Stack(app, 'Shop');
    const encryptionKey = new Key(stack, 'Key');
    const keys = new Map<string, unknown>();
    Aspects.of(app).add(
      {
        visit(node: IConstruct): void {
          if (node instanceof CfnTable) keys.set(node.node.path, node.sseSpecification);
          else if (node instanceof CfnSecret) keys.set(node.node.path, node.kmsKeyId);
          else if (node instanceof CfnQueue || node instanceof CfnTopic)
            keys.set(node.node.path, node.kmsMasterKeyId);
        },
      },
      { priority },
    );
    const automations = [Automation.forward({ url: 'https://receiver.test/' }), Automation.failureAlert()];
    const { events } = pipelineIn(stack, { encryptionKey, automations });
    // The target is the user's own, so its queue is not the pipeline's.
    events.onOptOut(lambda(CdkFunction.fromFunctionName(stack, 'Crm', 'crm')));
    app.synth();
    expect(keys.size).toBeGreaterThan(13);
    const arn = JSON.stringify(stack.resolve(encryptionKey.keyArn));
    const others = [...keys].filter(([, key]) => !JSON.stringify(stack.resolve(key) ?? '').includes(arn));
    expect(others).toEqual([]);
  },
);

it('alarms: false makes no alarm, of subscriptions neither, and warns about none', () => {
  const { stack, pipeline } = stackWith({ alarms: false, automations: [Automation.contactSync()] });
  pipeline.events.onHelp(sqs(new Queue(stack, 'Help')));
  expect(alarmsIn(stack)).toEqual([]);
  Annotations.fromStack(stack).hasNoWarning('*', Match.stringLikeRegexp('alarm'));
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

it('a role that may query may call nothing but the route of queries', () => {
  const { stack, pipeline } = stackWith();
  const role = new Role(stack, 'Support', { assumedBy: new AccountRootPrincipal() });
  pipeline.grantQuery(role);
  const found = Object.entries(Template.fromStack(stack).findResources('AWS::IAM::Policy')).find(([id]) =>
    id.startsWith('Support'),
  );
  const { Statement } = found?.[1].Properties.PolicyDocument ?? { Statement: [] };
  expect(Statement).toHaveLength(1);
  expect(Statement[0].Action).toBe('execute-api:Invoke');
  expect(JSON.stringify(Statement[0].Resource)).toMatch(/GET\/v1\/\*.*HEAD\/v1\/\*/);
});

it('a role that may subscribe may make rules for the events of the pipeline only', () => {
  const { stack, pipeline } = stackWith();
  const role = new Role(stack, 'Team', { assumedBy: new AccountRootPrincipal() });
  pipeline.grantSubscribe(role);
  Template.fromStack(stack).hasResourceProperties('AWS::IAM::Policy', {
    PolicyDocument: {
      Statement: Match.arrayWith([
        Match.objectLike({
          Action: 'events:PutRule',
          Condition: {
            'ForAllValues:StringEquals': { 'events:source': [eventSource] },
            Null: { 'events:source': 'false' },
          },
        }),
      ]),
    },
    Roles: [{ Ref: Match.stringLikeRegexp('^Team') }],
  });
});

it('subscriptions and metrics belong to the pipeline', () => {
  const { stack, pipeline } = stackWith();
  pipeline.events.onReply({ keyword: ['stop'] }, sqs(new Queue(stack, 'Stops')));
  Template.fromStack(stack).hasResourceProperties('AWS::Events::Rule', {
    EventPattern: Match.objectLike({ detail: { keyword: ['stop'] } }),
  });
  const metric = pipeline.metricReports('delivered', { label: 'delivered' });
  expect(metric).toMatchObject({ metricName: 'ReportsDelivered', dimensions: { service: 'publisher' } });
  expect(pipeline.metricEventsStored().namespace).toBe(metric.namespace);
});

it('a pipeline made elsewhere can be subscribed to', () => {
  const stack = new Stack(quickApp(), 'Reports');
  const imported = SmsPipeline.fromAttributes(stack, 'Sms', { eventBusName: 'the-bus' });
  imported.events.onOptOut(sqs(new Queue(stack, 'OptOuts')));
  Template.fromStack(stack).hasResourceProperties('AWS::Events::Rule', { EventBusName: 'the-bus' });
  Annotations.fromStack(stack).hasWarning('*', Match.stringLikeRegexp('No alarm notifies an operator'));
});

it('a pipeline made elsewhere has the bus of its ARN, and alarms that notify its topic, or none', () => {
  const stack = new Stack(quickApp(), 'Reports');
  const eventBusName = 'arn:aws:events:us-east-1:222222222222:event-bus/the-bus';
  const bus = { eventBusName: 'the-bus', eventBusArn: eventBusName };
  expect(SmsPipeline.fromAttributes(stack, 'Far', { eventBusName, alarms: false }).eventBus).toMatchObject(
    bus,
  );
  const topic = new Topic(stack, 'Tickets');
  const named = { eventBusName: 'the-bus' };
  const loud = SmsPipeline.fromAttributes(stack, 'Loud', { ...named, alarms: { topic } });
  const silent = SmsPipeline.fromAttributes(stack, 'Silent', { ...named, alarms: false });
  for (const { events } of [loud, silent]) events.onOptOut(sqs(new Queue(stack, events.node.path)));
  const alarms = alarmsIn(stack);
  expect(alarms.map(([, { AlarmActions }]) => AlarmActions)).toEqual([[stack.resolve(topic.topicArn)]]);
  expect(alarms[0]?.[0]).toMatch(/^Loud/);
  Annotations.fromStack(stack).hasNoWarning('*', Match.stringLikeRegexp('alarm'));
});

it('synth refuses a topic of tickets or of pages that CloudWatch may not publish to', () => {
  const problems = (alarms: (scope: Stack, refused: Topic) => AlarmsProps) => {
    const stack = new Stack(quickApp(), 'Shop');
    const masterKey = Alias.fromAliasName(stack, 'SnsKey', 'alias/aws/sns');
    const { node } = pipelineIn(stack, { alarms: alarms(stack, new Topic(stack, 'Refused', { masterKey })) });
    return node.findAll().flatMap((child) => child.node.validate());
  };
  const refused = [expect.stringContaining('Shop/Refused is encrypted with alias/aws/sns')];
  expect(problems((_, topic) => ({ topic }))).toEqual(refused);
  expect(problems((scope, page) => ({ topic: new Topic(scope, 'Tickets'), page }))).toEqual(refused);
});

describe('synth refuses what is in the wrong region', () => {
  const inIreland = (props: (scope: Stack) => Partial<SmsPipelineProps>) => {
    const stack = new Stack(quickApp(), 'Shop', { env: { account: '111111111111', region: 'eu-west-1' } });
    const { node } = pipelineIn(stack, { apiKey: keyIn(stack), ...props(stack) });
    return node.findAll().flatMap((child) => child.node.validate());
  };
  const keyIn = (stack: Stack) => Secret.fromSecretNameV2(stack, 'ApiKey', 'sms/api-key');
  const topicIn = (region: string) => `arn:aws:sns:${region}:111111111111:ops`;
  const certificateIn = (region: string) =>
    `arn:aws:acm:${region}:111111111111:certificate/0a1b2c3d-0000-0000-0000-000000000000`;
  const domainIn = (region: string) => (scope: Stack) => ({
    webhook: {
      domain: {
        name: 'sms.pipeline.test',
        certificate: Certificate.fromCertificateArn(scope, 'Cert', certificateIn(region)),
      },
    },
  });
  it('a topic of alarms', () => {
    const tickets = (region: string) =>
      inIreland((scope) => ({ alarms: { topic: Topic.fromTopicArn(scope, 'T', topicIn(region)) } }));
    expect(tickets('eu-west-1')).toEqual([]);
    expect(tickets('us-east-1')).toEqual([
      'Shop/T is in us-east-1, and alarms in eu-west-1 notify only topics there. Use a topic of eu-west-1.',
    ]);
    const unknown = new Stack(quickApp(), 'Shop');
    const topic = Topic.fromTopicArn(unknown, 'T', topicIn('us-east-1'));
    const { node } = pipelineIn(unknown, { alarms: { topic } });
    expect(node.findAll().flatMap((child) => child.node.validate())).toEqual([]);
  });

  it('a certificate whose ARN is malformed', () => {
    const withCertificate = (scope: Stack) => {
      const certificate = Certificate.fromCertificateArn(scope, 'Cert', 'my-certificate');
      return { webhook: { domain: { name: 'hooks.pipeline.test', certificate } } };
    };
    expect(() => inIreland(withCertificate)).toThrow(
      'webhook.domain.certificate: found my-certificate, expected the ARN of a certificate of ACM',
    );
  });

  it('a certificate of the webhook, which is in the region of the stack', () => {
    expect(inIreland(domainIn('eu-west-1'))).toEqual([]);
    expect(() => inIreland(domainIn('us-east-1'))).toThrow(
      'webhook.domain.certificate: found a certificate in us-east-1, expected one in eu-west-1',
    );
  });

  it('a certificate of the console, which is in us-east-1', () => {
    const withCertificate = (scope: Stack) => {
      const certificate = new Certificate(scope, 'Cert', { domainName: 'console.pipeline.test' });
      return { console: { domain: { name: 'console.pipeline.test', certificate } } };
    };
    expect(() => inIreland(withCertificate)).toThrow(
      'console.domain.certificate: found a certificate in eu-west-1, expected one in us-east-1',
    );
  });
});

it('synth refuses a FIFO topic of alarms, made here or imported', () => {
  const problems = (topicOf: (scope: Stack) => ITopic) => {
    const stack = new Stack(quickApp(), 'Shop');
    const { node } = pipelineIn(stack, { alarms: { topic: topicOf(stack) } });
    return node.findAll().flatMap((child) => child.node.validate());
  };
  const refused = ['Shop/T is a FIFO topic, which no alarm can notify. Use a standard topic.'];
  expect(problems((scope) => new Topic(scope, 'T', { fifo: true }))).toEqual(refused);
  const arn = 'arn:aws:sns:us-east-1:111111111111:ops.fifo';
  expect(problems((scope) => Topic.fromTopicArn(scope, 'T', arn))).toEqual(refused);
});

it('synth refuses a FIFO topic of notices', () => {
  const topicOf = (scope: Stack) => new Topic(scope, 'T', { fifo: true });
  const refuse = (automation: (topic: ITopic) => Automation) => {
    const stack = new Stack(quickApp(), 'Shop');
    return () => pipelineIn(stack, { automations: [automation(topicOf(stack))] });
  };
  expect(refuse((topic) => Automation.failureAlert({ topic }))).toThrow(
    'automations.failureAlert.topic: found a FIFO topic, expected a standard topic',
  );
  expect(refuse((topic) => Automation.optOutContacts({ topic }))).toThrow('automations.optOutContacts.topic');
});

it('the API key is read where its ARN says, in part or in whole, or by its name', () => {
  const idAndGrant = (apiKey: (scope: Stack) => ISecret) => {
    const stack = new Stack(quickApp(), 'Shop', { env: { account: '111111111111', region: 'us-east-1' } });
    pipelineIn(stack, { apiKey: apiKey(stack) });
    const template = Template.fromStack(stack);
    const [setup] = Object.values(
      template.findResources('AWS::Lambda::Function', {
        Properties: {
          Environment: { Variables: Match.objectLike({ API_KEY_SECRET_ID: Match.anyValue() }) },
        },
      }),
    );
    const grants = Object.values(template.findResources('AWS::IAM::Policy')).flatMap(
      ({ Properties }) => Properties.PolicyDocument.Statement,
    );
    const resources = grants
      .map(({ Resource }) => JSON.stringify(Resource))
      .filter((arn) => /key/i.test(arn));
    return [setup?.Properties.Environment.Variables.API_KEY_SECRET_ID, ...new Set(resources)];
  };
  const far = 'arn:aws:secretsmanager:eu-west-1:222222222222:secret:shared/key';
  expect(idAndGrant((scope) => Secret.fromSecretPartialArn(scope, 'Key', far))).toEqual([
    far,
    `"${far}-??????"`,
  ]);
  expect(idAndGrant((scope) => Secret.fromSecretCompleteArn(scope, 'Key', `${far}-a1b2c3`))).toEqual([
    `${far}-a1b2c3`,
    `"${far}-a1b2c3"`,
  ]);
  expect(idAndGrant((scope) => Secret.fromSecretNameV2(scope, 'Key', 'my-secret-key'))).toEqual([
    'my-secret-key',
    expect.stringContaining(':secretsmanager:us-east-1:111111111111:secret:my-secret-key-??????'),
  ]);
});

it('an asset holds only what this version built, and no file that an earlier one left in the output folder', () => {
  const app = quickApp();
  const folders = join(app.assetOutdir, '.functions');
  pipelineIn(new Stack(app, 'Shop'));
  const [folder = ''] = readdirSync(folders);
  const again = new Stack(new App({ outdir: app.outdir, analyticsReporting: false }), 'Shop');
  writeFileSync(join(folders, folder, 'old.js'), '');
  pipelineIn(again);
  expect(readdirSync(join(folders, folder))).toEqual(['index.js']);
});

it('notices of automations go to the topic that is given', () => {
  const stack = new Stack(quickApp(), 'Shop');
  const topic = new Topic(stack, 'Support');
  pipelineIn(stack, {
    automations: [Automation.failureAlert({ topic, period: Duration.hours(1) }), Automation.optOutContacts()],
  });
  const template = Template.fromStack(stack);
  template.resourceCountIs('AWS::SNS::Topic', 2);
  template.hasResourceProperties('AWS::Lambda::Function', {
    Environment: {
      Variables: Match.objectLike({
        NOTICES_TOPIC_ARN: { Ref: stack.getLogicalId(topic.node.defaultChild as never) },
        ALERT_PERIOD_MINUTES: '60',
      }),
    },
  });
});

it.each<[string, Partial<SmsPipelineProps>, string]>([
  [
    'retention',
    { retention: Duration.days(0) },
    'retention: found 0, expected a whole number of days from 1 to 3650',
  ],
  [
    'exports with a short recovery period',
    { exports: {}, tables: { recovery: Duration.days(7) } },
    'tables.recovery: found 7 days, expected at least 8 days: exports are made from the backups, and a run makes up for that many days',
  ],
  [
    'retention in hours',
    { retention: Duration.hours(36) },
    'retention: found Duration.hours(36), expected a whole number of days',
  ],
  [
    'a threshold within the batch window',
    {
      alarms: { topic: someTopic, thresholds: { queueBehind: Duration.minutes(2) } },
      worker: { batchWindow: Duration.minutes(3) },
    },
    'alarms.thresholds.queueBehind: found 120 seconds, expected longer than worker.batchWindow',
  ],
  [
    'alarms.runbookUrl',
    { alarms: { topic: someTopic, runbookUrl: 'docs/operate/alarms.md' } },
    'alarms.runbookUrl: found docs/operate/alarms.md, expected the http(s) URL of docs/operate/alarms.md',
  ],
  [
    'an automation twice',
    { automations: [Automation.contactSync(), Automation.contactSync()] },
    'automations: found contactSync twice, expected each automation at most once',
  ],
  [
    'a URL with a key',
    { automations: [Automation.forward({ url: 'https://example.com/?key=abc' })] },
    'automations.forward.url: found something else (not shown: it may hold a key), expected an https URL',
  ],
  [
    'alarms without a topic',
    { alarms: { page: someTopic } as never },
    'alarms.topic: found nothing, expected the topic of tickets, or alarms: false',
  ],
  [
    'a name that does not exist',
    { retentionDays: 5 } as never,
    'retentionDays: not a prop; did you mean retention?',
  ],
  [
    'registration without a key',
    { apiKey: undefined as never },
    'apiKey: found nothing, expected the secret with the API key',
  ],
  [
    'rotation without registration',
    { registration: false, webhook: { rotateAfter: Duration.days(30) } },
    'webhook.rotateAfter: found 30, expected nothing',
  ],
  [
    'a watch without the counters that it reads',
    { insights: false, automations: [Automation.deliveryWatch()] },
    'automations: found deliveryWatch, expected none that reads the counters of insights',
  ],
  [
    'a capture without an end',
    { webhook: { captureUntil: '2099-01-01T00:00:00Z' } },
    'webhook.captureUntil: found 2099-01-01T00:00:00Z, expected a time in UTC at most 7 days ahead',
  ],
  [
    'a namespace of AWS',
    { metricsNamespace: 'AWS/Sms' },
    'metricsNamespace: found AWS/Sms, expected letters, digits, spaces',
  ],
  [
    'sources that are no ranges',
    { webhook: { allowedSources: ['192.0.2.0/24', 'nonsense', '192.0.2.1'] } },
    'webhook.allowedSources: found nonsense, 192.0.2.1, expected ranges of IP addresses as CIDR',
  ],
])('wrong props are named: %s', (_, props, problem) => {
  expect(problemsOf(props)).toEqual([expect.stringContaining(problem)]);
});

it.each(['cn-north-1', 'us-gov-west-1', 'eusc-de-east-1'])('a console is refused in %s', (region) => {
  const stack = new Stack(quickApp(), 'Shop', { env: { region } });
  expect(() => pipelineIn(stack, { console: {} })).toThrow(
    `console: found a stack in ${region}, expected none outside of the standard regions`,
  );
});

it.each([
  ['cn-north-1', 'https://cn-north-1.console.amazonaws.cn/cloudwatch/'],
  ['us-gov-west-1', 'https://us-gov-west-1.console.amazonaws-us-gov.com/cloudwatch/'],
  ['eu-west-1', 'https://eu-west-1.console.aws.amazon.com/cloudwatch/'],
])('alarms in %s link to logs at the console of its partition', (region, link) => {
  const stack = new Stack(quickApp(), 'Shop', { env: { region } });
  pipelineIn(stack);
  const links = alarmsIn(stack)
    .map(([, { AlarmDescription }]) =>
      JSON.stringify(AlarmDescription).replaceAll('",{"Ref":"AWS::Region"},"', region),
    )
    .flatMap((description) => / LOGS: (\S+\/cloudwatch\/)/.exec(description)?.[1] ?? []);
  expect(links.length).toBeGreaterThan(0);
  expect(new Set(links)).toEqual(new Set([link]));
});

it('all wrong props are named at once, below the path of the pipeline', () => {
  const wrong = { retention: Duration.days(0), listShards: 0 };
  expect(problemsOf(wrong)).toHaveLength(2);
  expect(() => stackWith(wrong)).toThrow('The props of the SMS pipeline Shop/Sms are wrong:');
});

describe('alarms', () => {
  it('are at most 19 by default, two composite ones among them', () => {
    const { stack } = stackWith();
    expect(alarmsIn(stack).length).toBeLessThanOrEqual(19);
    Template.fromStack(stack).resourceCountIs('AWS::CloudWatch::CompositeAlarm', 2);
  });

  it('do not go off for batches that wait as long as they may', () => {
    const threshold = (seconds: number) => {
      const { stack } = stackWith({ worker: { batchWindow: Duration.seconds(seconds) } });
      return alarmsIn(stack).find(([id]) => id.includes('QueueBehind'))?.[1].Threshold;
    };
    expect([1, 150, 151, 300].map(threshold)).toEqual([300, 300, 302, 600]);
  });

  it('go off at the given thresholds, known or not', () => {
    const { stack } = stackWith();
    const number = (id: string) => new CfnParameter(stack, id, { type: 'Number' }).valueAsNumber;
    pipelineIn(
      stack,
      {
        alarms: {
          topic: new Topic(stack, 'Tickets'),
          page: new Topic(stack, 'Pages'),
          runbookUrl: new CfnParameter(stack, 'Runbook').valueAsString,
          thresholds: {
            requestsNotAccepted: 2,
            requestsRejected: number('Rejected'),
            eventsQuarantined: 3,
            queueBehind: Duration.minutes(20),
            publisherBehind: Duration.millis(number('Behind')),
            queriesFailed: 4,
          },
        },
      },
      'Second',
    );
    const found = alarmsIn(stack).filter(([id]) => id.startsWith('Second'));
    const thresholds = found.map(([id, { Threshold }]) => [
      /([A-Z][a-z]+[A-Z][a-z]+[A-Za-z]*)Alarm/.exec(id)?.[1],
      Threshold,
    ]);
    expect(Object.fromEntries(thresholds)).toMatchObject({
      SecondReceivingIngestRequestsNotAccepted: 2,
      SecondReceivingIngestRequestsRejected: { Ref: 'Rejected' },
      SecondReceivingEventsEventsQuarantined: 3,
      SecondReceivingEventsQueueBehind: 1200,
      SecondPublishingPublisherPublisherBehind: { Ref: 'Behind' },
      SecondReceivingQueryQueryErrors: 4,
    });
    for (const [, { AlarmDescription }] of found)
      expect(JSON.stringify(AlarmDescription)).toMatch(/RUNBOOK: ",\{"Ref":"Runbook"\},"#[a-z0-9-]+/);
  });
});

describe('contracts and keywords', () => {
  it('of a preset need no API of the service without registration, which docs/start/own-app.md shows', () => {
    const stack = new Stack(quickApp(), 'Shop');
    const { tickets, pages } = { tickets: new Topic(stack, 'Tickets'), pages: new Topic(stack, 'Pages') };
    const shown = readFileSync(join(root, 'docs/start/own-app.md'), 'utf8').match(
      /new SmsPipeline\(.*?^ *\}\)/ms,
    )?.[0];
    const scope = { SmsPipeline: StubbedPipeline, Contract, stack, tickets, pages };
    const make = new Function(...Object.keys(scope), `return ${shown?.replace('this', 'stack')}`);
    expect(make(...Object.values(scope))).toBeInstanceOf(SmsPipeline);
    expect(problemsOf({ contract: Contract.preset('twilio') })).toEqual([
      expect.stringMatching(/^contract: found no "service", expected .*, or registration: false/),
    ]);
  });

  it('come from a preset, with changes', () => {
    const { document } = Contract.preset('twilio', {
      service: { baseUrl: 'https://api.example.com', token: contract.document.service.token },
    });
    expect(document.webhook.signature.scheme).toBe('hmac');
    expect(document.service.baseUrl).toBe('https://api.example.com');
  });

  it.each([
    [
      'a preset that does not exist',
      () => Contract.preset('twillio'),
      /Contract\.preset: .*did you mean "twilio"/s,
    ],
    [
      'a file that does not exist',
      () => Contract.fromFile('missing.json'),
      /missing\.json: cannot be read \(ENOENT\); Contract\.fromFile names this file/,
    ],
    [
      'keywords without a word',
      () => Keywords.fromObject({ everywhere: { stop: [], start: [], help: [] } }),
      /everywhere\.stop: expected at least one word/,
    ],
  ])('say what is wrong with %s', (_, make, message) => {
    expect(make).toThrow(message);
  });
});
