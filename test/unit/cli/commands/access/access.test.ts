import { expect, it } from 'vitest';
import type { Judgement, Principals } from '../../../../../cli/target/stack/principals.ts';
import { commandLine } from '../../support/harness.ts';

const outputs = {
  EventBusArn: 'arn:aws:events:eu-west-1:000000000000:event-bus/sms',
  EventBusName: 'sms',
  ApiId: 'abc123',
  HistoryTableName: 'history',
  QuarantineTableName: 'quarantine',
  EventsQueueUrl: 'https://sqs.eu-west-1.amazonaws.com/000000000000/events',
  QueryFunctionName: 'query',
  SetupFunctionName: 'setup',
  BackupLookupFunctionName: 'backup-lookups',
  InsightsTableName: 'insights',
  AuditLogGroupName: 'audit',
  AuditLogRetentionDays: '400',
};

const stream = 'arn:aws:dynamodb:eu-west-1:000000000000:table/history/stream/2026-01-15T12:00:00.000';

/** What each principal may do, as `action on the end of a resource`. */
const may: Readonly<Record<string, readonly (readonly [string, string, Judgement['decision']])[]>> = {
  'role/Analyst': [['dynamodb:Query', 'table/history/index/byNumber', 'allowed']],
  'role/Archive': [['s3:GetObject', 'bucket/history/day=2026-01-15/AWSDynamoDB/data/any', 'allowed']],
  'role/Checker': [['dynamodb:ConditionCheckItem', 'table/history', 'allowed']],
  'role/Consumer': [['dynamodb:GetRecords', stream, 'allowed']],
  'role/Deployer': [['lambda:InvokeFunction', 'function:setup:$LATEST', 'allowed']],
  'role/Counter': [['dynamodb:Query', 'table/insights/index/bySendTime', 'allowed']],
  'role/Lookups': [['lambda:InvokeFunction', 'function:backup-lookups', 'allowed']],
  'role/Replicator': [['dynamodb:CreateTableReplica', 'table/history', 'allowed']],
  'role/Search': [['execute-api:Invoke', '$default/POST/v1/search', 'allowed']],
  'role/Streamer': [['dynamodb:EnableKinesisStreamingDestination', 'table/history', 'allowed']],
  'role/Support': [['execute-api:Invoke', 'GET/v1/messages/any', 'allowed']],
  'role/Targets': [['events:PutTargets', 'rule/sms/any', 'allowed']],
  'role/Writer': [['dynamodb:UpdateItem', 'table/quarantine', 'allowed']],
  'user/ann': [
    ['sqs:ReceiveMessage', ':events', 'condition'],
    ['sqs:ReceiveMessage', 'table/history', 'allowed'],
    ['dynamodb:Query', 'table/history', 'denied'],
  ],
};

const principals: Principals = {
  list: async () => Object.keys(may).map((name) => ({ arn: `arn:aws:iam::000000000000:${name}`, name })),
  judge: async ({ name }, actions, resources) =>
    (may[name] ?? []).flatMap(([action, end, decision]) =>
      actions.includes(action)
        ? resources.flatMap((resource) => (resource.endsWith(end) ? [{ action, resource, decision }] : []))
        : [],
    ),
};

const teamBus = 'arn:aws:events:eu-west-1:222222222222:event-bus/team';

const access = (more: object, ...args: string[]) =>
  commandLine({
    connection: {
      outputs: async () => ({ ...outputs, ...more }),
      streamArns: async () => [stream],
      principals: async () => principals,
      busRules: async () => ({
        rules: async () =>
          ['opt-out', 'of-a-team'].map((name) => ({ name, arn: name, enabled: name === 'of-a-team' })),
        targets: async (name) => (name === 'opt-out' ? [] : [teamBus]),
      }),
    },
  }).sms('access', ...args);

it('each way names who may go it, and what it leaves behind', async () => {
  const { code, out } = await access({ ConsoleUrl: 'https://console.test', ConsoleUserPoolId: 'pool' });
  expect(code).toBe(0);
  expect(out).toContain(
    'query API: history and quarantine\n  trace: a line QUERY-02 in audit, for 400 days\n  role/Search\n  role/Support\n',
  );
  expect(out).toMatch(
    /^tables: .*\n {2}trace: none, unless a trail .*\n {2}role\/Analyst\n {2}role\/Checker\n {2}role\/Consumer\n {2}role\/Replicator\n {2}role\/Streamer\n {2}role\/Writer\n\n/m,
  );
  expect(out).toMatch(/^function setup: .*\n.*\n {2}role\/Deployer\n\n/m);
  expect(out).toMatch(/^function lookups: .*\n.*\n {2}role\/Lookups\n\n/m);
  expect(out).toMatch(/^table of insights: .*\n.*\n {2}role\/Counter\n\n/m);
  expect(out).toMatch(/^queues: .*\n.*\n {2}user\/ann \(under a condition\)\n\n/m);
  expect(out).toMatch(/^bus: .*\n.*\n {2}role\/Targets\n/m);
  expect(out).toMatch(/^function query: .*\n.*\n {2}no role and no user\n/m);
  expect(out).toContain(
    `rules of the bus: each may hand whole events to its targets\n  opt-out (disabled)\n    no target\n  of-a-team\n    ${teamBus}\n`,
  );
  expect(out).toContain('list-users-in-group --user-pool-id pool --group-name support');
  expect(out).not.toContain('exports');
});

it('a bucket of exports is a way, and there is no line about a console that does not exist', async () => {
  const { out } = await access({ ExportBucketName: 'bucket' }, '--json');
  const { ways, rules, console } = JSON.parse(out);
  expect(rules).toContainEqual({ rule: 'of-a-team', enabled: true, targets: [teamBus] });
  expect(ways.at(-1)).toMatchObject({
    way: 'exports',
    who: [{ principal: 'role/Archive', decision: 'allowed' }],
  });
  expect(console).toBeNull();
});

it('a stack of a former version is refused', async () => {
  const { code, err } = await access({ AuditLogGroupName: undefined });
  expect([code, err]).toEqual([1, expect.stringContaining('deploy this one')]);
});

it('on one machine there are no roles', async () => {
  expect(await access({}, '--local')).toMatchObject({
    code: 2,
    err: expect.stringContaining('while it runs, each user of the machine can see all of it'),
  });
});
