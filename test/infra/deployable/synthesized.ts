import { detailTypes } from '../../../events/event-types.ts';
import { readSettings } from '../../../lib/app/read-settings.ts';
import { readCloudAssembly, type Stack } from '../../../local/cloudformation/cloud-assembly.ts';
import {
  assemblyFor,
  type Context,
  customDomain,
  everyFunction,
  mutualTls,
  onceForSettings,
} from '../support/built-app.ts';

/** The pipeline's stacks with these settings, with bundles that do nothing. A test that changes them clones them first. */
export const pipelineStacks = onceForSettings((context): readonly Stack[] =>
  readCloudAssembly(assemblyFor(context).assembly.directory),
);

/** The switches that are off with these settings, switched on: those too that are younger than this file. */
function switchedOn(context: Context): Context {
  const off = Object.entries(readSettings(context)).filter(([, value]) => value === 'off');
  return { ...context, ...Object.fromEntries(off.map(([name]) => [`sms:${name}`, 'on'])) };
}

/** Every setting switched on, at its default otherwise. */
export const everything = switchedOn({
  ...everyFunction,
  'sms:encryptionKey': 'customer',
  'sms:everyEvent': 'on',
  'sms:eventBusAccounts': '111111111111,222222222222',
  'sms:queryRoleArn': 'arn:aws:iam::000000000000:role/team/reader',
  'sms:alarmTopicArn': 'arn:aws:sns:us-east-1:000000000000:operators',
  ...customDomain,
  ...mutualTls,
});

const many = (count: number, one: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => one(index)).join(',');
const listIds = many(20, (index) => `5f2b8a52-0a2f-4f2e-9d3a-${String(index).padStart(12, '0')}`);
const longUrl = (characters: number) =>
  `https://receiver.test/${'u'.repeat(characters - 'https://receiver.test/'.length)}`;

/** Every setting at its largest or longest: what is worst for the size of names, policies and environments. */
export const largest: Context = {
  ...everything,
  'sms:stackName': 'P'.repeat(128),
  'sms:apiKeySecretName': 'k'.repeat(512),
  'sms:serviceBaseUrl': longUrl(512),
  'sms:retentionDays': 3650,
  'sms:quarantineRetentionDays': 3650,
  'sms:secretOverlapHours': 168,
  'sms:rotateAfterDays': 365,
  'sms:parkUnverified': 'always',
  'sms:webhookDrift': 'report',
  'sms:allowedSourceIps': `192.0.2.0/24,${many(49, (index) => `2001:0db8:0000:0000:0000:ffff:255.255.255.${100 + index}/128`)}`,
  'sms:domainName': `${'d'.repeat(63)}.${'o'.repeat(63)}.${'m'.repeat(63)}.pipeline.test`,
  'sms:mutualTlsTruststore': `s3://${'b'.repeat(63)}/${'k'.repeat(1024)}`,
  'sms:mutualTlsTruststoreVersion': 'v'.repeat(64),
  'sms:workerBatchSize': 10_000,
  'sms:workerBatchWindowSeconds': 300,
  'sms:workerTimeoutSeconds': 900,
  'sms:workerMaximumConcurrency': 1000,
  'sms:maxReceiveCount': 200,
  'sms:listShards': 256,
  'sms:staleAfterHours': 8760,
  'sms:queryRoleArn': `arn:aws:iam::000000000000:role/team/${'r'.repeat(64)}`,
  'sms:insightsRetentionDays': 3650,
  'sms:insightsHourRetentionDays': 3650,
  'sms:exportRetentionDays': 3650,
  'sms:publisherParallelism': 10,
  'sms:eventArchiveDays': 3650,
  'sms:eventBusAccounts': many(50, (index) => String(100_000_000_000 + index)),
  'sms:optOutListIds': listIds,
  'sms:optInListIds': listIds,
  'sms:contactListIds': listIds,
  'sms:failureAlertMinutes': 1440,
  'sms:forwardUrl': longUrl(2048),
  'sms:forwardDetailTypes': Object.values(detailTypes).join(','),
  'sms:alarmTopicArn': `arn:aws:sns:us-east-1:000000000000:${'t'.repeat(256)}`,
  'sms:pageTopicArn': `arn:aws:sns:us-east-1:000000000000:${'p'.repeat(256)}`,
  'sms:runbookUrl': `https://wiki.test/${'r'.repeat(200 - 'https://wiki.test/'.length)}`,
};

/** Every number at its least, and what is on by default switched off. */
export const smallest: Context = {
  ...everything,
  'sms:encryptionKey': 'aws',
  'sms:dashboard': 'off',
  'sms:accessLog': 'off',
  'sms:retentionDays': 1,
  'sms:secretOverlapHours': 1,
  'sms:workerBatchSize': 1,
  'sms:workerBatchWindowSeconds': 0,
  'sms:workerTimeoutSeconds': 10,
  'sms:workerMaximumConcurrency': 2,
  'sms:maxReceiveCount': 13,
  'sms:listShards': 1,
  'sms:staleAfterHours': 0,
  'sms:throttleRatePerSecond': 1,
  'sms:throttleBurst': 1,
  'sms:publisherParallelism': 1,
  'sms:eventArchiveDays': 0,
  'sms:failureAlertMinutes': 5,
};
