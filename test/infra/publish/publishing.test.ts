import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../../local/event-patterns/compile-pattern.ts';
import { flattened } from '../support/allowed-actions.ts';
import { changedSettings, functionNamed, resource, resourcesOf, templateFor } from '../support/built-app.ts';

const events = templateFor();
const changed = templateFor(changedSettings);
const bus = resource(events, 'AWS::Events::EventBus');
const mapping = resource(events, 'AWS::Lambda::EventSourceMapping', 'Publisher').Properties;

describe('the bus', () => {
  it('archives only the events of the pipeline, for thirty days', () => {
    expect(resource(events, 'AWS::Events::Archive').Properties).toMatchObject({
      SourceArn: { 'Fn::GetAtt': [bus.id, 'Arn'] },
      EventPattern: { source: ['sms.pipeline'] },
      RetentionDays: 30,
    });
  });

  it('has an archive for eventArchiveDays days, or none', () => {
    const { RetentionDays } = resource(changed, 'AWS::Events::Archive').Properties;
    expect(RetentionDays).toBe(9);
    const without = templateFor({ 'sms:eventArchiveDays': 0 });
    expect(resourcesOf(without, 'AWS::Events::Archive')).toEqual({});
    expect(without.toJSON().Outputs).not.toHaveProperty('EventArchiveName');
  });
});

it('only test messages of sms doctor reach its queue, which keeps them for minutes', () => {
  const queue = resource(events, 'AWS::SQS::Queue', 'Probe');
  const { EventPattern, Targets } = resource(events, 'AWS::Events::Rule', 'Probe').Properties;
  expect(Targets).toMatchObject([{ Arn: { 'Fn::GetAtt': [queue.id, 'Arn'] } }]);
  expect(queue.Properties.MessageRetentionPeriod).toBe(900);
  const matches = compilePattern(EventPattern);
  const about = (messageId: string) => ({
    source: 'sms.pipeline',
    'detail-type': 'SMS Delivery Status Changed',
    detail: { pipeline: 'SmsPipeline', messageId },
  });
  expect([matches(about('sms-doctor-1')), matches(about('msg-1'))]).toEqual([true, false]);
});

describe('other accounts', () => {
  const policies = (template = changed) =>
    Object.entries(resourcesOf(template, 'AWS::Events::EventBusPolicy')).map(
      ([id, { Properties, DependsOn }]) => ({
        id,
        statementId: Properties.StatementId,
        statement: Properties.Statement as Record<string, unknown>,
        after: [DependsOn ?? []].flat(),
      }),
    );
  const named = (name: string) => {
    const [only, ...others] = policies().filter(({ id }) => id.includes(name));
    expect(others).toEqual([]);
    return only;
  };

  it('have access only when they are named', () =>
    expect(resourcesOf(events, 'AWS::Events::EventBusPolicy')).toEqual({}));

  it('may manage only rules of the bus, and only their own rules', () => {
    for (const { statement, statementId } of policies()) {
      const { AWS } = statement.Principal as { AWS: unknown[] };
      expect(AWS.map(flattened)).toEqual([
        expect.stringMatching(/:iam::111111111111:root$/),
        expect.stringMatching(/:iam::222222222222:root$/),
      ]);
      expect(flattened(statement.Resource)).toMatch(/:rule\/PublishBus\w+\/\*$/);
      expect(statement).toMatchObject({
        Sid: statementId,
        Effect: 'Allow',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of IAM
        Condition: { StringEqualsIfExists: { 'events:creatorAccount': '${aws:PrincipalAccount}' } },
      });
    }
  });

  it('may create rules only for events of the pipeline', () => {
    expect(named('MakeRules')?.statement).toMatchObject({
      Action: 'events:PutRule',
      Condition: {
        'ForAllValues:StringEquals': { 'events:source': ['sms.pipeline'] },
        // Else a pattern without a source would do.
        Null: { 'events:source': 'false' },
      },
    });
  });

  it('may not put events on the bus', () => {
    expect(policies()).toHaveLength(2);
    expect(JSON.stringify(policies())).not.toMatch(/PutEvents|"Principal":"\*"/);
  });

  it('get their statements one after the other, because a bus rejects concurrent changes', () => {
    expect(named('MakeRules')?.after).toEqual([]);
    expect(named('ManageRules')?.after).toEqual([named('MakeRules')?.id]);
  });

  it('get statements with other names in a second pipeline of the account', () => {
    const accounts = { 'sms:eventBusAccounts': '111111111111,222222222222' };
    const names = ['Team', 'a'.repeat(111)]
      .map((stackName) => templateFor({ ...accounts, 'sms:stackName': stackName }))
      .flatMap((template) => [...policies(template), ...policies()])
      .map(({ statementId }) => String(statementId));
    expect(new Set(names).size).toBe(6);
    for (const name of names) expect(name).toMatch(/^[\w-]{1,64}$/);
  });
});

describe('the stream of history', () => {
  it('is read from its beginning, in batches that wait for nothing, are halved and retried until the records expire', () => {
    const failures = { 'Fn::GetAtt': [resource(events, 'AWS::SQS::Queue', 'PublisherFailures').id, 'Arn'] };
    expect(mapping).toMatchObject({
      FunctionName: { Ref: functionNamed(events, 'publisher').id },
      StartingPosition: 'TRIM_HORIZON',
      MaximumBatchingWindowInSeconds: 0,
      MaximumRecordAgeInSeconds: 23 * 3600,
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      DestinationConfig: { OnFailure: { Destination: failures } },
    });
    expect(mapping).not.toHaveProperty('MaximumRetryAttempts');
  });

  const { Filters } = mapping.FilterCriteria as { Filters: [{ Pattern: string }] };
  const isWanted = compilePattern(JSON.parse(Filters[0].Pattern));
  const record = (eventName: string, pk: string) => ({
    eventName,
    eventSource: 'aws:dynamodb',
    dynamodb: { Keys: { pk: { S: pk } }, NewImage: { pk: { S: pk } }, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  });

  it.each([
    ['INSERT', 'message#m1', true],
    ['MODIFY', 'message#m1', true],
    ['MODIFY', 'reply#r1', true],
    ['INSERT', 'optout#+12025550143', true],
    ['INSERT', 'drift#2026-01-15', true],
    ['MODIFY', 'drift#2026-01-15', true],
    ['REMOVE', 'message#m1', false],
    ['REMOVE', 'optout#+12025550143', false],
    ['REMOVE', 'drift#2026-01-15', false],
    ['INSERT', 'erasure#1', false],
    ['MODIFY', 'messages', false],
  ])('%s of %s wakes the publisher: %s', (eventName, pk, wakes) => {
    expect(isWanted(record(eventName, pk))).toBe(wakes);
  });
});
