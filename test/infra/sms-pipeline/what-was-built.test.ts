import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { Automation, Contract } from '../../../lib/public/index.ts';
import { quickApp } from '../support/built-app.ts';
import { pipelineIn, stackWith } from '../support/own-pipeline.ts';

const vonage = Contract.preset('vonage-sms');

/** The logical ids in what a property resolves to. */
const idIn = (stack: Stack, value: unknown) =>
  /"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/.exec(JSON.stringify(stack.resolve(value)))?.[1];

describe('a pipeline has what was built as properties', () => {
  const stack = new Stack(quickApp(), 'Shop');
  const sms = pipelineIn(stack, {
    lookups: true,
    exports: {},
    console: {},
    automations: [Automation.failureAlert(), Automation.forward({ url: 'https://shop.test/events' })],
  });
  const backup = sms.addSource('backup', { contract: vonage });
  const template = Template.fromStack(stack).toJSON();

  it.each([
    ['eventsQueue', sms.eventsQueue.queueArn, 'AWS::SQS::Queue', /^SmsReceiveEventsQueue/],
    ['deadLetterQueue', sms.deadLetterQueue.queueArn, 'AWS::SQS::Queue', /^SmsReceiveEventsDeadLetters/],
    [
      'publisherFailuresQueue',
      sms.publisherFailuresQueue.queueArn,
      'AWS::SQS::Queue',
      /^SmsPublishPublisherFailures/,
    ],
    ['historyTable', sms.historyTable.tableArn, 'AWS::DynamoDB::Table', /^SmsHistory/],
    ['quarantineTable', sms.quarantineTable.tableArn, 'AWS::DynamoDB::Table', /^SmsHistoryQuarantine/],
    ['insightsTable', sms.insightsTable.tableArn, 'AWS::DynamoDB::Table', /^SmsHistoryInsights/],
    [
      'webhookSecret',
      sms.webhookSecret.secretArn,
      'AWS::SecretsManager::Secret',
      /^SmsRegistrationWebhookSecret/,
    ],
    ['ingestFunction', sms.ingestFunction.functionArn, 'AWS::Lambda::Function', /^SmsReceiveIngest/],
    ['workerFunction', sms.workerFunction.functionArn, 'AWS::Lambda::Function', /^SmsReceiveEventsWorker/],
    ['setupFunction', sms.setupFunction.functionArn, 'AWS::Lambda::Function', /^SmsRegistrationSetup/],
    ['publisherFunction', sms.publisherFunction.functionArn, 'AWS::Lambda::Function', /^SmsPublishPublisher/],
    ['queryFunction', sms.queryFunction.functionArn, 'AWS::Lambda::Function', /^SmsQuery/],
    ['lookupFunction', sms.lookupFunction?.functionArn, 'AWS::Lambda::Function', /^SmsLookups/],
    ['insightsFunction', sms.insightsFunction?.functionArn, 'AWS::Lambda::Function', /^SmsInsights/],
    ['noticesTopic', sms.noticesTopic?.topicArn, 'AWS::SNS::Topic', /^SmsAutomationsNotices/],
    ['forwardSecret', sms.forwardSecret?.secretArn, 'AWS::SecretsManager::Secret', /^SmsAutomationsForward/],
    ['exportBucket', sms.exportBucket?.bucketArn, 'AWS::S3::Bucket', /^SmsExport/],
    ['consoleUrl', sms.consoleUrl, 'AWS::CloudFront::Distribution', /^SmsConsole/],
    ['its source: eventsQueue', backup.eventsQueue.queueArn, 'AWS::SQS::Queue', /^SmsSourceBackupEventsQ/],
    [
      'its source: deadLetterQueue',
      backup.deadLetterQueue.queueArn,
      'AWS::SQS::Queue',
      /^SmsSourceBackupEventsDeadLetters/,
    ],
    [
      'its source: ingestFunction',
      backup.ingestFunction.functionArn,
      'AWS::Lambda::Function',
      /^SmsSourceBackupIngest/,
    ],
    [
      'its source: workerFunction',
      backup.workerFunction.functionArn,
      'AWS::Lambda::Function',
      /^SmsSourceBackupEventsWorker/,
    ],
    [
      'its source: setupFunction',
      backup.setupFunction.functionArn,
      'AWS::Lambda::Function',
      /^SmsSourceBackupRegistrationSetup/,
    ],
    [
      'its source: webhookSecret',
      backup.webhookSecret.secretArn,
      'AWS::SecretsManager::Secret',
      /^SmsSourceBackupRegistrationWebhookSecret/,
    ],
  ])('%s', (_, value, type, logicalId) => {
    const id = idIn(stack, value) ?? '';
    expect(id).toMatch(logicalId);
    expect(template.Resources[id].Type).toBe(type);
  });
});

it('what needs a prop is undefined without it', () => {
  const { pipeline } = stackWith({ insights: { enabled: false } });
  const { lookupFunction, insightsFunction, noticesTopic, forwardSecret, exportBucket, consoleUrl } =
    pipeline;
  expect({
    lookupFunction,
    insightsFunction,
    noticesTopic,
    forwardSecret,
    exportBucket,
    consoleUrl,
  }).toEqual({});
  expect(pipeline.addSource('backup', { contract: vonage }).lookupFunction).toBeUndefined();
});
