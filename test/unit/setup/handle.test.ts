import { describe, expect, it } from 'vitest';
import { handle } from '../../../functions/setup/handle.ts';
import { answer } from '../adapters/sms-service/scripted-server.ts';
import { startScriptedSetup, startSetup, webhookUrl } from './setup-under-test.ts';

const minute = 60_000;

describe('direct invocation', () => {
  it('answers with the report', async () => {
    const { ports } = await startSetup();
    expect(await handle({ action: 'register' }, minute, ports)).toEqual({
      webhookUrl,
      registeredUrl: webhookUrl,
      state: 'registered',
      secret: {
        stored: true,
        matchesService: true,
        since: '2026-01-15T12:00:00.000Z',
        previousValidUntil: null,
      },
    });
  });

  it('answers with the error', async () => {
    const { ports } = await startScriptedSetup({ 'GET /v1/account/webhook': [answer(403, 'no')] });
    expect(await handle({ action: 'status' }, minute, ports)).toEqual({
      error: { kind: 'refused', message: 'read webhook: the SMS service answered 403 (refused): no' },
    });
  });

  it.each([
    [undefined],
    [null],
    ['status'],
    [{}],
    [{ action: 'rotate' }],
    [{ action: ['status'] }],
    [{ RequestType: 'Create' }],
  ])('says what it understands instead of %j', async (event) => {
    const { ports, server } = await startScriptedSetup({});
    expect(await handle(event, minute, ports)).toEqual({
      error: {
        kind: 'unknown-action',
        message: 'Expected {"action": "status" | "register" | "deactivate"}',
      },
    });
    expect(server.requests).toEqual([]);
  });
});

describe('custom resource', () => {
  const request = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Registration' };

  it('registers, answers at the address it was given, and returns nothing', async () => {
    const { ports } = await startSetup();
    const cloudFormation = await startScriptedSetup({ 'PUT /answer': [answer(200)] });
    const event = { ...request, RequestType: 'Create', ResponseURL: `${cloudFormation.server.url}/answer` };
    expect(await handle(event, minute, ports)).toBeUndefined();
    expect(JSON.parse(cloudFormation.server.requests[0]?.body ?? '')).toMatchObject({
      Status: 'SUCCESS',
      Data: { RegisteredUrl: webhookUrl },
    });
  });

  it('does not let the rollback of a failed Create fail as well', async () => {
    const { ports, server } = await startScriptedSetup({ 'PUT /answer': [answer(200)] });
    const message = 'Create it: aws secretsmanager create-secret --name x --secret-string <key>';
    const readApiKey = async () => ({ ok: false, kind: 'api-key-missing', message }) as const;
    const event = { ...request, ResponseURL: `${server.url}/answer` };
    await handle({ ...event, RequestType: 'Create' }, minute, { ...ports, readApiKey });
    await handle({ ...event, RequestType: 'Delete', PhysicalResourceId: 'sms-webhook' }, minute, {
      ...ports,
      readApiKey,
    });
    expect(server.requests.map(({ body }): unknown => JSON.parse(body))).toEqual([
      { Status: 'FAILED', Reason: message, ...request, PhysicalResourceId: 'sms-webhook' },
      { Status: 'SUCCESS', ...request, PhysicalResourceId: 'sms-webhook' },
    ]);
  });
});
