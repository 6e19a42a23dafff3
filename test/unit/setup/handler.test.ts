import type { Context } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type SmsServiceSandbox, startSmsService } from '../../../local/sms-service/start.ts';
import { shippedContract } from '../../support/contracts.ts';
import {
  answer,
  type RecordedRequest,
  type ScriptedServer,
  type Step,
  startScriptedServer,
} from '../adapters/sms-service/scripted-server.ts';

const apiKey = 'the-api-key-of-the-test';
const webhookUrl = 'https://pipeline.example/webhooks/sms';
const written: string[] = [];
const secrets = new Map<string, string>();

let sandbox: SmsServiceSandbox;
let secretsManager: ScriptedServer;
let handler: (event: unknown, context: Context) => Promise<unknown>;

/** Secrets Manager, as much of it as setup uses. */
const playSecretsManager: Step = (request, ...rest) => {
  const { SecretId = '', SecretString } = parse(request);
  if (SecretString !== undefined) secrets.set(SecretId, SecretString);
  const value = secrets.get(SecretId);
  const step =
    value === undefined
      ? answer(400, { __type: 'ResourceNotFoundException', message: '' })
      : answer(200, { SecretString: value });
  step(request, ...rest);
};

function parse({ body }: RecordedRequest): Partial<Record<'SecretId' | 'SecretString', string>> {
  return JSON.parse(body);
}

beforeAll(async () => {
  sandbox = await startSmsService({ port: 0, contract: shippedContract, apiKey });
  secretsManager = await startScriptedServer({ 'POST /': [playSecretsManager] }, () => undefined);
  const environment = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager.url,
    POWERTOOLS_SERVICE_NAME: 'setup',
    POWERTOOLS_METRICS_NAMESPACE: 'SmsPipeline',
    POWERTOOLS_LOG_LEVEL: 'DEBUG',
    WEBHOOK_SECRET_ID: 'webhook-secret',
    API_KEY_SECRET_ID: 'sms-pipeline/api-key',
    SMS_SERVICE_BASE_URL: sandbox.url,
    WEBHOOK_URL: webhookUrl,
    SECRET_OVERLAP_HOURS: '24',
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
  ({ handler } = await import('../../../functions/setup/handler.ts'));
});

afterEach(() => {
  secrets.clear();
  written.length = 0;
});

afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await sandbox.close();
  await secretsManager.close();
});

const context: Context = {
  awsRequestId: 'request-1',
  functionName: 'setup',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:setup',
  memoryLimitInMB: '256',
  logGroupName: 'setup',
  logStreamName: 'setup',
  callbackWaitsForEmptyEventLoop: false,
  getRemainingTimeInMillis: () => 60_000,
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
};

it('registers, reports and deactivates through the exported handler', async () => {
  secrets.set('sms-pipeline/api-key', apiKey);
  expect(await handler({ action: 'register' }, context)).toMatchObject({
    state: 'registered',
    secret: { stored: true },
  });
  expect(await handler({ action: 'status' }, context)).toMatchObject({ registeredUrl: webhookUrl });
  expect(await handler({ action: 'deactivate' }, context)).toMatchObject({ state: 'deactivated' });
  expect(written.join('')).toContain('SETUP-01');
});

it('says how to create the API key', async () => {
  expect(await handler({ action: 'status' }, context)).toMatchObject({
    error: { kind: 'api-key-missing', message: expect.stringContaining('aws secretsmanager create-secret') },
  });
});

it('shows no key, token or secret in any answer, log line or answer to CloudFormation', async () => {
  const cloudFormation = await startScriptedServer({ 'PUT /answer': [answer(200)] }, () => undefined);
  const request = {
    StackId: 's',
    RequestId: 'r',
    LogicalResourceId: 'l',
    ResponseURL: `${cloudFormation.url}/answer?pre-signed`,
  };
  const events = [
    { action: 'status' },
    { action: 'register' },
    { ...request, RequestType: 'Create' },
    { ...request, RequestType: 'Delete' },
    { action: 'rotate' },
  ];
  const said: unknown[] = [];
  for (const key of [undefined, 'a-wrong-api-key', apiKey]) {
    if (key !== undefined) secrets.set('sms-pipeline/api-key', key);
    for (const event of events) said.push(await handler(event, context));
  }
  const document = secrets.get('webhook-secret') ?? '';
  secrets.set('webhook-secret', document.replace('"version":1', '"version":2'));
  for (const event of events) said.push(await handler(event, context));

  const everything =
    JSON.stringify([said, cloudFormation.requests.map(({ body }) => body)]) + written.join('');
  expect(document).toContain('whsec_');
  expect(everything).toContain('version: expected 1');
  expect(everything).toContain('SETUP-05');
  expect(everything).not.toMatch(/whsec_|sandbox-token-|pre-signed/);
  expect(everything).not.toContain(apiKey);
  expect(everything).not.toContain('a-wrong-api-key');
  await cloudFormation.close();
});
