import { describe, expect, it } from 'vitest';
import { createVerifier } from '../../../../contract/signature/verify.ts';
import { shippedContract } from '../../../../tools/support/contracts.ts';
import { until } from '../../../../tools/support/until.ts';
import { startReceiver, startSandbox } from './sandbox-under-test.ts';

const webhookPath = '/v1/account/webhook';
const url = 'https://a.example/';
const off = {
  answerDelayMs: 0,
  applyDelayMs: 0,
  dropAnswers: 0,
  failAnswers: 0,
  refuse: null,
  refuseReads: null,
  oldSecretForMs: 0,
};

type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

const setFaults = ({ call }: Sandbox, faults: unknown) => call('PUT', '/sandbox/faults', faults);
const rotate = ({ authorized }: Sandbox) => authorized('PUT', webhookPath, { url, rotate_secret: true });

async function shown({ call }: Sandbox): Promise<{ url: string; hasSecret: boolean; rotations: number }> {
  const { json } = await call('GET', '/sandbox/state');
  return Object(json).webhook;
}

/** A sandbox whose webhook is defined, with a sleep that lasts until the test ends it. */
async function startRegistered(options: Parameters<typeof startSandbox>[0] = {}) {
  const sleeps: { ms: number; end: (value?: unknown) => void }[] = [];
  const sleep = (ms: number) => new Promise((end) => sleeps.push({ ms, end }));
  const sandbox = await startSandbox({ sleep, ...options });
  const { json } = await sandbox.authorized('PUT', webhookPath, { url });
  return { sandbox, sleeps, secret: String(Object(json).secret) };
}

describe('the faults', () => {
  it('are off, are replaced as a whole, and are shown with the calls that are left', async () => {
    const { sandbox } = await startRegistered();
    expect((await sandbox.call('GET', '/sandbox/faults')).json).toEqual(off);
    const refuse = { status: 429, calls: 2 };
    const settings = { refuse, failAnswers: 1, oldSecretForMs: 5_000 };
    const set = await setFaults(sandbox, settings);
    expect(set).toMatchObject({ status: 200 });
    expect(set.json).toEqual({ ...off, ...settings, refuse: { ...refuse, retryAfterSeconds: null } });
    await rotate(sandbox);
    expect((await sandbox.call('GET', '/sandbox/faults')).json).toMatchObject({ refuse: { calls: 1 } });
    expect((await setFaults(sandbox, { dropAnswers: 3 })).json).toEqual({ ...off, dropAnswers: 3 });
    expect((await setFaults(sandbox, {})).json).toEqual(off);
  });

  it.each([
    ['no json', '', ['$']],
    ['an unknown fault', { dropAnswer: 1 }, ['dropAnswer']],
    [
      'values out of bounds',
      { answerDelayMs: -1, dropAnswers: 1.5, refuse: { status: 418, calls: -1, retryAfterSeconds: 'soon' } },
      ['answerDelayMs', 'dropAnswers', 'refuse.status', 'refuse.calls', 'refuse.retryAfterSeconds'],
    ],
  ])('are kept, with 422 as answer, for %s', async (_, body, paths) => {
    const { sandbox } = await startRegistered();
    await setFaults(sandbox, { dropAnswers: 1 });
    expect(await setFaults(sandbox, body)).toMatchObject({
      status: 422,
      json: {
        error: {
          name: 'ValidationError',
          problems: paths.map((path) => ({ path, message: expect.any(String) })),
        },
      },
    });
    expect((await sandbox.call('GET', '/sandbox/faults')).json).toEqual({ ...off, dropAnswers: 1 });
  });
});

