import { describe, expect, it } from 'vitest';
import { readSigningSecret } from '../../../functions/automations/forward/standard-webhook.ts';
import { compilePattern } from '../../../local/event-patterns/compile-pattern.ts';
import {
  changedSettings,
  everyFunction,
  functionNamed,
  isBelow,
  resource,
  resourcesOf,
  templateFor,
} from '../support/built-app.ts';

const automations = templateFor(everyFunction);
const queued = ['OptOut', 'ContactSync', 'FailureAlert', 'Forward'];
const consumers = ['opt-out', 'contact-sync', 'forward'] as const;

interface Rule {
  readonly EventPattern?: unknown;
  readonly EventBusName?: unknown;
  readonly ScheduleExpression?: string;
  readonly Targets: readonly Record<string, unknown>[];
}

const rulesOf = (prefix: string, template = automations) =>
  Object.entries(resourcesOf(template, 'AWS::Events::Rule'))
    .filter(([id]) => isBelow(id, prefix))
    .map(([, { Properties }]) => Properties as unknown as Rule);

const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
const queueOf = (prefix: string) => resource(automations, 'AWS::SQS::Queue', prefix);

describe('the pipeline', () => {
  it('has no resource of an automation by default', () => {
    const ids = Object.keys(templateFor().toJSON().Resources);
    expect(ids.filter((id) => id.startsWith('Automations'))).toEqual([]);
  });

  it.each([
    ['sms:optOutContacts', 'on', 1, 1],
    ['sms:contactSync', 'on', 1, 0],
    ['sms:failureAlert', 'on', 1, 1],
    ['sms:forwardUrl', 'https://receiver.test', 1, 0],
    ['sms:billingWatch', 'on', 1, 0],
    ['sms:deliveryWatch', 'on', 1, 0],
  ])('has only this automation with %s=%s', (setting, value, functions, topics) => {
    const added = (type: string) =>
      Object.keys(resourcesOf(templateFor({ [setting]: value }), type)).filter((id) =>
        id.startsWith('Automations'),
      );
    expect([added('AWS::Lambda::Function').length, added('AWS::SNS::Topic').length]).toEqual([
      functions,
      topics,
    ]);
  });
});

describe.each(queued)('%s', (name) => {
  const queue = queueOf(`${name}Queue`);
  const undelivered = queueOf(`${name}RulesUndelivered`);

  it('receives its events of the pipeline in its queue', () => {
    for (const rule of rulesOf(`${name}Rules`)) {
      expect(rule.EventPattern).toMatchObject({ source: ['sms.pipeline'] });
      expect(rule.EventBusName).toEqual({ Ref: resource(automations, 'AWS::Events::EventBus').id });
      expect(rule.Targets).toEqual([
        { Id: expect.any(String), Arn: arnOf(queue.id), DeadLetterConfig: { Arn: arnOf(undelivered.id) } },
      ]);
    }
  });

  it('loses no message: its queues have encryption, the longest retention, a dead-letter queue and alarms', () => {
    const deadLetters = queueOf(`${name}DeadLetters`);
    expect(queue.Properties.RedrivePolicy).toMatchObject({ deadLetterTargetArn: arnOf(deadLetters.id) });
    for (const { Properties } of [queue, undelivered, deadLetters])
      expect(Properties).toMatchObject({
        MessageRetentionPeriod: 14 * 24 * 3600,
        SqsManagedSseEnabled: true,
      });
    const watched = JSON.stringify(resourcesOf(automations, 'AWS::CloudWatch::Alarm'));
    const dimensions = (id: string) => [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [id, 'QueueName'] } }];
    for (const { id } of [undelivered, deadLetters])
      expect(watched).toContain(
        JSON.stringify({
          Dimensions: dimensions(id),
          MetricName: 'ApproximateNumberOfMessagesVisible',
        }).slice(1, -1),
      );
    expect(watched).toContain(
      JSON.stringify({
        Dimensions: dimensions(queue.id),
        EvaluationPeriods: 3,
        MetricName: 'ApproximateAgeOfOldestMessage',
      }).slice(1, -1),
    );
  });
});

