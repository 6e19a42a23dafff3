import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createConnect, localEndpoint } from '../../../../cli/target/connection.ts';
import { contractHash } from '../../../../contract/events/body.ts';
import { shippedContract } from '../../../../tools/support/contracts.ts';
import { commandLine } from '../support/harness.ts';
import { type Answer, type Received, startServer } from '../support/server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const directory = temporaryDirectory();

/** Makes a command line for a pipeline whose webhook is at a port. */
function pipelineAt(port: number) {
  const project = join(directory, String(port));
  mkdirSync(join(project, '.local'), { recursive: true });
  const outputs = {
    SmsPipeline: {
      HistoryTableName: 'history',
      QuarantineTableName: 'quarantine',
      InsightsTableName: 'insights',
      WebhookSecretId: 'secret-id',
      EventBusName: 'bus',
      WebhookUrl: `http://127.0.0.1:${port}/webhooks/sms`,
      SetupFunctionName: 'setup',
      ListShards: '2',
      Registration: 'off',
      SecretOverlapHours: '24',
      ContractHash: contractHash(shippedContract),
    },
  };
  writeFileSync(join(project, '.local', 'outputs.json'), JSON.stringify(outputs));
  return commandLine({ connect: createConnect(project) });
}

/** Makes a command line whose service at `offset` from the webhook's port gives this answer. */
async function pipelineWith(offset: number, answer: Answer) {
  const received: Received[] = [];
  const { port } = await startServer((request) => {
    received.push(request);
    return answer;
  });
  return { received, ...pipelineAt(port - offset) };
}

const lambda = 4;
const secretsManager = 4;
const dynamoDb = 2;

describe('invokeSetup', () => {
  it.each([
    ['{"errorType": "TypeError", "errorMessage": "whsec_x"}', 'failed: TypeError.'],
    ['{"errorMessage": "Task timed out"}', 'it may have run out of time'],
    ['no JSON', 'it may have run out of time'],
  ])('reports a failure with %s without its message', async (body, line) => {
    const { sms } = await pipelineWith(lambda, { body, headers: { 'x-amz-function-error': 'Unhandled' } });
    const { code, out, err } = await sms('webhook', 'status', '--local', '--json');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(line);
    expect(err).toContain('.local/logs/setup.log');
    expect(err).not.toContain('whsec');
  });

  it('passes the action, and never retries', async () => {
    const { sms, received } = await pipelineWith(lambda, { status: 500, body: '{"message": "broken"}' });
    expect((await sms('webhook', 'reconcile', '--local')).code).toBe(1);
    expect(received).toMatchObject([
      { path: '/2015-03-31/functions/setup/invocations', body: '{"action":"reconcile"}' },
    ]);
  });
});

describe('the webhook secret', () => {
  const type = 'application/x-amz-json-1.1';

  it('without a value asks for a registration', async () => {
    const body = '{"__type": "ResourceNotFoundException", "message": "no value"}';
    const { sms, received } = await pipelineWith(secretsManager, { status: 400, body, type });
    expect((await sms('webhook', 'test', '--local')).err).toContain('webhook register');
    expect(received).toMatchObject([{ body: '{"SecretId":"secret-id"}' }]);
  });

  it.each(['whsec_x', '{"version": 1, "current": {"secret": "whsec_x", "since": "soon"}}'])(
    'in another format is reported and not shown: %s',
    async (text) => {
      const { sms } = await pipelineWith(secretsManager, {
        body: JSON.stringify({ SecretString: text }),
        type,
      });
      const { code, err } = await sms('webhook', 'test', '--local');
      expect(code).toBe(1);
      expect(err).toContain("The webhook's secret is not in the pipeline's format");
      expect(err).not.toContain('whsec');
    },
  );
});

describe('a secret that is stored', () => {
  const path = join(directory, 'secret.txt');
  writeFileSync(path, 'whsec_Zmlyc3Q=\n');
  const storeSecret = ['webhook', 'store-secret', '--secret-file', path, '--local'];

  it('is written as a document to the secret that the outputs name', async () => {
    const calls: string[] = [];
    const { port } = await startServer(({ headers, body }) => {
      const call = String(headers['x-amz-target']);
      calls.push(call);
      if (call.endsWith('GetSecretValue'))
        return {
          status: 400,
          type: 'application/x-amz-json-1.1',
          body: '{"__type": "ResourceNotFoundException"}',
        };
      const { SecretId, SecretString } = JSON.parse(body);
      expect([SecretId, JSON.parse(SecretString)]).toEqual([
        'secret-id',
        { version: 1, current: { secret: 'whsec_Zmlyc3Q=', since: '2026-01-15T12:00:00.000Z' } },
      ]);
      return { body: '{"VersionId": "v1", "VersionStages": ["AWSCURRENT"]}' };
    });
    const { code, err } = await pipelineAt(port - secretsManager).sms(...storeSecret);
    expect([code, err]).toEqual([0, '']);
    expect(calls).toEqual(['secretsmanager.GetSecretValue', 'secretsmanager.PutSecretValue']);
  });
});

