import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { templateFacts } from '../../../../../tools/bench/cost/template-facts.ts';

const functionOf = (service: string, MemorySize?: number) => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    MemorySize,
    Environment: { Variables: { POWERTOOLS_SERVICE_NAME: service } },
    LoggingConfig: { LogFormat: 'JSON', SystemLogLevel: 'WARN' },
  },
});
const mapping = (Properties: object) => ({ Type: 'AWS::Lambda::EventSourceMapping', Properties });
const bare = (name: string) => ({ Type: `AWS::${name}` });

it('the template facts list the billed resources of the templates', () => {
  const directory = mkdtempSync(join(tmpdir(), 'template-facts-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const write = (file: string, json: object) => writeFileSync(join(directory, file), JSON.stringify(json));
  const stack = (templateFile: string) => ({
    type: 'aws:cloudformation:stack',
    properties: { templateFile },
  });
  write('manifest.json', { artifacts: { one: stack('one.json'), other: stack('other.json') } });
  write('one.json', {
    Resources: {
      worker: functionOf('worker', 512),
      setup: functionOf('setup'),
      custom: { Type: 'AWS::Lambda::Function', Properties: { MemorySize: 1024 } },
      signals: mapping({ BatchSize: 10 }),
      events: mapping({ BatchSize: 100, MaximumBatchingWindowInSeconds: 1 }),
      stream: mapping({ BatchSize: 50, ParallelizationFactor: 2, StartingPosition: 'TRIM_HORIZON' }),
      hourly: { Type: 'AWS::Events::Rule', Properties: { ScheduleExpression: 'rate(1 hour)' } },
      daily: { Type: 'AWS::Events::Rule', Properties: { ScheduleExpression: 'cron(0 3 * * ? *)' } },
      pattern: { Type: 'AWS::Events::Rule', Properties: { EventPattern: {} } },
    },
  });
  write('other.json', {
    Resources: {
      ...{ a: bare('CloudWatch::Alarm'), b: bare('CloudWatch::Alarm'), c: bare('CloudWatch::Dashboard') },
      ...{ d: bare('SecretsManager::Secret'), e: bare('Events::Archive') },
      stage: { Type: 'AWS::ApiGatewayV2::Stage', Properties: { AccessLogSettings: { Format: 'line' } } },
    },
  });
  expect(templateFacts(directory)).toEqual({
    memory: { worker: 512, setup: 128 },
    ...{ logFormat: 'JSON', systemLogLevel: 'WARN', accessLogFormat: 'line' },
    worker: { batchSize: 100, windowSeconds: 1, parallelism: 1 },
    publisher: { batchSize: 50, windowSeconds: 0, parallelism: 2 },
    ...{ polledQueues: 2, alarms: 2, dashboards: 1, secrets: 1, archives: 1 },
    scheduledRunsPerMonth: 730 + 730 / 24,
  });
});
