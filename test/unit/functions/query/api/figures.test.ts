import { describe, expect, it } from 'vitest';
import { encodeCursor } from '../../../../../functions/history/lists/cursor.ts';
import {
  createAnswerQuery,
  type QueryDependencies,
} from '../../../../../functions/query/api/answer-query.ts';
import { dependencies, now, queryEvent } from './fakes.ts';

async function ask(target: string, changes: Partial<QueryDependencies> = {}) {
  const { all, calls } = dependencies();
  const { statusCode, body = '' } = await createAnswerQuery({ ...all, ...changes })(queryEvent(target));
  return { statusCode, json: JSON.parse(body), calls };
}

const counts = { messages: 3, delivered: 1, failed: 1, pending: 1, replies: 1, optOuts: 0 };
const failures = [{ reason: 'unreachable', code: '30003', messages: 1 }];
const statuses = [
  { status: 'sent', messages: 1 },
  { status: 'undelivered', messages: 1 },
  { status: 'delivered', messages: 1 },
];
const noon = '2026-01-15T12:00:00.000Z';

describe('sends', () => {
  it('are listed with their figures, and the list continues at its cursor', async () => {
    const { json, calls } = await ask('/v1/sends?limit=1');
    expect(calls).toEqual([['counted-sends', { limit: 1 }]]);
    expect(json.entries).toMatchObject([
      { sendId: 'send-1', firstReportAt: noon, ...counts, statuses, failures },
    ]);
    const since = '2026-01-15T00:00:00Z';
    const next = await ask(`/v1/sends?limit=1&since=${since}&cursor=${json.next}`);
    const before = { first: now, pk: 'send#send-1' };
    expect(next.calls).toEqual([['counted-sends', { limit: 1, since: Date.parse(since), before }]]);
  });

  it('of one source are listed without those of others, and a page says how the list continues', async () => {
    const changes = { sources: ['main', 'backup'] };
    const main = await ask('/v1/sends?source=main', changes);
    expect(main.json.entries).toHaveLength(1);
    const backup = await ask('/v1/sends?source=backup', changes);
    expect(backup.json).toEqual({ entries: [], next: expect.any(String) });
    const other = await ask(`/v1/sends?source=main&cursor=${backup.json.next}`, changes);
    expect(other.statusCode).toBe(400);
  });

  it('are found by the beginning of their id, and the page says down to when it has them', async () => {
    expect((await ask('/v1/sends?idPrefix=send&limit=1')).json.entries).toHaveLength(1);
    expect((await ask('/v1/sends?idPrefix=spring')).json).toEqual({
      entries: [],
      next: expect.any(String),
      searchedTo: noon,
    });
    expect((await ask('/v1/sends?idPrefix=s')).statusCode).toBe(400);
  });

  it('refuse the cursor of another list', async () => {
    const cursor = encodeCursor({ at: noon, partition: 0, key: 'k' }, ['replies']);
    expect((await ask(`/v1/sends?cursor=${cursor}`)).statusCode).toBe(400);
  });

  it('are shown with the times to delivery, which are at most 2 % wrong', async () => {
    const { json } = await ask('/v1/sends/send-1');
    expect(json).toMatchObject({ sendId: 'send-1', ...counts, timeToDelivery: { messages: 1 } });
    for (const at of ['p50', 'p95', 'p99']) expect(Math.abs(json.timeToDelivery[at] - 4100)).toBeLessThan(83);
    const used = json.histogram.filter((row: { messages: number }) => row.messages > 0);
    expect(used).toEqual([{ upTo: 5000, messages: 1 }]);
  });
});

describe('figures of a time', () => {
  it('are those of the hours of a day, where the query says nothing else', async () => {
    const { json, calls } = await ask('/v1/insights');
    expect(calls).toEqual([['quarters', now - 86_400_000, now]]);
    expect(json).toMatchObject({ interval: 'hour', until: noon, total: counts });
    expect(json.total).not.toHaveProperty('failures');
  });

  it('are those of whole hours', async () => {
    const { json, calls } = await ask('/v1/insights?since=2026-01-15T10:59:00Z&until=2026-01-15T12:01:00Z');
    expect(calls).toEqual([['quarters', Date.UTC(2026, 0, 15, 10), Date.UTC(2026, 0, 15, 13)]]);
    expect(json.periods).toMatchObject([{ start: noon, ...counts }]);
  });

  it('are those of whole days, divided by what the query asks for', async () => {
    const { json, calls } = await ask('/v1/insights?interval=day&by=country,status,reason');
    expect(calls).toEqual([['days', '2025-12-16', '2026-01-16']]);
    const groups = { countries: [{ country: 'US', ...counts }], statuses, failures };
    expect(json.total).toMatchObject(groups);
    expect(json.periods).toMatchObject([{ start: '2026-01-15T00:00:00.000Z', ...groups }]);
  });

  it('are those of one source, or of each', async () => {
    const { all } = dependencies();
    const quarter = { start: now, country: 'US' };
    const counters = all.counters && {
      ...all.counters,
      quarters: async () => [
        { ...quarter, source: 'main', tally: { delivered: 1 } },
        { ...quarter, source: 'backup', tally: { sent: 5 } },
      ],
    };
    const changes = { counters, sources: ['main', 'backup'] };
    const total = async (query: string) => (await ask(`/v1/insights?${query}`, changes)).json.total;
    expect(await total('source=backup')).toMatchObject({ messages: 5, delivered: 0 });
    expect(await total('source=main')).toMatchObject({ messages: 1, delivered: 1 });
    expect((await total('by=source')).sources).toMatchObject([
      { source: 'backup', messages: 5 },
      { source: 'main', messages: 1 },
    ]);
  });

  it('of a source that does not exist are refused with the names of those that do', async () => {
    const { statusCode, json, calls } = await ask('/v1/insights?source=third&by=number', {
      sources: ['main', 'backup'],
    });
    expect([statusCode, calls]).toEqual([400, []]);
    expect(json.errors).toContainEqual({ parameter: 'source', detail: 'expected one of main, backup' });
    expect(json.errors).toHaveLength(2);
  });

  it.each([
    ['since=2026-01-01T00:00:00Z', 'since'],
    ['interval=day&since=2024-01-01T00:00:00Z', 'since'],
    ['since=2026-01-16T00:00:00Z', 'since'],
    ['interval=minute', 'interval'],
    ['by=number', 'by'],
  ])('are refused for %s, which is named', async (query, parameter) => {
    const { statusCode, json, calls } = await ask(`/v1/insights?${query}`);
    expect([statusCode, json.errors[0].parameter, calls]).toEqual([400, parameter, []]);
  });
});

it.each(['/v1/sends', '/v1/sends/send-1', '/v1/insights'])(
  '%s says that insights are off where the pipeline counts nothing',
  async (target) => {
    const { statusCode, json } = await ask(target, { counters: undefined });
    expect([statusCode, json.type]).toEqual([404, 'urn:sms-event-pipeline:problem:insights-off']);
  },
);
