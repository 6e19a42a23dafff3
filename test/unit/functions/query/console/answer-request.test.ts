import { describe, expect, it } from 'vitest';
import type { HealthView } from '../../../../../functions/query/api/views/console-schemas.ts';
import { createAnswerRequest } from '../../../../../functions/query/console/answer-request.ts';
import type { QuarantinedEntry } from '../../../../../functions/receive/quarantine/quarantine.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';
import { httpApiEvent } from '../../../../../tools/support/lambda-events.ts';
import { memoryQuarantine } from '../../../../support/fakes/quarantine.ts';

const id = '2026-01-15T11:00:00.000Z#req-1#body';

const health: HealthView = {
  checkedAt: '2026-01-15T12:00:00.000Z',
  healthy: true,
  checks: [],
  webhook: null,
  queues: null,
  deadLetters: null,
  alarms: null,
  contractDrift: null,
};

function consoleWith(raw = JSON.stringify(shippedContract.samples[0]?.body), fails = false) {
  const receivedAt = '2026-01-15T11:00:00.000Z';
  const stored: QuarantinedEntry = {
    id,
    reason: 'storage-refused',
    receivedAt,
    requestId: 'req-1',
    raw: Buffer.from(raw),
  };
  const quarantine = memoryQuarantine([stored]);
  const sent: string[] = [];
  const lines: unknown[] = [];
  const answer = createAnswerRequest({
    health: async () => {
      if (fails) throw new TypeError('broken');
      return health;
    },
    replay: {
      source: 'main',
      contract: shippedContract,
      quarantine,
      requeue: { send: async ({ requestId }) => void sent.push(requestId), remove: quarantine.remove },
    },
    groupsClaim: 'cognito:groups',
    log: (name, fields) => void lines.push([name, fields]),
  });
  const ask = async (role: string, path: string, body?: string) => {
    const event = httpApiEvent({ method: body === undefined ? 'GET' : 'POST', ...(body && { body }) });
    const claims = { sub: 'user-1', 'cognito:groups': `[${role}]` };
    const payload = Buffer.from(JSON.stringify({ sub: 'user-1', 'cognito:groups': [role] })).toString(
      'base64url',
    );
    const headers = { authorization: `Bearer e30.${payload}.c2ln` };
    const requestContext = { ...event.requestContext, authorizer: { jwt: { claims, scopes: [] } } };
    const { statusCode, body: text = '{}' } = await answer({
      ...event,
      headers,
      rawPath: path,
      requestContext,
    });
    return { status: statusCode, json: JSON.parse(text) };
  };
  return { ask, sent, lines, quarantine };
}

const replayOf = (entry: string) => `/v1/quarantine/${entry}/replay`;

describe('a request of the deployed console', () => {
  it('replays an entry for an operator, and logs who asked', async () => {
    const { ask, sent, lines, quarantine } = consoleWith();
    expect(await ask('operator', replayOf(id), '{}')).toEqual({
      status: 200,
      json: { outcome: 'sent', why: null },
    });
    expect([sent, quarantine.entries()]).toEqual([['req-1~body'], []]);
    expect(lines).toEqual([
      ['REPLAY_REQUESTED', { person: 'user-1', user: 'user-1', entry: id, outcome: 'sent' }],
    ]);
  });

  it('replays nothing for another group', async () => {
    const { ask, sent, lines } = consoleWith();
    for (const role of ['viewer', 'support'])
      expect(await ask(role, replayOf(id), '{}')).toMatchObject({
        status: 403,
        json: { type: 'urn:sms-event-pipeline:problem:not-permitted' },
      });
    expect([sent, lines]).toEqual([[], []]);
  });

  it('says why an entry stays', async () => {
    const { ask, sent } = consoleWith('{}');
    expect((await ask('operator', replayOf(id), '{}')).json).toMatchObject({ outcome: 'unreadable' });
    expect(sent).toEqual([]);
  });

  it('explains an unknown entry, a wrong body and a path that cannot be read, and logs no text of the caller', async () => {
    const { ask, lines } = consoleWith();
    expect((await ask('operator', replayOf('+12025550143'), '{}')).status).toBe(404);
    expect((await ask('operator', replayOf(id), '{"force":true}')).status).toBe(400);
    expect((await ask('operator', replayOf('%zz'), '{}')).status).toBe(400);
    expect((await ask('operator', '/v1/other')).status).toBe(404);
    expect(JSON.stringify(lines)).not.toContain('2025550143');
  });

  it('answers the health for every group, and for no other user', async () => {
    const { ask } = consoleWith();
    for (const role of ['viewer', 'support', 'operator'])
      expect(await ask(role, '/v1/health')).toEqual({ status: 200, json: health });
    expect((await ask('other', '/v1/health')).status).toBe(403);
  });

  it('logs what failed, and shows nothing of it', async () => {
    const { ask, lines } = consoleWith(undefined, true);
    const { status, json } = await ask('viewer', '/v1/health');
    expect([status, JSON.stringify(json).includes('TypeError')]).toEqual([500, false]);
    expect(lines).toEqual([['CONSOLE_FAILED', { error: 'TypeError' }]]);
  });
});
