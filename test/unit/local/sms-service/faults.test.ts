import { describe, expect, it } from 'vitest';
import { until } from '../../../../tools/support/until.ts';
import { inMemorySandbox } from './sandbox-under-test.ts';

const webhookPath = '/v1/account/webhook';
const url = 'https://a.example/';
const off = {
  answerDelayMs: 0,
  applyDelayMs: 0,
  dropAnswers: 0,
  failAnswers: 0,
  refuse: null,
  refuseReads: null,
  refuseContacts: null,
  refuseLookups: null,
  staleAnswers: 0,
  dropEvents: 0,
  oldSecretForMs: 0,
};

type Sandbox = ReturnType<typeof inMemorySandbox>;

const setFaults = ({ call }: Sandbox, faults: unknown) => call('PUT', '/sandbox/faults', faults);
const rotate = ({ authorized }: Sandbox) => authorized('PUT', webhookPath, { url, rotate_secret: true });

/** A sandbox whose webhook is defined, with a sleep that lasts until the test ends it. */
async function startRegistered(options: Parameters<typeof inMemorySandbox>[0] = {}) {
  const sleeps: { ms: number; end: (value?: unknown) => void }[] = [];
  const sleep = (ms: number) => new Promise((end) => sleeps.push({ ms, end }));
  const sandbox = inMemorySandbox({ sleep, ...options });
  const { json } = await sandbox.authorized('PUT', webhookPath, { url });
  return {
    sandbox,
    sleeps,
    secret: String(Object(json).secret),
    rotations: () => sandbox.webhook.show().rotations,
  };
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
});

describe('rejected calls', () => {
  it.each([
    [429, 'TooManyRequests', 7, '7'],
    [500, 'InternalServerError', undefined, undefined],
  ])(
    'get %i %s with Retry-After %s, as often as set, and change nothing',
    async (status, name, retryAfterSeconds, header) => {
      const { sandbox, secret } = await startRegistered();
      await setFaults(sandbox, { refuse: { status, calls: 2, retryAfterSeconds } });
      for (let call = 0; call < 2; call++) {
        const refused = await rotate(sandbox);
        expect(refused).toMatchObject({ status, json: { error: { name, message: expect.any(String) } } });
        expect(refused.headers['retry-after']).toBe(header);
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

  it('are only those of "create contact" if the fault is restricted to it, which then stores nothing', async () => {
    const { sandbox } = await startRegistered();
    await setFaults(sandbox, { refuseContacts: { status: 503, calls: 1 } });
    expect((await rotate(sandbox)).status).toBe(200);
    const create = () => sandbox.authorized('POST', '/v1/contacts/store', { phone: '+12025550143' });
    expect((await create()).status).toBe(503);
    expect((await create()).status).toBe(200);
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
  it.each([
    ['at once and answered late', { answerDelayMs: 4_000 }, 4_000, 1],
    ['late', { applyDelayMs: 30_000 }, 30_000, 0],
  ])('are applied %s', async (_, faults, pauseMs, applied) => {
    const { sandbox, sleeps, rotations } = await startRegistered();
    await setFaults(sandbox, faults);
    const answer = rotate(sandbox);
    await until('it waits', () => sleeps.length === 1);
    expect([sleeps[0]?.ms, rotations()]).toEqual([pauseMs, applied]);
    sleeps[0]?.end();
    expect(await answer).toMatchObject({ status: 200, json: { url, secret: expect.any(String) } });
    expect(rotations()).toBe(1);
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
});

describe('the secret that events are signed with', () => {
  /** A webhook with its first secret; `signer` is which of its secrets signs now. */
  async function startSigned() {
    const time = { now: 0 };
    const sandbox = inMemorySandbox({ clock: () => time.now });
    const secrets: string[] = [];
    const change = async (body: object) => {
      await sandbox.call('POST', '/sandbox/webhook', body);
      secrets.push(sandbox.webhook.config().secret);
    };
    await change({ url });
    return {
      sandbox,
      time,
      signer: () => secrets.indexOf(sandbox.webhook.signingSecret()),
      rotateOutOfBand: () => change({ rotate: true }),
    };
  }

  it('remains the old one for the set time after each rotation, also of one within the time of the last', async () => {
    const { sandbox, time, signer, rotateOutOfBand } = await startSigned();
    await setFaults(sandbox, { oldSecretForMs: 5_000 });
    await rotateOutOfBand();
    time.now += 2_000;
    await rotateOutOfBand();
    const signers: number[] = [];
    for (const passed of [2_999, 1, 1_999, 1]) {
      time.now += passed;
      signers.push(signer());
    }
    expect(signers).toEqual([0, 1, 1, 2]);
  });
});
