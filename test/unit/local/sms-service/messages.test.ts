import { describe, expect, it } from 'vitest';
import { createFaults } from '../../../../local/sms-service/faults.ts';
import { createMessages } from '../../../../local/sms-service/messages.ts';
import { createListener } from '../../../../local/sms-service/router.ts';
import { callListener } from '../../../support/in-memory-http.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 15, 12, minute)).toISOString();

/** The lookups of a sandbox that was asked to send these reports. */
function sandbox(
  ...reports: readonly (readonly [id: string, status: string, minute: number, sendId?: string])[]
) {
  const faults = createFaults(() => undefined);
  const messages = createMessages(faults);
  for (const [messageId, status, minute, sendId] of reports)
    messages.report({
      messageId,
      status,
      occurredAt: at(minute),
      recipient: '+12025550143',
      ...(sendId !== undefined && { sendId }),
    });
  const listener = createListener([...messages.routes, ...faults.routes], () => true);
  const call = (method: string, path: string, body?: unknown) =>
    callListener(listener, { method, path, body: body === undefined ? undefined : JSON.stringify(body) });
  return { ...messages, call, get: (path: string) => call('GET', path) };
}

describe('the lookups of the sandbox', () => {
  it('show the most final state of a message, whatever order its events were sent in', async () => {
    const { get } = sandbox(['m/1', 'delivered', 3], ['m/1', 'sent', 1]);
    expect((await get('/v1/sms/numbers/m%2F1')).json).toMatchObject({
      data: { id: 'm/1', to: '+12025550143', status: 'delivered', status_at: at(3) },
    });
  });

  it('answer 404 for a message and a send that they do not know', async () => {
    const { get } = sandbox();
    expect((await get('/v1/sms/numbers/m')).status).toBe(404);
    expect((await get('/v1/sms/sends/s/numbers')).status).toBe(404);
  });

  it('list the numbers of a send page by page', async () => {
    const { get } = sandbox(...['a', 'b', 'c'].map((id) => [id, 'sent', 1, 's'] as const));
    const page = async (number: number) =>
      (await get(`/v1/sms/sends/s/numbers?per_page=2&page=${number}`)).json;
    expect(await page(1)).toMatchObject({
      data: [{ id: 'a' }, { id: 'b' }],
      meta: { current_page: 1, last_page: 2, total: 3 },
    });
    expect(await page(2)).toMatchObject({ data: [{ id: 'c' }], meta: { current_page: 2 } });
  });

  it('list the sends that were created in a time span; a message without a send is one of its own', async () => {
    const { get } = sandbox(['a', 'sent', 1, 's1'], ['b', 'sent', 5, 's2'], ['c', 'sent', 6]);
    const sends = (from: string, to: string) => get(`/v1/sms/sends?created_from=${from}&created_to=${to}`);
    expect((await sends(at(1), at(5))).json).toMatchObject({ data: [{ id: 's1' }] });
    expect((await sends(at(5), at(7))).json).toMatchObject({ data: [{ id: 's2' }, { id: 'single-c' }] });
    expect((await get('/v1/sms/sends/single-c/numbers')).json).toMatchObject({ data: [{ id: 'c' }] });
    expect((await sends('yesterday', at(1))).status).toBe(422);
  });

  it('are stale for as many messages as the faults say', async () => {
    const { get, call } = sandbox(['m', 'sent', 1], ['m', 'delivered', 3]);
    await call('PUT', '/sandbox/faults', { staleAnswers: 1 });
    expect((await get('/v1/sms/numbers/m')).json).toMatchObject({
      data: { status: 'sent', status_at: at(1) },
    });
    expect((await get('/v1/sms/numbers/m')).json).toMatchObject({ data: { status: 'delivered' } });
  });

  it('are refused as often as the faults say, and counted', async () => {
    const { get, call, lookups } = sandbox(['m', 'sent', 1]);
    await call('PUT', '/sandbox/faults', { refuseLookups: { status: 429, calls: 1, retryAfterSeconds: 7 } });
    const refused = await get('/v1/sms/numbers/m');
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '7']);
    expect((await get('/v1/sms/numbers/m')).status).toBe(200);
    expect(lookups()).toBe(2);
  });
});