describe('rules', () => {
  const wants = (prefix: string, event: unknown, context = {}) =>
    rulesOf(prefix, templateFor({ ...everyFunction, ...context })).filter(({ EventPattern }) =>
      compilePattern(EventPattern)(event),
    ).length;
  const event = (detailType: string, detail = {}) => ({
    source: 'sms.pipeline',
    'detail-type': detailType,
    detail: { pipeline: 'SmsPipeline', ...detail },
  });

  it.each([
    ['OptOut', event('SMS Opt-Out'), 1],
    ['OptOut', event('SMS Opt-In'), 1],
    ['OptOut', event('SMS Reply Received', { mayMeanStop: true }), 1],
    ['OptOut', event('SMS Reply Received', { mayMeanStop: false }), 0],
    ['ContactSync', event('SMS Reply Received', { mayMeanStop: false }), 1],
    ['ContactSync', event('SMS Reply Received', { mayMeanStop: false, keyword: 'help' }), 1],
    ['ContactSync', event('SMS Reply Received', { mayMeanStop: false, keyword: 'stop' }), 0],
    ['ContactSync', event('SMS Reply Received', { mayMeanStop: true }), 0],
    ['ContactSync', event('SMS Opt-Out'), 0],
    ['FailureAlert', event('SMS Delivery Status Changed', { outcome: 'failure' }), 1],
    ['FailureAlert', event('SMS Delivery Status Changed', { outcome: 'unknown' }), 0],
    ['FailureAlert', event('SMS Delivery Event', { outcome: 'failure' }), 0],
    ['Forward', event('SMS Opt-In'), 1],
    ['Forward', event('SMS Webhook Drifted'), 0],
    ['Forward', { ...event('SMS Opt-In'), source: 'another.source' }, 0],
    ['Forward', event('SMS Opt-In', { pipeline: 'Test' }), 0],
  ])('of %s match %o as many times: %i', (name, what, times) => {
    expect(wants(`${name}Rules`, what)).toBe(times);
  });

  it('forward the chosen detail types', () => {
    expect(wants('ForwardRules', event('SMS Webhook Drifted'), changedSettings)).toBe(1);
    expect(wants('ForwardRules', event('SMS Opt-In'), changedSettings)).toBe(0);
  });
});

describe('functions', () => {
  it.each(consumers)('%s reports each failed message, and gives it up long before SQS does', (name) => {
    const { id, Properties } = functionNamed(automations, `automations/${name}`);
    const mapping = Object.values(resourcesOf(automations, 'AWS::Lambda::EventSourceMapping')).find((other) =>
      JSON.stringify(other.Properties.FunctionName).includes(id),
    );
    expect(mapping?.Properties).toMatchObject({ FunctionResponseTypes: ['ReportBatchItemFailures'] });
    const { QUEUE_URL, DEAD_LETTER_QUEUE_URL } = (
      Properties.Environment as { Variables: Record<'QUEUE_URL' | 'DEAD_LETTER_QUEUE_URL', { Ref: string }> }
    ).Variables;
    expect(queueOf(QUEUE_URL.Ref).Properties.RedrivePolicy).toEqual({
      deadLetterTargetArn: arnOf(DEAD_LETTER_QUEUE_URL.Ref),
      maxReceiveCount: 1000,
    });
  });

  it.each([
    [5, 'rate(5 minutes)', 864],
    [15, 'rate(15 minutes)', 288],
    [60, 'rate(1 hour)', 72],
    [1440, 'rate(1 day)', 5],
  ])(
    'failure-alert every %i minutes receives what the previous run left, and retries for at least three days within the retention of SQS',
    (minutes, schedule, rounds) => {
      const template = templateFor({
        ...everyFunction,
        ...(minutes === 15 ? {} : { 'sms:failureAlertMinutes': minutes }),
      });
      const { ScheduleExpression } = resource(
        template,
        'AWS::Events::Rule',
        'FailureAlertSchedule',
      ).Properties;
      expect(ScheduleExpression).toBe(schedule);
      const queue = resource(template, 'AWS::SQS::Queue', 'FailureAlertQueue').Properties;
      const { Timeout } = functionNamed(template, 'automations/failure-alert').Properties;
      expect(queue.VisibilityTimeout).toBeGreaterThan(Number(Timeout));
      expect(queue.VisibilityTimeout).toBeLessThan(minutes * 60);
      expect(queue.RedrivePolicy).toMatchObject({ maxReceiveCount: rounds });
      expect(rounds * minutes).toBeGreaterThanOrEqual(3 * 24 * 60);
      expect(rounds * minutes * 60).toBeLessThan(Number(queue.MessageRetentionPeriod));
      expect(rounds).toBeLessThanOrEqual(1000);
    },
  );
});

describe('forwarding', () => {
  it('signs with a generated secret of 24 bytes', () => {
    const { GenerateSecretString } = resource(
      automations,
      'AWS::SecretsManager::Secret',
      'Forward',
    ).Properties;
    expect(GenerateSecretString).toEqual({
      SecretStringTemplate: '{}',
      GenerateStringKey: 'secret',
      PasswordLength: 32,
      ExcludePunctuation: true,
    });
    expect(readSigningSecret(JSON.stringify({ secret: 'a1B2'.repeat(8) }))).toBeDefined();
  });
});