describe('rejected calls', () => {
  it.each([
    [429, 'TooManyRequests', undefined, null],
    [429, 'TooManyRequests', 7, '7'],
    [422, 'ValidationError', undefined, null],
    [500, 'InternalServerError', undefined, null],
    [503, 'ServiceUnavailable', 0, '0'],
  ])(
    'get %i %s with Retry-After %s, as often as set, and change nothing',
    async (status, name, retryAfterSeconds, header) => {
      const { sandbox, secret } = await startRegistered();
      await setFaults(sandbox, { refuse: { status, calls: 2, retryAfterSeconds } });
      for (let call = 0; call < 2; call++) {
        const refused = await rotate(sandbox);
        expect(refused).toMatchObject({ status, json: { error: { name, message: expect.any(String) } } });
        expect(refused.headers.get('retry-after')).toBe(header);
      }
      expect((await sandbox.authorized('GET', webhookPath)).json).toEqual({ url, secret });
      expect((await rotate(sandbox)).status).toBe(200);
    },
  );

  it('are only those of "read webhook" if the fault is restricted to it', async () => {
    const { sandbox } = await startRegistered();
    await setFaults(sandbox, { refuseReads: { status: 503, calls: 1 } });
    expect((await rotate(sandbox)).status).toBe(200);
    expect((await sandbox.authorized('GET', webhookPath)).status).toBe(503);
    expect((await sandbox.authorized('GET', webhookPath)).status).toBe(200);
  });

  it('do not count against the quota, which still applies', async () => {
    const { sandbox } = await startRegistered({ clock: () => 0 });
    await setFaults(sandbox, { refuse: { status: 500, calls: 5 } });
    for (let call = 0; call < 5; call++) await rotate(sandbox);
    const statuses: number[] = [];
    for (let call = 0; call < 10; call++) statuses.push((await rotate(sandbox)).status);
    // One call of the quota went to defining the webhook.
    expect(statuses).toEqual([...Array<number>(9).fill(200), 429]);
  });

  it('are all calls with a token from before the tokens expired', async () => {
    const { sandbox } = await startRegistered();
    const headers = { authorization: `Bearer ${await sandbox.exchange()}` };
    expect((await setFaults(sandbox, { expireTokens: true })).json).toEqual(off);
    expect((await sandbox.call('GET', webhookPath, undefined, headers)).status).toBe(401);
    expect((await sandbox.authorized('GET', webhookPath)).status).toBe(200);
    expect((await sandbox.authorized('GET', webhookPath)).status).toBe(200);
  });
});

describe('changes with an answer fault', () => {
  it('are applied at once and answered late', async () => {
    const { sandbox, sleeps } = await startRegistered();
    await setFaults(sandbox, { answerDelayMs: 4_000 });
    const answer = rotate(sandbox);
    await until('it is applied', async () => (await shown(sandbox)).rotations === 1);
    await until('the answer waits', () => sleeps.length === 1);
    expect(sleeps[0]?.ms).toBe(4_000);
    sleeps[0]?.end();
    expect(await answer).toMatchObject({ status: 200, json: { url, secret: expect.any(String) } });
  });

  it('are applied late, even if the client has timed out', async () => {
    const { sandbox, sleeps } = await startRegistered();
    await setFaults(sandbox, { applyDelayMs: 30_000 });
    const token = await sandbox.exchange();
    const client = new AbortController();
    const answer = fetch(sandbox.url + webhookPath, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ url, rotate_secret: true }),
      signal: client.signal,
    });
    await until('the change waits', () => sleeps.length === 1);
    expect(sleeps[0]?.ms).toBe(30_000);
    client.abort();
    await expect(answer).rejects.toThrow();
    expect((await shown(sandbox)).rotations).toBe(0);
    sleeps[0]?.end();
    await until('it is applied', async () => (await shown(sandbox)).rotations === 1);
  });

  it('are applied and answered with 500, as often as set', async () => {
    const { sandbox, secret } = await startRegistered();
    await setFaults(sandbox, { failAnswers: 1 });
    const failed = await rotate(sandbox);
    expect(failed).toMatchObject({ status: 500, json: { error: { name: 'InternalServerError' } } });
    const { json } = await sandbox.authorized('GET', webhookPath);
    expect(json).not.toEqual({ url, secret });
    expect((await rotate(sandbox)).status).toBe(200);
  });

  it('are applied and never answered, without blocking the sandbox', async () => {
    const { sandbox } = await startRegistered();
    await setFaults(sandbox, { dropAnswers: 2 });
    expect((await sandbox.authorized('PUT', webhookPath, { url: 'nowhere' })).status).toBe(422);
    const unanswered = [rotate(sandbox), rotate(sandbox)].map((answer) => answer.catch(() => 'broken off'));
    await until('both are applied', async () => (await shown(sandbox)).rotations === 2);
    expect((await rotate(sandbox)).status).toBe(200);
    expect(await Promise.race([...unanswered, 'no answer yet'])).toBe('no answer yet');
    await sandbox.close();
    expect(await Promise.all(unanswered)).toEqual(['broken off', 'broken off']);
  });
});

