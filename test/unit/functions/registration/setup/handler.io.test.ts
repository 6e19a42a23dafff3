import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { encodeSignal } from '../../../../../functions/registration/setup/mismatch-signal.ts';
import { type SmsServiceSandbox, startSmsService } from '../../../../../local/sms-service/sandbox.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';
import { lambdaContext } from '../../../../../tools/support/lambda-events.ts';
import { answer, type ScriptedServer, startScriptedServer } from '../../base/sms-service/scripted-server.ts';
import { createPlayedAws, type PlayedAws } from './doubles/played-aws.ts';

const apiKey = 'the-api-key-of-the-test';
const apiKeySecret = 'sms-pipeline/api-key';
const webhookUrl = 'https://pipeline.example/webhooks/sms';
const written: string[] = [];

let sandbox: SmsServiceSandbox;
let endpoint: ScriptedServer;
let aws: PlayedAws;
let handler: (event: unknown, context: Context) => Promise<unknown>;

beforeAll(async () => {
  sandbox = await startSmsService({ port: 0, contract: shippedContract, apiKey });
  endpoint = await startScriptedServer({ 'POST /': [(...call) => aws.play(...call)] }, () => undefined);
  const environment = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint.url,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint.url,
    AWS_ENDPOINT_URL_EVENTBRIDGE: endpoint.url,
    POWERTOOLS_SERVICE_NAME: 'setup',
    POWERTOOLS_METRICS_NAMESPACE: 'SmsPipeline',
    POWERTOOLS_LOG_LEVEL: 'DEBUG',
    WEBHOOK_SECRET_ID: 'webhook-secret',
    WEBHOOK_STATE_TABLE_NAME: 'webhook-state',
    WEBHOOK_DRIFT: 'repair',
    ROTATE_AFTER_DAYS: '0',
    EVENT_BUS_NAME: 'events',
    PIPELINE_NAME: 'Sms',
    API_KEY_SECRET_ID: apiKeySecret,
    SMS_SERVICE_BASE_URL: sandbox.url,
    WEBHOOK_URL: webhookUrl,
    SECRET_OVERLAP_HOURS: '24',
    REGISTRATION: 'on',
    SOURCE: 'main',
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
  ({ handler } = await import('../../../../../functions/registration/setup/handler.ts'));
});

beforeEach(() => {
  aws = createPlayedAws();
  aws.createSecret(apiKeySecret);
  aws.createSecret('webhook-secret');
  written.length = 0;
});

afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await sandbox.close();
  await endpoint.close();
});

const context = { ...lambdaContext, getRemainingTimeInMillis: () => 60_000 };

it('registers, reports, reconciles and deactivates through the exported handler', async () => {
  aws.putSecret(apiKeySecret, apiKey);
  expect(await handler({ action: 'register' }, context)).toMatchObject({
    state: 'registered',
    secret: { stored: true },
  });
  expect(await handler({ action: 'status' }, context)).toMatchObject({ registeredUrl: webhookUrl });
  const change = { method: 'POST', body: JSON.stringify({ rotate: true }) };
  await fetch(`${sandbox.url}/sandbox/webhook`, change);
  expect(await handler({ action: 'reconcile' }, context)).toMatchObject({
    desiredState: 'registered',
    secret: { matchesService: true },
    lastReconcile: { failure: null },
  });
  expect(await handler({ action: 'rotate' }, context)).toMatchObject({ error: { kind: 'overlap' } });
  expect(await handler({ action: 'deactivate' }, context)).toMatchObject({ state: 'deactivated' });
  for (const said of ['SETUP-01', 'SETUP-11', 'WebhookDrifted', 'SETUP-03'])
    expect(written.join('')).toContain(said);
  expect(written.join('')).not.toContain('SETUP-14');
});

it('shows no key, token or secret in any answer, log line or answer to CloudFormation', async () => {
  const cloudFormation = await startScriptedServer({ 'PUT /answer': [answer(200)] }, () => undefined);
  const request = {
    StackId: 's',
    RequestId: 'r',
    LogicalResourceId: 'l',
    ResponseURL: `${cloudFormation.url}/answer?pre-signed`,
  };
  const signal = encodeSignal({ mismatches: 5, isBurst: true, isRotating: false });
  const events = [
    { action: 'status' },
    { action: 'register' },
    { ...request, RequestType: 'Create' },
    { ...request, RequestType: 'Delete' },
    { action: 'rotate' },
    { action: 'reconcile' },
    { Records: [{ eventSource: 'aws:sqs', body: signal }] },
  ];
  const said: unknown[] = [];
  for (const key of [undefined, 'a-wrong-api-key', apiKey]) {
    if (key !== undefined) aws.putSecret(apiKeySecret, key);
    for (const event of events) said.push(await handler(event, context));
  }
  const document = aws.secretText('webhook-secret');
  aws.putSecret('webhook-secret', document.replace('"version":1', '"version":2'));
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
