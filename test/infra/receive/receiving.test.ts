import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { invocationLimitMs } from '../../../functions/registration/secret/secret-document.ts';
import { functionNames } from '../../../lib/bundling/function-code.ts';
import {
  constructOf,
  environmentOf,
  functionNamed,
  resource,
  resourcesOf,
  templateFor,
  templateOf,
} from '../support/built-app.ts';

const pipeline = templateFor();

describe('queues', () => {
  const queue = resource(pipeline, 'AWS::SQS::Queue', 'EventsQueue');
  const deadLetters = resource(pipeline, 'AWS::SQS::Queue', 'EventsDeadLetters');
  const signals = resource(pipeline, 'AWS::SQS::Queue', 'Signals');

  it.each([queue, deadLetters])(
    'have in $id the longest retention, encryption, and room for a 256 KiB body in base64',
    ({ Properties }) => {
      expect(Properties).toMatchObject({
        MessageRetentionPeriod: 14 * 24 * 3600,
        SqsManagedSseEnabled: true,
        MaximumMessageSize: 1024 * 1024,
      });
      expect(Properties).not.toHaveProperty('QueueName');
    },
  );

  it('keep a signal encrypted for five minutes, and hide it for longer, so that it is processed once', () => {
    expect(signals.Properties).toEqual({
      MessageRetentionPeriod: 300,
      SqsManagedSseEnabled: true,
      VisibilityTimeout: 540,
    });
    const setup = functionNamed(pipeline, 'setup').Properties;
    expect(Number(signals.Properties.VisibilityTimeout)).toBeGreaterThanOrEqual(6 * Number(setup.Timeout));
  });
});

describe('queues are read', () => {
  it('by the worker in batches that wait for a second at most, with partial failures', () => {
    expect(resource(pipeline, 'AWS::Lambda::EventSourceMapping', 'EventsWorker').Properties).toMatchObject({
      BatchSize: 6,
      MaximumBatchingWindowInSeconds: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
  });
});

describe('functions', () => {
  it.each(functionNames)(
    '%s runs on Node 24 and arm64, has its own log group with a retention, and the namespace and dimension of the alarms',
    (name) => {
      const template = templateOf(name);
      const { Properties } = functionNamed(template, name);
      const log = resource(template, 'AWS::Logs::LogGroup', constructOf[name]);
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        MemorySize: expect.any(Number),
        LoggingConfig: { LogGroup: { Ref: log.id } },
      });
      const isAudited = name === 'query' || name === 'console';
      expect(log.Properties).toEqual({ RetentionInDays: isAudited ? 400 : 30 });
      expect(Properties).not.toHaveProperty('FunctionName');
      // Without a namespace metrics are dropped in silence, and no alarm has anything to look at.
      expect(environmentOf(name)).toMatchObject({
        POWERTOOLS_METRICS_NAMESPACE: 'SmsPipeline',
        POWERTOOLS_SERVICE_NAME: posix.basename(name),
      });
    },
  );

  // An updated ingest parks requests that only an updated worker knows.
  it('ingest is updated after the worker', () => {
    expect(functionNamed(pipeline, 'ingest').DependsOn).toContain(functionNamed(pipeline, 'worker').id);
  });

  it('setup times out before the mark of its rotation expires, and before CloudFormation gives up', () => {
    const timeoutMs = Number(functionNamed(pipeline, 'setup').Properties.Timeout) * 1000;
    expect(timeoutMs).toBeLessThanOrEqual(invocationLimitMs);
    expect(timeoutMs).toBeLessThan(120_000);
  });

  it('setup receives a registration request only while CloudFormation waits for it', () => {
    pipeline.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: functionNamed(pipeline, 'setup').id },
      MaximumEventAgeInSeconds: 120,
    });
  });
});

describe('the HTTP API', () => {
  const stage = resource(pipeline, 'AWS::ApiGatewayV2::Stage').Properties;

  // Another API would have another URL, at which the SMS service sends nothing.
  it('and the resources of the webhook keep these logical ids', () => {
    expect(resource(pipeline, 'AWS::ApiGatewayV2::Api').id).toBe('ApiCD79AAA0');
    const idsOf = (type: string) => Object.keys(resourcesOf(pipeline, `AWS::ApiGatewayV2::${type}`));
    expect(idsOf('Route')).toEqual(['ApiANYv1proxyE2B9859C', 'ApiANYwebhookssms8718A7AA']);
    expect(idsOf('Integration')).toEqual([
      'ApiANYv1proxyIntegration86327EA5',
      'ApiANYwebhookssmsIntegrationCD25B0AF',
    ]);
  });

  // "Amazon API Gateway quotas", developer guide: 2,500 requests a second in bursts of 1,250 in the regions that have the least.
  it('throttles requests within the quota of an account in every region', () => {
    expect(stage).toMatchObject({
      StageName: '$default',
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 1000 },
    });
  });

  it('logs each request without fields that could contain a number, a text, a signature or a secret', () => {
    const { Format, DestinationArn } = stage.AccessLogSettings as { Format: string; DestinationArn: unknown };
    const log = resource(pipeline, 'AWS::Logs::LogGroup', 'ApiAccessLog');
    // The prefix keeps the name out of the resource policy of the account, which takes 5,120 characters of names ("Enable logging from
    // AWS services", CloudWatch Logs user guide).
    expect(log).toMatchObject({
      DeletionPolicy: 'Delete',
      UpdateReplacePolicy: 'Delete',
      Properties: { LogGroupName: '/aws/vendedlogs/SmsPipeline/access', RetentionInDays: 30 },
    });
    expect(DestinationArn).toEqual({ 'Fn::GetAtt': [log.id, 'Arn'] });
    const variables = Object.values<string>(JSON.parse(Format));
    expect(variables).toContain('$context.requestId');
    expect(variables).toContain('$context.status');
    // Headers (userAgent is one), bodies, paths and queries are not ours to log.
    for (const variable of variables)
      expect(variable).toMatch(
        /^\$context\.(requestId|routeKey|status|responseLatency|identity\.sourceIp|error\.responseType)$/,
      );
  });

  it('logs to its own group when an account has several pipelines', () => {
    const names = ['SmsTeam', 'Team', 'a'.repeat(111)].map((stackName) => {
      const template = templateFor({ 'sms:stackName': stackName });
      return String(resource(template, 'AWS::Logs::LogGroup', 'ApiAccessLog').Properties.LogGroupName);
    });
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[\w/.#-]{1,512}$/);
  });
});
