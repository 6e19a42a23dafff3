import { describe, expect, it } from 'vitest';
import { allowed, list, statementsOf } from '../support/allowed-actions.ts';
import {
  automationsTemplate,
  constructOf,
  resource,
  resourcesOf,
  templateOf,
  templatesFor,
} from '../support/built-app.ts';

const { events } = templatesFor();
const automations = automationsTemplate();

const logs = (name: keyof typeof constructOf) => {
  const { id } = resource(templateOf(name), 'AWS::Logs::LogGroup', constructOf[name]);
  return [`logs:CreateLogStream on ${id}`, `logs:PutLogEvents on ${id}`];
};
const reads = (queue: string) => {
  const { id } = resource(automations, 'AWS::SQS::Queue', `${queue}Queue`);
  return ['ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].map(
    (call) => `sqs:${call} on ${id}`,
  );
};
const givesUp = (queue: string) =>
  `sqs:SendMessage on ${resource(automations, 'AWS::SQS::Queue', `${queue}DeadLetters`).id}`;
const apiKey = 'secretsmanager:GetSecretValue on :secret:sms-pipeline/api-key-??????';
const putEvents = expect.stringMatching(/^events:PutEvents on Bus\w+$/);
const publish = `sns:Publish on ${resource(automations, 'AWS::SNS::Topic').id}`;

describe('roles', () => {
  it('the publisher may read the stream, put events on the bus and keep failures', () => {
    const stream = expect.stringMatching(/ on History\w+StreamArn\w+$/);
    expect(allowed('publisher')).toEqual([
      ...Array.from({ length: 4 }, () => stream),
      putEvents,
      ...logs('publisher'),
      `sqs:SendMessage on ${resource(events, 'AWS::SQS::Queue').id}`,
    ]);
    expect(allowed('publisher').flatMap((line) => line.match(/dynamodb:\w+/) ?? [])).toEqual(
      ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map((call) => `dynamodb:${call}`),
    );
  });

  it('opt-out may read items of history and the API key, publish notices, receive from its queue and send to its dead-letter queue', () => {
    expect(allowed('automations/opt-out')).toEqual([
      expect.stringMatching(/^dynamodb:GetItem on History\w+$/),
      ...logs('automations/opt-out'),
      apiKey,
      publish,
      ...reads('OptOut'),
      givesUp('OptOut'),
    ]);
  });

  it('contact-sync may read the API key, write its own table, receive from its queue and send to its dead-letter queue', () => {
    const { id } = resource(automations, 'AWS::DynamoDB::Table');
    expect(allowed('automations/contact-sync')).toEqual([
      ...['DeleteItem', 'UpdateItem'].map((call) => `dynamodb:${call} on ${id}`),
      ...logs('automations/contact-sync'),
      apiKey,
      ...reads('ContactSync'),
      givesUp('ContactSync'),
    ]);
  });

  it('failure-alert may publish notices and empty its queue', () => {
    const { id } = resource(automations, 'AWS::SQS::Queue', 'FailureAlertQueue');
    expect(allowed('automations/failure-alert')).toEqual([
      ...logs('automations/failure-alert'),
      publish,
      `sqs:DeleteMessage on ${id}`,
      `sqs:ReceiveMessage on ${id}`,
    ]);
  });

  it('forward may read its signing secret, receive from its queue and send to its dead-letter queue', () => {
    expect(allowed('automations/forward')).toEqual([
      ...logs('automations/forward'),
      `secretsmanager:GetSecretValue on ${resource(automations, 'AWS::SecretsManager::Secret').id}`,
      ...reads('Forward'),
      givesUp('Forward'),
    ]);
  });

  it('billing-watch may read the API key and put events on the bus', () => {
    expect(allowed('automations/billing-watch')).toEqual([
      putEvents,
      ...logs('automations/billing-watch'),
      apiKey,
    ]);
  });

  it.each([events, automations])(
    'belong to one function each, can be assumed by Lambda only, and contain no wildcard',
    (template) => {
      const roles = Object.values(resourcesOf(template, 'AWS::IAM::Role'));
      expect(roles).toHaveLength(Object.keys(resourcesOf(template, 'AWS::Lambda::Function')).length);
      for (const { Properties } of roles)
        expect(Object.keys(Properties)).toEqual(['AssumeRolePolicyDocument']);
      for (const policy of Object.values(resourcesOf(template, 'AWS::IAM::Policy')))
        for (const { Effect, Action, Resource } of statementsOf(policy)) {
          expect(Effect).toBe('Allow');
          for (const action of list(Action)) expect(action).toMatch(/^[a-z]+:[A-Za-z]+$/);
          expect(JSON.stringify(Resource)).not.toContain('*');
        }
    },
  );
});
