import { describe, expect, it } from 'vitest';
import { rotationLimitMs } from '../../../functions/registration/secret/secret-document.ts';
import { readSettings, SettingsError } from '../../../lib/app/read-settings.ts';
import { settings } from '../../../lib/app/settings-schema.ts';
import type { Setting } from '../../../lib/options/setting-kinds.ts';
import { documentedProperties } from '../../../tools/generate/source-comments.ts';
import { changedSettings, customDomain, mutualTls } from '../support/built-app.ts';

function messageOf(context: Record<string, unknown>): string {
  try {
    readSettings(context);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  throw new Error('expected a SettingsError');
}

/** Writes the type of a setting's values as the interface of settings does. */
function typeOf({ schema, choices }: Setting): string {
  if (choices !== undefined) return choices.map((word) => `'${word}'`).join(' | ');
  const preset: unknown = schema.parse(undefined);
  if (Array.isArray(preset)) return 'readonly string[]';
  return preset === undefined ? 'string | undefined' : typeof preset;
}

describe('settings', () => {
  it('that code reads by name exist, and their schemas return values of their types', () => {
    const properties = documentedProperties('lib/app/settings-schema.ts').get('Settings') ?? [];
    const types = new Map(settings.map((setting) => [setting.name, typeOf(setting)]));
    const named = properties.filter(({ name }) => name !== 'sources');
    expect(named.length).toBeGreaterThan(25);
    for (const { name, type } of named) expect([name, types.get(name)]).toEqual([name, type]);
  });

  it('of the domain are unset by null', () => {
    const context = { 'sms:domainName': null, 'sms:certificateArn': null, 'sms:mutualTlsTruststore': null };
    expect(readSettings(context)).toEqual(readSettings({}));
  });

  it('allow a capture of up to 7 days, and are still valid after its end', () => {
    const soon = new Date(Date.now() + 7 * 86_400_000 - 60_000).toISOString();
    for (const captureUntil of [soon, '2026-01-15T12:00:00Z'])
      expect(readSettings({ 'sms:captureUntil': captureUntil })).toMatchObject({ captureUntil });
  });

  it('are accepted as text, as the command line passes them, and as numbers, as cdk.json holds them', () => {
    expect(readSettings({ 'sms:retentionDays': '90' })).toMatchObject({ retentionDays: 90 });
    expect(readSettings({ 'sms:retentionDays': 90 })).toMatchObject({ retentionDays: 90 });
    expect(readSettings({ 'sms:logRetentionDays': '365' })).toMatchObject({ logRetentionDays: 365 });
  });

  it('ignore other keys of the context', () => {
    expect(
      readSettings({ '@aws-cdk/core:checkSecretUsage': true, retentionDays: 'mine', smsThing: 1 }),
    ).toEqual(readSettings({}));
  });

  it.each([
    'SMS:retentionDays',
    ' sms:retentionDays',
    'sms.retentionDays',
    'Sms :RetentionDays',
    'sms :retentionDays',
  ])('are rejected if their key only looks like one: %j', (key) => {
    expect(messageOf({ [key]: '90' })).toContain(
      `${JSON.stringify(key)}: no such setting, did you mean sms:retentionDays?`,
    );
  });

  it('are rejected all at once, each with its key, its value and the expected value', () => {
    const message = messageOf({
      'sms:retentionDays': 'ninety',
      'sms:stackName': '1st',
      'sms:alarmTopicArn': 'ops',
      'sms:workerBatchSize': '50',
      'sms:workerBatchWindowSeconds': '0',
      'sms:retentoinDays': '90',
      'sms:parkUnverified': 'never',
      'sms:rotateAfterDays': '1',
    });
    expect(message.split('\n  ').slice(1)).toEqual([
      expect.stringMatching(
        /^sms:stackName: found "1st", expected .* a letter, then letters, digits and hyphens/,
      ),
      'sms:retentionDays: found "ninety", expected a whole number of days from 1 to 3650',
      'sms:parkUnverified: found "never", expected "rotating" or "always"',
      'sms:alarmTopicArn: found "ops", expected the ARN of an SNS topic, arn:aws:sns:<region>:<account>:<topic>',
      'sms:retentoinDays: no such setting, did you mean sms:retentionDays?',
      expect.stringMatching(
        /^sms:workerBatchWindowSeconds: found "0", expected at least 1: .*workerBatchSize/,
      ),
      expect.stringMatching(
        /^sms:rotateAfterDays: found "1", expected 0, or longer than secretOverlapHours: /,
      ),
    ]);
  });

  it.each([
    ['retentionDays', ['0', '-1', '3651', '1.5', '', ' 5', '1e3', 'NaN', null, true, [30], {}]],
    ['rotateAfterDays', [-1, 366, '1.5', 'never', null]],
    ['parkUnverified', ['', 'Always', 'never', true]],
    [
      'captureUntil',
      ['', 7, '2026-01-15', '2026-01-15T12:00:00-03:00', new Date(Date.now() + 8 * 86_400_000).toJSON()],
    ],
    [
      'queryRoleArn',
      [
        '',
        'reader',
        'arn:aws:iam::000000000000:user/reader',
        'arn:aws:iam::000000000000:role/team/',
        'arn:aws:sts::000000000000:assumed-role/reader/session',
        'arn:aws:iam::000000000000:role/aws-service-role/x.amazonaws.com/AWSServiceRoleForX',
        'arn:aws:iam::000000000000:role/aws-reserved/sso.amazonaws.com/AWSReservedSSO_x',
      ],
    ],
    ['logRetentionDays', [0, 2, 31, 9999, 'ONE_MONTH']],
    ['stackName', ['', 'a_b', 'a b', '-a', 'ä', 7]],
    ['apiKeySecretName', ['', 'a b', 'arn:aws:secretsmanager:us-east-1:000000000000:secret:key-AbCdEf']],
    ['serviceBaseUrl', ['', 'api.sms-service.example', 'ftp://sms-service.example']],
    ['alarmTopicArn', ['', 'arn:aws:sqs:us-east-1:000000000000:ops']],
    ['pageTopicArn', ['ops', 'arn:aws:sns:us-east-1:000000000000:ops']],
    ['runbookUrl', ['runbook.md', 'https://wiki.test/#page', `https://wiki.test/${'r'.repeat(256)}`]],
    [
      'domainName',
      [
        '',
        'localhost',
        'Sms.pipeline.test',
        '*.pipeline.test',
        'https://sms.pipeline.test',
        'sms.pipeline.test/hook',
        'sms.pipeline.test.',
        '-sms.test',
        '192.0.2.1',
        `${'a'.repeat(64)}.test`,
      ],
    ],
    [
      'certificateArn',
      [
        '',
        '0a1b2c3d',
        'arn:aws:iam::000000000000:server-certificate/sms',
        'arn:aws:acm::000000000000:certificate/a',
        'arn:aws:acm:us-east-1:000000000000:certificate/',
      ],
    ],
    [
      'mutualTlsTruststore',
      ['', 'trust', 's3://trust/', 's3://Trust/cas.pem', 's3://a..b/cas.pem', 'https://trust/cas.pem'],
    ],
    ['mutualTlsTruststoreVersion', ['', 'a b', 'v'.repeat(65)]],
    ['eventBusAccounts', ['', '1', '111111111111,', '111111111111;222222222222', 111111111111]],
    ['optOutListIds', ['', 'customers', '5f2b8a52-0a2f-4f2e-9d3a-3f6f7c1f9e10,customers']],
    ['contactListIds', ['customers', ['5f2b8a52-0a2f-4f2e-9d3a-3f6f7c1f9e10']]],
    [
      'forwardUrl',
      ['', 'receiver.test', 'ftp://receiver.test', 'http://receiver.test', 'http://127.0.0.1.receiver.test'],
    ],
    ['forwardDetailTypes', ['', 'SMS Reply', 'SMS Reply Received;SMS Opt-Out', 'sms opt-out']],
  ])('reject an invalid %s', (name, values) => {
    for (const value of values)
      expect(messageOf({ [`sms:${name}`]: value })).toContain(
        `sms:${name}: found ${value !== '' && name.endsWith('Url') ? 'something else' : JSON.stringify(value)}`,
      );
  });

  it.each([
    ['sms:retentoinDays', 'sms:retentionDays'],
    ['sms:RetentionDays', 'sms:retentionDays'],
    ['sms:batchSize', 'sms:workerBatchSize'],
    ['sms:alarmTopic', 'sms:alarmTopicArn'],
    ['sms:burst', 'sms:throttleBurst'],
  ])('suggest the nearest name for the unknown %s', (key, nearest) => {
    expect(messageOf({ [key]: '1' })).toContain(`${key}: no such setting, did you mean ${nearest}?`);
  });

  it('accept lists with commas, drop duplicates and ignore spaces', () => {
    const settings = readSettings({
      'sms:eventBusAccounts': '111111111111, 222222222222,111111111111',
      'sms:forwardDetailTypes': 'SMS Opt-Out , SMS Webhook Drifted',
    });
    expect(settings).toMatchObject({
      eventBusAccounts: ['111111111111', '222222222222'],
      forwardDetailTypes: ['SMS Opt-Out', 'SMS Webhook Drifted'],
    });
  });

  it.each(['https://receiver.test/a/b', 'http://127.0.0.1:9000/', 'http://localhost:9000/hook'])(
    'forward to %s',
    (url) => expect(readSettings({ 'sms:forwardUrl': url })).toMatchObject({ forwardUrl: url }),
  );

  it.each([
    'https://user:hidden@receiver.test/a',
    'https://hidden@receiver.test',
    'https://receiver.test/a?key=hidden',
    'https://receiver.test/a#hidden',
    'http://127.0.0.1:9000/?hidden',
    'http://receiver.test/hidden',
    'receiver.test/hook?key=hidden',
    '//receiver.test?key=hidden',
    'https:/receiver.test/x?key=hidden',
    'https://user:hid/den@receiver.test/x',
  ])('reject forwarding to %s without showing the URL', (url) => {
    const message = messageOf({ 'sms:forwardUrl': url });
    expect(message).toContain(
      'sms:forwardUrl: found something else (not shown: it may hold a key), expected ',
    );
    expect(message).not.toMatch(/hid|receiver\.test/);
  });

  it('reject forwarding of events that are not published', () => {
    const forward = { 'sms:forwardDetailTypes': 'SMS Delivery Event' };
    expect(messageOf({ ...forward, 'sms:billingWatch': 'maybe' })).toContain(
      'sms:forwardDetailTypes: found "SMS Delivery Event", expected published types only: "SMS Delivery Event" needs everyEvent "on"',
    );
    expect(readSettings({ ...forward, 'sms:everyEvent': 'on' }).forwardDetailTypes).toEqual([
      'SMS Delivery Event',
    ]);
  });

  it.each([
    [
      'certificateArn',
      { 'sms:domainName': 'sms.pipeline.test' },
      'found nothing, expected the ARN of an ACM certificate',
    ],
    [
      'domainName',
      { 'sms:certificateArn': customDomain['sms:certificateArn'] },
      'found nothing, expected the host name that certificateArn is for',
    ],
    [
      'mutualTlsTruststore',
      mutualTls,
      'found "s3://trust.pipeline.test/cas/service.pem", expected no value without',
    ],
    [
      'mutualTlsTruststoreVersion',
      { ...customDomain, 'sms:mutualTlsTruststoreVersion': 'v1' },
      'found "v1", expected no value without mutualTlsTruststore',
    ],
    [
      'pageTopicArn',
      { 'sms:pageTopicArn': changedSettings['sms:pageTopicArn'] },
      'found "arn:aws:sns:us-east-1:000000000000:pages", expected no value without alarmTopicArn',
    ],
    [
      'webhookAddress',
      { ...customDomain, ...mutualTls, 'sms:webhookAddress': 'api' },
      'found "api", expected "domain": mutualTlsTruststore disables the address of the API',
    ],
  ])(
    'report that %s conflicts with the others, also when another setting is invalid',
    (name, context, expected) => {
      expect(messageOf(context)).toContain(`sms:${name}: ${expected}`);
      const message = messageOf({ ...context, 'sms:retentionDays': 'ninety' });
      expect(message).toContain(`sms:${name}: ${expected}`);
      expect(message).toContain('sms:retentionDays: found "ninety"');
    },
  );

  const accounts = (count: number) =>
    Array.from({ length: count }, (_, index) => 100_000_000_000 + index).join(',');
  const url = (characters: number) => `https://receiver.test/${'u'.repeat(characters - 22)}`;
  const slow = { 'sms:workerTimeoutSeconds': 900, 'sms:workerBatchWindowSeconds': 300 };

  // Limits of Lambda's environment, of the bus's policy, of names, and of what a message may wait before it expires.
  it.each<[string, string | number, string | number, Record<string, number>, string]>([
    ['eventBusAccounts', accounts(50), accounts(51), {}, '12 digits each, at most 50,'],
    ['forwardUrl', url(2048), url(2049), {}, 'at most 2048 characters'],
    ['serviceBaseUrl', url(512), url(513), {}, 'at most 512 characters'],
    ['stackName', 'a'.repeat(128), 'a'.repeat(129), {}, 'at most 128 characters'],
    ['workerBatchSize', 10, 11, { 'sms:workerBatchWindowSeconds': 0 }, 'sms:workerBatchWindowSeconds'],
    ['maxReceiveCount', 212, 213, slow, 'sms:maxReceiveCount: found 213, expected fewer'],
    ['rotateAfterDays', 7, 6, { 'sms:secretOverlapHours': 144 }, 'longer than secretOverlapHours'],
    ['rotateAfterDays', 2, 1, { 'sms:secretOverlapHours': 24 }, 'longer than secretOverlapHours'],
    ['rotateAfterDays', 0, 7, { 'sms:secretOverlapHours': 168 }, 'longer than secretOverlapHours'],
  ])('have a limit: %s', (name, accepted, rejected, others, message) => {
    expect(() => readSettings({ ...others, [`sms:${name}`]: accepted })).not.toThrow();
    expect(messageOf({ ...others, [`sms:${name}`]: rejected })).toContain(message);
  });

  it('reject too few receives for parked requests to outlast an interrupted rotation', () => {
    expect(readSettings({ 'sms:maxReceiveCount': 13 }).maxReceiveCount).toBe(13);
    expect(messageOf({ 'sms:maxReceiveCount': 12 })).toContain(
      'from 13 to 1000: with fewer, parked requests go to the dead-letter queue before',
    );
    // As functions/receive/worker/work-batch.ts waits, in seconds, after each of thirteen receives.
    const waits = Array.from({ length: 13 }, (_, index) => Math.min(60, 2 ** (index + 1)));
    // Found dead by the schedule's last run before the mark is overdue, removed by the next one.
    const settledAfter = rotationLimitMs / 1000 + 5 * 60;
    expect(waits.reduce((sum, wait) => sum + wait)).toBeGreaterThan(settledAfter);
  });
});
