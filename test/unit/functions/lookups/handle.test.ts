import { describe, expect, it } from 'vitest';
import type { LookupsContract } from '../../../../contract/schema/contract-schema.ts';
import { decidingEntry, type Message } from '../../../../functions/history/message.ts';
import { handle } from '../../../../functions/lookups/handle.ts';
import type { LookupState } from '../../../../functions/lookups/lookup-state-store.ts';
import { shippedContract } from '../../../../tools/support/contracts.ts';
import { memoryHistory } from '../../../support/fakes/history.ts';
import { recorder } from '../../../support/recorder.ts';
import { at, report } from '../../../support/suites/reports.ts';
import { type KnownMessage, madeService, readFrom } from './made-service.ts';

const schedule = { source: 'aws.events', 'detail-type': 'Scheduled Event', detail: {} };
const known = ['a', 'b', 'c', 'd', 'e'].map(
  (id): KnownMessage => ({ id, send: 'send-1', createdAt: at(0), status: 'delivered' }),
);

/** The function with a history that has two of the five messages of the service: one as it is there, and one in another state. */
function startedLookups({
  key = 'a key',
  pages = 10,
  stored = [],
}: {
  readonly key?: string;
  readonly pages?: number;
  readonly stored?: readonly Message[];
} = {}) {
  const history = memoryHistory({
    messages: [report('a', 'e1', 'delivered', 1), report('b', 'e2', 'sent', 1), ...stored],
  });
  const service = madeService(known);
  const { log, count, counts, lines } = recorder();
  const state: LookupState = {
    progress: {
      'list after 30 min': { doneUntil: at(0) },
      'pending after 15 min': { doneUntil: at(60), open: { since: at(30), until: at(60) } },
    },
    days: { '2026-01-15': { listed: 5, missing: 3, changed: 1 } },
  };
  const connected: string[] = [];
  const never = { remainingMs: () => 60_000, isOver: () => false };
  return {
    ...service,
    counts,
    lines,
    connected,
    statusOf: async (id: string) => {
      const message = await history.message(id);
      return message && decidingEntry(message).status;
    },
    invoke: (event: unknown) =>
      handle(event, {
        contract: shippedContract.lookups as LookupsContract,
        pending: history.pending,
        readMessages: readFrom(history),
        history,
        optOuts: history.register,
        keepsPrices: false,
        state: { read: async () => state, write: async () => undefined },
        staleAfterHours: 72,
        readApiKey: async () =>
          key === ''
            ? { kind: 'error', error: { kind: 'api-key-missing', message: 'Create it: ...' } }
            : { kind: 'ok', value: key },
        connect: (apiKey) => {
          connected.push(apiKey);
          return service.lookups;
        },
        source: 'main',
        clock: () => Date.parse(at(3600)),
        deadline: never,
        requestDeadline: { remainingMs: () => 1, isOver: () => service.asked.length >= pages },
        log,
        count,
      }),
  };
}

const wholeDay = { action: 'span', since: at(-3600), until: at(3600) };

describe('a request', () => {
  it('for a span answers with what was missing and changed, and stores it', async () => {
    const { invoke, statusOf } = startedLookups();
    expect(await invoke(wholeDay)).toEqual({
      listed: 5,
      missing: 3,
      changed: 1,
      kept: 0,
      unreadable: 0,
      changes: [
        { messageId: 'b', before: 'sent', after: 'delivered' },
        ...['c', 'd', 'e'].map((messageId) => ({ messageId, after: 'delivered' })),
      ],
    });
    expect(await statusOf('b')).toBe('delivered');
    expect(await statusOf('e')).toBe('delivered');
  });

  it('counts the messages whose state in the history takes precedence', async () => {
    const { invoke, statusOf } = startedLookups({ stored: [report('c', 'e3', 'read', 1)] });
    expect(await invoke(wholeDay)).toMatchObject({ listed: 5, missing: 2, changed: 1, kept: 1 });
    expect(await statusOf('c')).toBe('read');
  });

  it('of a dry run stores nothing', async () => {
    const { invoke, statusOf, counts } = startedLookups();
    expect(await invoke({ ...wholeDay, dryRun: true })).toMatchObject({ missing: 3, changed: 1 });
    expect([await statusOf('b'), await statusOf('e'), counts.get('lookupMissing')]).toEqual([
      'sent',
      undefined,
      undefined,
    ]);
  });

  it('answers one part at a time, and goes on where the part before ended', async () => {
    const { invoke, asked, statusOf } = startedLookups({ pages: 1 });
    const first = await invoke(wholeDay);
    expect(first).toMatchObject({ listed: 2, position: { page: '2', sends: [] } });
    expect(await statusOf('e')).toBeUndefined();
    const second = await invoke({ ...wholeDay, position: { page: '2', sends: [] } });
    expect(second).toMatchObject({ listed: 2, position: { page: '4' } });
    expect(asked.map((one) => one.split(' ')[2])).toEqual([undefined, '2']);
  });

  it('that the service refuses at a later page answers with what was done, and the next one with the error', async () => {
    const { invoke, errors } = startedLookups();
    errors.push(undefined, { kind: 'unauthorized', operation: 'x', status: 401, body: '' });
    const position = { page: '2', sends: [] };
    expect(await invoke(wholeDay)).toMatchObject({ listed: 2, changed: 1, position });
    errors.push({ kind: 'unauthorized', operation: 'x', status: 401, body: '' });
    expect(await invoke({ ...wholeDay, position })).toMatchObject({ error: { kind: 'unauthorized' } });
  });

  it.each([
    [{ action: 'message', messageId: 'c' }, ['message c']],
    [{ action: 'send', sendId: 'send-1' }, ['send send-1', 'send send-1 2', 'send send-1 4']],
  ])('asks only what it is about: %j', async (request, questions) => {
    const { invoke, asked } = startedLookups();
    await invoke(request);
    expect(asked).toEqual(questions);
  });

  it('for the status asks the service nothing', async () => {
    const { invoke, asked, connected } = startedLookups({ key: '' });
    expect(await invoke({ action: 'status' })).toEqual({
      days: { '2026-01-15': { listed: 5, missing: 3, changed: 1 } },
      doneUntil: { 'list after 30 min': at(0), 'pending after 15 min': at(30) },
    });
    expect([asked, connected]).toEqual([[], []]);
  });

  it.each([
    [
      'that the service refuses',
      { key: 'k' },
      wholeDay,
      { kind: 'unauthorized', message: 'x: unauthorized (status 401)' },
    ],
    ['without an API key', { key: '' }, wholeDay, { kind: 'api-key-missing', message: 'Create it: ...' }],
    ['that is none', {}, { action: 'dance' }, { kind: 'bad-request' }],
  ])('%s answers with what to do', async (_, parts, request, error) => {
    const { invoke, errors } = startedLookups(parts);
    errors.push({ kind: 'unauthorized', operation: 'x', status: 401, body: 'about +12025550143' });
    expect(await invoke(request)).toMatchObject({ error });
  });
});

describe('the schedule', () => {
  it('asks with the key of the secret, and answers nothing', async () => {
    const { invoke, connected, asked } = startedLookups();
    expect(await invoke(schedule)).toBeUndefined();
    expect(connected).toEqual(['a key']);
    expect(asked.length).toBeGreaterThan(0);
  });

  it('fails without an API key, so that the alarm goes off', async () => {
    const { invoke, counts } = startedLookups({ key: '' });
    await expect(invoke(schedule)).rejects.toThrow('api-key-missing');
    expect(counts.get('lookupsFailed')).toBe(1);
  });
});