describe('the history', () => {
  const type = 'application/x-amz-json-1.0';

  it('reads lists from as many keys as the writers use', async () => {
    const { sms, received } = await pipelineWith(dynamoDb, { body: '{"Items": []}', type });
    expect((await sms('message', 'list', '--state', 'pending', '--local')).code).toBe(0);
    const asked = received.map(({ body }) => JSON.parse(body));
    const ofIndex = asked.filter(({ IndexName }) => IndexName === 'byList');
    const keys = ofIndex.map(({ ExpressionAttributeValues }) => ExpressionAttributeValues[':partition'].S);
    expect(keys.sort()).toEqual(['pending', 'pending#1']);
  });

  it('explains that nothing runs when the database does not answer', async () => {
    const closed = 1;
    const { code, out, err } = await pipelineAt(closed).sms('message', 'get', 'm', '--local', '--json');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^error: Nothing answers at 127\.0\.0\.1:3 \(ECONNREFUSED\)\. .*npm start\n$/);
  });
});

it('replays of a bus without an archive are rejected, with the setting that creates one', async () => {
  const args = ['--since', '2h', '--until', '1h', '--rule', 'mine', '--local'];
  const { code, err } = await pipelineAt(1).sms('events', 'replay', ...args);
  expect(code).toBe(1);
  expect(err).toMatch(/^error: The event bus has no archive.*sms:eventArchiveDays/);
});

describe('the deployed pipeline', () => {
  const output = ([key, value]: readonly string[]) =>
    `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`;
  const stackXml = (outputs: Readonly<Record<string, string>>) =>
    `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>n</StackName><CreationTime>2026-01-15T12:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${Object.entries(outputs).map(output).join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;

  it('is found by the outputs of its stack in the region of the command line', async () => {
    const received: Received[] = [];
    const cloudFormation = await startServer((request) => {
      received.push(request);
      return {
        type: 'text/xml',
        body: stackXml({
          HistoryTableName: 'deployed-table',
          ListShards: '2',
        }),
      };
    });
    const dynamo = await startServer((request) => {
      received.push(request);
      return { type: 'application/x-amz-json-1.0', body: '{}' };
    });
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'any');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'any');
    vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFORMATION', cloudFormation.url);
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', dynamo.url);
    const { sms } = commandLine({ connect: createConnect(directory) });
    const { err } = await sms('message', 'get', 'm', '--region', 'sa-east-1', '--stack', 'Mine');
    expect(err).toContain('No message "m"');
    expect(received[0]?.body).toMatch(/&StackName=Mine$/);
    expect(received[0]?.headers.authorization).toContain('/sa-east-1/cloudformation/');
    expect(received[1]?.body).toContain('"TableName":"deployed-table"');
    expect(received[1]?.headers.authorization).toContain('/sa-east-1/dynamodb/');
  });
});

it.each([
  ['insights'],
  ['message', 'list'],
  ['reply', 'list'],
  ['send', 'list'],
  ['opt-out', 'list'],
  ['quarantine', 'list'],
  ['message', 'export', '--since', '1h', '--jsonl'],
  ['number', 'show', '+12025550143'],
])('%s %s refuses a source that does not exist, and names those that do', async (...args) => {
  const { code, out, err } = await pipelineAt(1).sms(...args, '--source', 'third', '--local');
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain('The pipeline has no source third; --source names one of main.');
});

it('recounts figures only where the settings of insights are deployed', async () => {
  const { code, err } = await pipelineAt(1).sms('insights', 'verify', '--local');
  expect(code).toBe(1);
  expect(err).toMatch(/has no output InsightsRetentionDays\. Start the pipeline/);
});

describe('localEndpoint', () => {
  it('counts ports from the port of the webhook', () => {
    expect(localEndpoint('http://127.0.0.1:4200/webhooks/sms', 2)).toBe('http://127.0.0.1:4202');
  });

  it.each(['', 'no url', 'https://api.example.test/webhooks/sms'])(
    'fails for a URL without a port: %j',
    (url) => {
      expect(() => localEndpoint(url, 2)).toThrow('npm start');
    },
  );
});
