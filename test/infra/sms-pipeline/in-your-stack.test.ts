import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, CfnOutput, RemovalPolicy, Stack, Stage } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import { Automation, Contract } from '../../../lib/public/index.ts';
import { quickApp, type Resource } from '../support/built-app.ts';
import { pipelineIn, stackWith } from '../support/own-pipeline.ts';

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

  it('leaves nothing behind when the stack of a development goes', () => {
    const stack = new Stack(quickApp(), 'Shop');
    const pipeline = pipelineIn(stack, {
      removalPolicy: RemovalPolicy.DESTROY,
      exports: {},
      console: {},
      automations: [Automation.forward({ url: 'https://shop.test/events' })],
    });
    pipeline.addSource('backup', { contract: Contract.preset('vonage-sms') });
    const all = Object.values<Resource>(Template.fromStack(stack).toJSON().Resources);
    expect(all.filter(({ DeletionPolicy }) => /^Retain/.test(String(DeletionPolicy)))).toEqual([]);
    expect(all.filter(({ Properties }) => Properties?.DeletionProtectionEnabled === true)).toEqual([]);
    const ofType = (type: string) => all.filter(({ Type }) => Type === type);
    expect(ofType('AWS::DynamoDB::Table').length).toBeGreaterThan(3);
    expect(ofType('AWS::SecretsManager::Secret').length).toBeGreaterThan(1);
    expect(ofType('Custom::S3AutoDeleteObjects')).toHaveLength(ofType('AWS::S3::Bucket').length);
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

  it('has no output with outputs: false, of a further source neither', () => {
    const { stack: silent, pipeline: sms } = stackWith({ outputs: false, console: {}, exports: {} });
    sms.addSource('backup', { contract: Contract.preset('vonage-sms') });
    expect(Template.fromStack(silent).toJSON()).not.toHaveProperty('Outputs');
  });

  it('registers its webhook last, when the whole path of an event is there, and removes it first', () => {
    const [registration] = Object.values(template.findResources('Custom::SmsWebhookRegistration'));
    const path = [
      'AWS::ApiGatewayV2::Route',
      'AWS::ApiGatewayV2::Stage',
      'AWS::ApiGatewayV2::Integration',
      'AWS::Lambda::Permission',
      'AWS::Lambda::EventSourceMapping',
      'AWS::DynamoDB::Table',
      'AWS::IAM::Policy',
      'AWS::SQS::Queue',
      'AWS::Events::EventBus',
      'AWS::SecretsManager::Secret',
    ];
    for (const type of path)
      expect(registration?.DependsOn, type).toEqual(
        expect.arrayContaining(
          Object.keys(template.findResources(type)).filter((id) => !id.includes('RegistrationReconcile')),
        ),
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
