import { describe, expect, it } from 'vitest';
import { detailSchemas } from '../../functions/core/bus/details.ts';
import { compilePattern } from '../../local/event-pattern/compile-pattern.ts';
import { flattened } from './allowed.ts';
import { functionNamed, type Resource, resource, resourcesOf, templatesFor } from './support.ts';

const { events, pipeline } = templatesFor();
const bus = resource(events, 'AWS::Events::EventBus');
const mapping = resource(events, 'AWS::Lambda::EventSourceMapping').Properties;

describe('the bus', () => {
  it('is told to the publisher, to setup and in outputs', () => {
    expect(functionNamed(events, 'publisher').Properties.Environment).toMatchObject({
      Variables: { EVENT_BUS_NAME: { Ref: bus.id }, EVERY_EVENT: 'off' },
    });
    expect(functionNamed(pipeline, 'setup').Properties.Environment).toMatchObject({
      Variables: { EVENT_BUS_NAME: { 'Fn::ImportValue': expect.stringContaining(bus.id) } },
    });
    const { EventBusName, EventBusArn, EventArchiveName, PublisherFailuresQueueUrl } =
      events.toJSON().Outputs;
    expect([EventBusName.Value, EventBusArn.Value]).toEqual([
      { Ref: bus.id },
      { 'Fn::GetAtt': [bus.id, 'Arn'] },
    ]);
    expect(EventArchiveName.Value).toEqual({ Ref: resource(events, 'AWS::Events::Archive').id });
    expect(PublisherFailuresQueueUrl.Value).toEqual({ Ref: resource(events, 'AWS::SQS::Queue').id });
  });

  it('keeps what the pipeline published for thirty days, and nothing else', () => {
    expect(resource(events, 'AWS::Events::Archive').Properties).toMatchObject({
      SourceArn: { 'Fn::GetAtt': [bus.id, 'Arn'] },
      EventPattern: { source: ['sms.pipeline'] },
      RetentionDays: 30,
    });
  });

  it('has an archive of as many days as eventArchiveDays says, or none', () => {
    const archives = (days: number) =>
      resourcesOf(templatesFor({ 'sms:eventArchiveDays': days }).events, 'AWS::Events::Archive');
    expect(Object.values(archives(7)).map(({ Properties }) => Properties.RetentionDays)).toEqual([7]);
    expect(archives(0)).toEqual({});
    expect(templatesFor({ 'sms:eventArchiveDays': 0 }).events.toJSON().Outputs).not.toHaveProperty(
      'EventArchiveName',
    );
  });
});

describe('other accounts', () => {
  const account = '111111111111';
  const policies = (accounts?: string) =>
    Object.values(
      resourcesOf(
        templatesFor(accounts ? { 'sms:eventBusAccounts': accounts } : {}).events,
        'AWS::Events::EventBusPolicy',
      ),
    ).map(({ Properties }) => Properties.Statement as Record<string, unknown>);

  it('may do nothing unless they are named', () => expect(policies()).toEqual([]));

  it('may make rules for events of the pipeline, and manage those they made', () => {
    const [make, manage, ...others] = policies(account);
    expect(others).toEqual([]);
    for (const statement of policies(account)) {
      expect(flattened((statement.Principal as { AWS: unknown }).AWS)).toMatch(/:iam::111111111111:root$/);
      expect(flattened(statement.Resource)).toMatch(/:rule\/Bus\w+\/\*$/);
      expect(statement).toMatchObject({
        Effect: 'Allow',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of IAM
        Condition: { StringEqualsIfExists: { 'events:creatorAccount': '${aws:PrincipalAccount}' } },
      });
    }
    expect(make).toMatchObject({
      Action: 'events:PutRule',
      Condition: { StringEquals: { 'events:source': 'sms.pipeline' } },
    });
    expect(manage?.Action).toEqual(
      [
        'DeleteRule',
        'DescribeRule',
        'DisableRule',
        'EnableRule',
        'ListTargetsByRule',
        'PutTargets',
        'RemoveTargets',
      ].map((call) => `events:${call}`),
    );
  });

  it('never may put events on the bus', () => {
    expect(policies('111111111111,222222222222')).toHaveLength(4);
    expect(JSON.stringify(policies('111111111111,222222222222'))).not.toMatch(/PutEvents|"Principal":"\*"/);
  });
});

describe('the stream of history', () => {
  it('is read from its beginning, in batches that are halved and tried again until the stream forgets them', () => {
    const failures = { 'Fn::GetAtt': [resource(events, 'AWS::SQS::Queue').id, 'Arn'] };
    expect(mapping).toEqual({
      EventSourceArn: { 'Fn::ImportValue': expect.stringMatching(/History\w+StreamArn/) },
      FunctionName: { Ref: functionNamed(events, 'publisher').id },
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 100,
      MaximumBatchingWindowInSeconds: 1,
      MaximumRecordAgeInSeconds: 23 * 3600,
      ParallelizationFactor: 2,
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      FilterCriteria: { Filters: [{ Pattern: expect.any(String) }] },
      DestinationConfig: { OnFailure: { Destination: failures } },
    });
  });

  it.each([['sms:publisherParallelism', 10, 'ParallelizationFactor']])(
    '%s reaches it',
    (setting, value, property) => {
      const template = templatesFor({ [setting]: value }).events;
      expect(resource(template, 'AWS::Lambda::EventSourceMapping').Properties[property]).toBe(value);
    },
  );

  it('everyEvent reaches the publisher', () => {
    const template = templatesFor({ 'sms:everyEvent': 'on' }).events;
    expect(functionNamed(template, 'publisher').Properties.Environment).toMatchObject({
      Variables: { EVERY_EVENT: 'on' },
    });
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
    ['REMOVE', 'message#m1', false],
    ['REMOVE', 'optout#+12025550143', false],
    ['INSERT', 'erasure#1', false],
    ['MODIFY', 'messages', false],
  ])('%s of %s wakes the publisher: %s', (eventName, pk, wakes) => {
    expect(isWanted(record(eventName, pk))).toBe(wakes);
  });
});

describe('schemas', () => {
  const schemas = (context = {}): Resource[] =>
    Object.values(resourcesOf(templatesFor(context).events, 'AWS::EventSchemas::Schema'));

  it('are in no registry unless they are wanted', () => expect(schemas()).toEqual([]));

  it('are those of the details, in the envelope of a bus, for each detail type', () => {
    const found = schemas({ 'sms:eventSchemaRegistry': 'on' });
    expect(found).toHaveLength(Object.keys(detailSchemas).length);
    for (const { Properties } of found) {
      expect(Properties).toMatchObject({
        Type: 'JSONSchemaDraft4',
        SchemaName: expect.stringMatching(/^sms\.pipeline@SMS[A-Za-z]+$/),
      });
      const { $schema, properties } = JSON.parse(String(Properties.Content));
      expect($schema).toBe('http://json-schema.org/draft-04/schema#');
      const [detailType] = properties['detail-type'].enum as (keyof typeof detailSchemas)[];
      const fields = detailType && Object.keys(detailSchemas[detailType].shape);
      expect(Object.keys(properties.detail.properties)).toEqual(fields);
    }
  });
});
