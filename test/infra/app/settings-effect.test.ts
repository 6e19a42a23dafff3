import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../lib/app/read-settings.ts';
import { functionNames } from '../../../lib/bundling/function-code.ts';
import { flattened } from '../support/allowed-actions.ts';
import {
  assemblyFor,
  changedSettings,
  environmentOf,
  everyFunction,
  functionNamed,
  resource,
  resourcesOf,
  templateFor,
} from '../support/built-app.ts';

const changed = templateFor(changedSettings);

describe('a setting has its documented effect', () => {
  it.each([
    ['retentionDays', 'worker', 'RETENTION_DAYS'],
    ['retentionDays', 'sweep', 'RETENTION_DAYS'],
    ['quarantineRetentionDays', 'worker', 'QUARANTINE_RETENTION_DAYS'],
    ['listShards', 'worker', 'LIST_SHARDS'],
    ['optOutsBySource', 'worker', 'OPT_OUTS_BY_SOURCE'],
    ['optOutsBySource', 'lookups', 'OPT_OUTS_BY_SOURCE'],
    ['listShards', 'query', 'LIST_SHARDS'],
    ['listShards', 'console', 'LIST_SHARDS'],
    ['listShards', 'sweep', 'LIST_SHARDS'],
    ['staleAfterHours', 'sweep', 'STALE_AFTER_HOURS'],
    ['secretOverlapHours', 'setup', 'SECRET_OVERLAP_HOURS'],
    ['rotateAfterDays', 'setup', 'ROTATE_AFTER_DAYS'],
    ['webhookDrift', 'setup', 'WEBHOOK_DRIFT'],
    ['captureUntil', 'ingest', 'CAPTURE_UNTIL'],
    ['parkUnverified', 'ingest', 'PARK_UNVERIFIED'],
    ['allowedSourceIps', 'ingest', 'ALLOWED_SOURCE_IPS'],
    ['serviceBaseUrl', 'setup', 'SMS_SERVICE_BASE_URL'],
    ['apiKeySecretName', 'setup', 'API_KEY_SECRET_ID'],
    ['everyEvent', 'publisher', 'EVERY_EVENT'],
    ['optOutListIds', 'automations/opt-out', 'OPT_OUT_LIST_IDS'],
    ['optInListIds', 'automations/opt-out', 'OPT_IN_LIST_IDS'],
    ['contactListIds', 'automations/contact-sync', 'CONTACT_LIST_IDS'],
    ['insightsRetentionDays', 'insights', 'RETENTION_DAYS'],
    ['insightsHourRetentionDays', 'insights', 'HOUR_RETENTION_DAYS'],
    ['failureAlertMinutes', 'automations/failure-alert', 'ALERT_PERIOD_MINUTES'],
    ['forwardUrl', 'automations/forward', 'FORWARD_URL'],
    ['consoleOidcGroupsClaim', 'query', 'GROUPS_CLAIM'],
  ] as const)('%s reaches %s as %s', (setting, name, variable) => {
    const value = String(changedSettings[`sms:${setting}`]);
    expect(environmentOf(name, changedSettings)[variable]).toBe(value);
    expect(environmentOf(name)[variable]).not.toBe(value);
  });

  it('staleAfterHours of 0 keeps the sweep, which lists pending messages', () => {
    const settings = { 'sms:staleAfterHours': 0 };
    expect(environmentOf('sweep', settings).STALE_AFTER_HOURS).toBe('0');
  });

  it('insights of off leave out the function, and keep its table', () => {
    const pipeline = templateFor({ 'sms:insights': 'off' });
    expect(Object.keys(resourcesOf(pipeline, 'AWS::Lambda::Function')).join()).not.toContain('Insights');
    expect(resource(pipeline, 'AWS::DynamoDB::Table', 'Insights').Properties).toBeDefined();
  });

  it('insights of off allow no deliveryWatch, which reads the counters', () => {
    expect(() => readSettings({ 'sms:insights': 'off', 'sms:deliveryWatch': 'on' })).toThrow(
      'sms:deliveryWatch: found "on", expected "off": it reads the counters of insights',
    );
  });

  it('exportRetentionDays is how long S3 keeps an export', () => {
    const bucket = resource(changed, 'AWS::S3::Bucket', 'Exports');
    expect(bucket.Properties.LifecycleConfiguration).toMatchObject({ Rules: [{ ExpirationInDays: 32 }] });
  });

  it('apiKeySecretName changes the permission too', () => {
    const policy = JSON.stringify(resource(changed, 'AWS::IAM::Policy', 'Setup').Properties);
    expect(policy).toContain(':secret:team/sms-key-??????');
    expect(policy).not.toContain('sms-pipeline/api-key');
  });

  it('worker settings reach its queue and event source mapping', () => {
    const pipeline = changed;
    expect(resource(pipeline, 'AWS::Lambda::EventSourceMapping', 'EventsWorker').Properties).toMatchObject({
      BatchSize: 500,
      MaximumBatchingWindowInSeconds: 5,
      ScalingConfig: { MaximumConcurrency: 7 },
    });
    expect(functionNamed(pipeline, 'worker').Properties.Timeout).toBe(30);
    expect(resource(pipeline, 'AWS::SQS::Queue', 'EventsQueue').Properties).toMatchObject({
      RedrivePolicy: { maxReceiveCount: 13 },
      // Six timeouts and a window.
      VisibilityTimeout: 185,
    });
  });

  it.each([
    'DynamoDB::Table',
    'Lambda::Function',
    'SQS::Queue',
    'Logs::LogGroup',
    'Events::EventBus',
    'SecretsManager::Secret',
  ])('tags are on each AWS::%s', (type) => {
    const tagsOf = (template: typeof changed) =>
      // The CDK makes a function of its own for the console's page, beside the pipeline.
      Object.entries(resourcesOf(template, `AWS::${type}`)).flatMap(([id, { Properties }]) =>
        /Custom|Upload/.test(id) ? [] : [Properties.Tags],
      );
    const all = tagsOf(changed);
    expect(all.length).toBeGreaterThan(0);
    for (const tags of all)
      expect(tags).toEqual(
        expect.arrayContaining([
          { Key: 'cost-center', Value: '12' },
          { Key: 'team', Value: 'shop' },
        ]),
      );
    expect(JSON.stringify(tagsOf(templateFor({})))).not.toContain('"team"');
  });

  it.each([
    ['team', 'a tag without a value'],
    ['aws:team=shop', 'a key of AWS'],
    ['team=shop,team=crm', 'a key twice'],
    ['te*am=shop', 'a character that AWS refuses'],
  ])('sms:tags of %s is refused: %s', (value) => {
    expect(() => readSettings({ 'sms:tags': value })).toThrow(/sms:tags: found .*, expected key=value/);
  });

  it('throttling settings reach the stage', () => {
    const { DefaultRouteSettings } = resource(changed, 'AWS::ApiGatewayV2::Stage', 'Api').Properties;
    expect(DefaultRouteSettings).toEqual({ ThrottlingRateLimit: 50, ThrottlingBurstLimit: 80 });
  });

  // The limit of a new account is 10, and Lambda refuses any reservation of it.
  it('no function reserves concurrency', () => {
    expect(JSON.stringify(templateFor(everyFunction).toJSON())).not.toContain('ReservedConcurrentExecutions');
  });

  it('logRetentionDays reaches every log group', () => {
    const logs = Object.values(resourcesOf(changed, 'AWS::Logs::LogGroup'));
    // With that of the CDK's function, which uploads the page of the console.
    expect(logs).toHaveLength(functionNames.length + 1);
    for (const { Properties } of logs) expect([7, 14]).toContain(Properties.RetentionInDays);
  });

  it('auditLogRetentionDays reaches the log groups that say who saw whole numbers, which are kept as the data is', () => {
    const logs = Object.entries(resourcesOf(changed, 'AWS::Logs::LogGroup'));
    const audits = logs.filter(([, { Properties }]) => Properties.RetentionInDays === 14);
    expect(audits.map(([id]) => id.replace(/Logs.*/, '')).sort()).toEqual([
      'ConsoleConsoleRequests',
      'Query',
    ]);
    const withData = Object.entries(resourcesOf(templateFor(everyFunction), 'AWS::Logs::LogGroup'));
    const kept = withData.filter(([, { DeletionPolicy }]) => DeletionPolicy === 'Retain');
    expect(kept.map(([id]) => id.replace(/Logs.*/, ''))).toEqual(['Query']);
  });

  describe('accessLog switched off', () => {
    const pipeline = changed;
    const ids = (type: string) => Object.keys(resourcesOf(pipeline, type)).join(' ');
    const alarm = (name: string) => resource(pipeline, 'AWS::CloudWatch::Alarm', `Ingest${name}`).Properties;

    it('removes the log with its metrics and alarms', () => {
      expect(resource(pipeline, 'AWS::ApiGatewayV2::Stage', 'Api').Properties).not.toHaveProperty(
        'AccessLogSettings',
      );
      expect(ids('AWS::Logs::LogGroup')).not.toContain('AccessLog');
      pipeline.resourceCountIs('AWS::Logs::MetricFilter', 0);
      expect(JSON.stringify(pipeline.toJSON())).not.toContain('"RequestsThrottled"');
      expect(ids('AWS::CloudWatch::Alarm')).toContain('IngestRequestsNotAccepted');
    });

    it('makes the alarm on 5xx watch all routes, as its description says', () => {
      const notAccepted = alarm('RequestsNotAccepted');
      expect(notAccepted).toMatchObject({ Namespace: 'AWS/ApiGateway', MetricName: '5xx' });
      expect(flattened(notAccepted.AlarmDescription)).toContain('The webhook or a query');
      const source = flattened(alarm('RejectedSource').AlarmDescription);
      expect(source).toContain('FIRST: Switch on logs.access');
    });
  });

  it('stackName names the stack, its bus and the namespace of the metrics', () => {
    const pipeline = templateFor({ 'sms:stackName': 'Team' });
    expect(assemblyFor({ 'sms:stackName': 'Team' }).stack.stackName).toBe('Team');
    expect(resource(pipeline, 'AWS::Events::EventBus').Properties.Name).toBe('Team');
    expect(functionNamed(pipeline, 'ingest').Properties.Environment).toMatchObject({
      Variables: { POWERTOOLS_METRICS_NAMESPACE: 'Team' },
    });
    expect(JSON.stringify(pipeline.toJSON())).not.toContain('"SmsPipeline');
  });
});