describe('a change of another client', () => {
  it('sets another URL, deactivates or rotates, without token or quota, and shows no secret', async () => {
    const { sandbox, secret } = await startRegistered({ clock: () => 0 });
    const change = async (body: unknown) => (await sandbox.call('POST', '/sandbox/webhook', body)).json;
    const elsewhere = 'https://b.example/';
    expect(await change({ url: elsewhere })).toEqual({ url: elsewhere, hasSecret: true, rotations: 0 });
    expect((await sandbox.authorized('GET', webhookPath)).json).toEqual({ url: elsewhere, secret });
    expect(await change({ url: '' })).toEqual({ url: '', hasSecret: true, rotations: 0 });
    expect((await sandbox.authorized('GET', webhookPath)).json).toEqual({ url: '', secret });
    for (let rotations = 1; rotations <= 12; rotations++)
      expect(await change({ rotate: true })).toEqual({ url: '', hasSecret: true, rotations });
    expect(await shown(sandbox)).toEqual({ url: '', hasSecret: true, rotations: 12 });
    expect((await sandbox.authorized('GET', webhookPath)).json).not.toEqual({ url: '', secret });
  });

  it('is not rejected by the faults', async () => {
    const { sandbox } = await startRegistered();
    await setFaults(sandbox, { refuse: { status: 503, calls: 1 }, dropAnswers: 1, applyDelayMs: 1_000 });
    const { json } = await sandbox.call('POST', '/sandbox/webhook', { rotate: true });
    expect(json).toMatchObject({ rotations: 1 });
  });

  it.each([
    ['no json', '', ['$']],
    ['bad values', { url: 'x', rotate: 'yes', secret: 'mine' }, ['url', 'rotate', 'secret']],
  ])('is answered with 422 for %s', async (_, body, paths) => {
    const { sandbox } = await startRegistered();
    const answer = await sandbox.call('POST', '/sandbox/webhook', body);
    expect(answer).toMatchObject({ status: 422 });
    expect(Object(answer.json).error.problems.map(({ path }: { path: string }) => path)).toEqual(paths);
  });
});

describe('the secret that events are signed with', () => {
  /** Sends an event; which of these secrets it was signed with. */
  async function startSigned() {
    const time = { now: Date.parse('2026-01-15T12:00:00.000Z') };
    const receiver = await startReceiver();
    const sandbox = await startSandbox({ clock: () => time.now });
    const verify = createVerifier(shippedContract.webhook.signature);
    const secrets: string[] = [];
    const learn = async () => {
      const { json } = await sandbox.authorized('GET', webhookPath);
      secrets.push(String(Object(json).secret));
    };
    const signer = async () => {
      const fields = {
        messageId: 'm1',
        recipient: '+12025550143',
        status: 'delivered',
        occurredAt: '2026-01-15T12:00:05.000Z',
      };
      await sandbox.call('POST', '/sandbox/events', [{ kind: 'sms.status', fields }]);
      const [delivered] = receiver.deliveries.splice(0);
      if (delivered === undefined) throw new Error('nothing was delivered');
      const { headers, body } = delivered;
      const single = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, String(value)]),
      );
      const request = { headers: single, body, url: receiver.url };
      return secrets.findIndex((secret) => verify(request, [secret], time.now).kind === 'verified');
    };
    await sandbox.call('POST', '/sandbox/webhook', { url: receiver.url });
    await learn();
    return {
      sandbox,
      time,
      signer,
      async rotateOutOfBand() {
        await sandbox.call('POST', '/sandbox/webhook', { rotate: true });
        await learn();
      },
      async rotateByCall() {
        await sandbox.authorized('PUT', webhookPath, { url: receiver.url, rotate_secret: true });
        await learn();
      },
    };
  }

  it('is the new one at once', async () => {
    const { signer, rotateByCall, rotateOutOfBand } = await startSigned();
    expect(await signer()).toBe(0);
    await rotateByCall();
    expect(await signer()).toBe(1);
    await rotateOutOfBand();
    expect(await signer()).toBe(2);
  });

  it.each(['rotateByCall', 'rotateOutOfBand'] as const)(
    'remains the old one for the set time (%s)',
    async (how) => {
      const { sandbox, time, signer, ...rotations } = await startSigned();
      await setFaults(sandbox, { oldSecretForMs: 5_000 });
      await rotations[how]();
      expect(await signer()).toBe(0);
      time.now += 4_999;
      expect(await signer()).toBe(0);
      time.now += 1;
      expect(await signer()).toBe(1);
    },
  );

  it('follows each rotation by that time, also one inside the time of the one before', async () => {
    const { sandbox, time, signer, rotateOutOfBand } = await startSigned();
    await setFaults(sandbox, { oldSecretForMs: 5_000 });
    await rotateOutOfBand();
    time.now += 2_000;
    await rotateOutOfBand();
    expect(await signer()).toBe(0);
    time.now += 3_000;
    expect(await signer()).toBe(1);
    time.now += 2_000;
    expect(await signer()).toBe(2);
  });

  it('remains the new one after a rotation that switched at once', async () => {
    const { sandbox, time, signer, rotateOutOfBand } = await startSigned();
    await setFaults(sandbox, { oldSecretForMs: 5_000 });
    await rotateOutOfBand();
    await setFaults(sandbox, {});
    await rotateOutOfBand();
    expect(await signer()).toBe(2);
    time.now += 5_000;
    expect(await signer()).toBe(2);
  });
});
