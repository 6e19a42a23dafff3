import { describe, expect, it } from 'vitest';
import {
  allAutomations,
  analysisTemplate,
  type constructOf,
  functionNamed,
  registrationTemplate,
  resource,
  resourcesOf,
  templatesFor,
} from '../support/built-app.ts';

const variablesOf = (context: Record<string, unknown>, name: keyof typeof constructOf) =>
  functionNamed(templatesFor(context).pipeline, name).Properties.Environment;

describe('a setting has its documented effect', () => {
  it.each([
    ['retentionDays', 'worker', 'RETENTION_DAYS', '30'],
    ['quarantineRetentionDays', 'worker', 'QUARANTINE_RETENTION_DAYS', '7'],
    ['worklistShards', 'worker', 'WORKLIST_SHARDS', '4'],
    ['worklistShards', 'query', 'WORKLIST_SHARDS', '4'],
    ['worklistShards', 'sweep', 'WORKLIST_SHARDS', '4'],
    ['retentionDays', 'sweep', 'RETENTION_DAYS', '30'],
    ['staleAfterHours', 'sweep', 'STALE_AFTER_HOURS', '24'],
    ['secretOverlapHours', 'setup', 'SECRET_OVERLAP_HOURS', '48'],
    ['rotateAfterDays', 'setup', 'ROTATE_AFTER_DAYS', '90'],
    ['webhookDrift', 'setup', 'WEBHOOK_DRIFT', 'report'],
    ['captureUntil', 'ingest', 'CAPTURE_UNTIL', '2026-01-15T12:00:00Z'],
    ['captureUntil', 'setup', 'CAPTURE_UNTIL', '2026-01-15T12:00:00Z'],
    ['parkUnverified', 'ingest', 'PARK_UNVERIFIED', 'always'],
    ['allowedSourceIps', 'ingest', 'ALLOWED_SOURCE_IPS', '192.0.2.0/24,2001:db8::/32'],
    ['serviceBaseUrl', 'setup', 'SMS_SERVICE_BASE_URL', 'http://127.0.0.1:4001'],
    ['apiKeySecretName', 'setup', 'API_KEY_SECRET_ID', 'team/sms-key'],
  ] as const)('%s reaches %s as %s', (setting, name, variable, value) => {
    expect(variablesOf({ [`sms:${setting}`]: value }, name)).toMatchObject({
      Variables: { [variable]: value },
    });
  });

  it('worklistShards is in an output, for readers that do not use the query API', () => {
    expect(templatesFor({ 'sms:worklistShards': 4 }).pipeline.toJSON().Outputs.WorklistShards.Value).toBe(
      '4',
    );
  });

  it('staleAfterHours is in the description of the alarm of the sweep', () => {
    const { pipeline } = templatesFor({ 'sms:staleAfterHours': 24 });
    expect(
      resource(pipeline, 'AWS::CloudWatch::Alarm', 'SweepSweepErrors').Properties.AlarmDescription,
    ).toContain('for more than 24 hours');
  });

  it.each([0, '0'])('staleAfterHours of %o removes the sweep and all its resources', (hours) => {
    const { pipeline } = templatesFor({ 'sms:staleAfterHours': hours });
    expect(JSON.stringify(pipeline.toJSON())).not.toMatch(/sweep/i);
    pipeline.resourceCountIs('AWS::Events::Rule', 1);
  });

  it.each([{}, { 'sms:exportToS3': 'off', 'sms:exportRetentionDays': 30 }])(
    'exportToS3 creates a stack only when it is on: %o',
    (context) => expect(templatesFor(context).analysis).toBeUndefined(),
  );

  it('exportRetentionDays is how long S3 keeps an export', () => {
    const { LifecycleConfiguration } = resource(
      analysisTemplate({ 'sms:exportRetentionDays': '30' }),
      'AWS::S3::Bucket',
    ).Properties;
    expect(LifecycleConfiguration).toMatchObject({ Rules: [{ ExpirationInDays: 30 }] });
  });

  it('apiKeySecretName changes the permission too', () => {
    const { pipeline } = templatesFor({ 'sms:apiKeySecretName': 'team/sms-key' });
    const policy = JSON.stringify(resource(pipeline, 'AWS::IAM::Policy', 'Setup').Properties);
    expect(policy).toContain(':secret:team/sms-key-??????');
    expect(policy).not.toContain('sms-pipeline/api-key');
  });

  it('worker settings reach its queue and event source mapping', () => {
    const { pipeline } = templatesFor({
      'sms:workerBatchSize': '500',
      'sms:workerBatchWindowSeconds': '5',
      'sms:workerMaximumConcurrency': '7',
      'sms:workerTimeoutSeconds': '30',
      'sms:maxReceiveCount': '13',
    });
    expect(resource(pipeline, 'AWS::Lambda::EventSourceMapping', 'EventsWorker').Properties).toMatchObject({
      BatchSize: 500,
      MaximumBatchingWindowInSeconds: 5,
      ScalingConfig: { MaximumConcurrency: 7 },
    });
    expect(functionNamed(pipeline, 'worker').Properties.Timeout).toBe(30);
    expect(resource(pipeline, 'AWS::SQS::Queue', 'EventsQueue').Properties).toMatchObject({
      RedrivePolicy: { maxReceiveCount: 13 },
      VisibilityTimeout: 185,
    });
  });

  it('throttling settings reach the stage', () => {
    const { pipeline } = templatesFor({ 'sms:throttleRatePerSecond': '50', 'sms:throttleBurst': '80' });
    expect(resource(pipeline, 'AWS::ApiGatewayV2::Stage').Properties.DefaultRouteSettings).toEqual({
      ThrottlingRateLimit: 50,
      ThrottlingBurstLimit: 80,
    });
  });

  it.each([
    ['queryReservedConcurrency', 'query'],
    ['ingestReservedConcurrency', 'ingest'],
  ] as const)('%s is the reserved concurrency of %s, and of no other function', (setting, name) => {
    const { pipeline } = templatesFor({ [`sms:${setting}`]: '10' });
    const reserved = Object.entries(resourcesOf(pipeline, 'AWS::Lambda::Function')).flatMap(
      ([id, { Properties }]) =>
        Properties.ReservedConcurrentExecutions === undefined
          ? []
          : [[id, Properties.ReservedConcurrentExecutions]],
    );
    expect(reserved).toEqual([[functionNamed(pipeline, name).id, 10]]);
  });

  // The limit of a new account is 10, and Lambda refuses any reservation of it.
  it('no stack reserves concurrency by default', () => {
    const context = { ...allAutomations, 'sms:exportToS3': 'daily' };
    for (const settings of [context, { ...context, 'sms:queryReservedConcurrency': 0 }])
      for (const template of Object.values(templatesFor(settings)))
        expect(JSON.stringify(template?.toJSON())).not.toContain('ReservedConcurrentExecutions');
  });

  it.each([
    [
      'SetupWebhookDrifted',
      'IMPACT: The pipeline repairs it;',
      'IMPACT: The pipeline leaves it as it is (sms:webhookDrift):',
    ],
    [
      'IngestRequestsRejected',
      'finds and stores a secret that was rotated elsewhere.',
      'does not store a secret that was rotated elsewhere (sms:webhookDrift): until an operator acts,',
    ],
  ])('webhookDrift changes how the alarm %s describes a drift', (alarm, repaired, reported) => {
    const textWith = (webhookDrift: string) =>
      resource(templatesFor({ 'sms:webhookDrift': webhookDrift }).pipeline, 'AWS::CloudWatch::Alarm', alarm)
        .Properties.AlarmDescription;
    expect(textWith('repair')).toContain(repaired);
    expect(textWith('repair')).not.toContain(reported);
    expect(textWith('report')).toContain(reported);
    expect(textWith('report')).not.toContain(repaired);
  });

  it('logRetentionDays reaches every log group', () => {
    const { pipeline } = templatesFor({ 'sms:logRetentionDays': '7' });
    const logs = Object.values(resourcesOf(pipeline, 'AWS::Logs::LogGroup'));
    expect(logs.map(({ Properties }) => Properties.RetentionInDays)).toEqual([7, 7, 7, 7, 7, 7]);
    const { Properties } = resource(analysisTemplate({ 'sms:logRetentionDays': '7' }), 'AWS::Logs::LogGroup');
    expect(Properties.RetentionInDays).toBe(7);
  });

  describe('accessLog switched off', () => {
    const { pipeline } = templatesFor({ 'sms:accessLog': 'off', 'sms:allowedSourceIps': '192.0.2.0/24' });
    const ids = (type: string) => Object.keys(resourcesOf(pipeline, type)).join(' ');
    const alarm = (name: string) => resource(pipeline, 'AWS::CloudWatch::Alarm', `Ingest${name}`).Properties;

    it('removes the log with its metrics and alarms', () => {
      expect(resource(pipeline, 'AWS::ApiGatewayV2::Stage').Properties).not.toHaveProperty(
        'AccessLogSettings',
      );
      expect(ids('AWS::Logs::LogGroup')).not.toContain('AccessLog');
      pipeline.resourceCountIs('AWS::Logs::MetricFilter', 0);
      expect(ids('AWS::CloudWatch::Alarm')).not.toContain('RequestsThrottled');
      expect(JSON.stringify(pipeline.toJSON())).not.toContain('"RequestsThrottled"');
      expect(ids('AWS::CloudWatch::Alarm')).toContain('IngestServerErrors');
    });

    it('makes the alarm on 5xx watch all routes, as its description says', () => {
      expect(alarm('ServerErrors')).toMatchObject({
        Namespace: 'AWS/ApiGateway',
        MetricName: '5xx',
        Dimensions: [
          { Name: 'ApiId', Value: { Ref: 'WebhookApi427E2EB3' } },
          { Name: 'Stage', Value: '$default' },
        ],
        Statistic: 'Sum',
        Period: 60,
        Threshold: 1,
      });
      expect(alarm('ServerErrors').AlarmDescription).toContain('The webhook or a query');
      expect(alarm('RejectedSource').AlarmDescription).toContain('FIRST: Switch on sms:accessLog');
    });
  });

  it('stackPrefix names the stacks and the namespace of the metrics', () => {
    const { pipeline } = templatesFor({ 'sms:stackPrefix': 'Team' });
    const registration = registrationTemplate({ 'sms:stackPrefix': 'Team' });
    expect(functionNamed(pipeline, 'ingest').Properties.Environment).toMatchObject({
      Variables: { POWERTOOLS_METRICS_NAMESPACE: 'Team' },
    });
    expect(JSON.stringify(registration.toJSON())).toContain('Team-Pipeline:');
    expect(JSON.stringify(registration.toJSON())).not.toContain('SmsPipeline');
  });
});
