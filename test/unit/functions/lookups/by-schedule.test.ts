import { describe, expect, it } from 'vitest';
import type { LookupsContract } from '../../../../contract/schema/contract-schema.ts';
import { decidingEntry, foldMessages, type Message } from '../../../../functions/history/message.ts';
import { readFailure } from '../../../../functions/history/opt-out/opt-out.ts';
import { LookupsRefusedError, lookUpBySchedule } from '../../../../functions/lookups/by-schedule.ts';
import type { LookupState } from '../../../../functions/lookups/lookup-state-store.ts';
import { passesOf } from '../../../../functions/lookups/passes.ts';
import { shippedContract } from '../../../../tools/support/contracts.ts';
import { memoryHistory } from '../../../support/fakes/history.ts';
import { recorder } from '../../../support/recorder.ts';
import { report } from '../../../support/suites/reports.ts';
import { type KnownMessage, madeService, readFrom } from './made-service.ts';

const noon = Date.UTC(2026, 0, 15, 12);
const minute = 60_000;
const at = (minutes: number) => new Date(noon + minutes * minute).toISOString();

const operation = { method: 'GET', path: '/x', query: {}, events: '@', paging: null } as const;
const list = {
  ...operation,
  spanFormat: 'iso8601',
  sendId: null,
  afterMinutes: [30, 1440],
} satisfies LookupsContract['list'];
const contract: LookupsContract = {
  ...(shippedContract.lookups as LookupsContract),
  message: operation,
  send: operation,
  list,
};
const onlyMessages = { ...contract, send: null, list: null };
const onlySends = { ...contract, message: null, list: null };
const onlyLists = { ...contract, message: null, send: null };
const onlyOneList = { ...onlyLists, list: { ...list, afterMinutes: [30] } };

interface Parts {
  readonly known?: readonly KnownMessage[];
  readonly stored?: readonly Message[];
  readonly rules?: LookupsContract;
  readonly listsSends?: boolean;
  readonly source?: string;
  /** Whether each page of the service has a next one. */
  readonly neverEnds?: boolean;
  /** How long the name of a next page is. */
  readonly pageLength?: number;
}

/** A lookup function with a history and a service in memory. Its clock moves by hand. */
function startedLookups({
  known = [],
  stored = [],
  rules = contract,
  listsSends = false,
  source = 'main',
  neverEnds = false,
  pageLength = 0,
}: Parts) {
  const history = memoryHistory({ messages: stored });
  const service = madeService(known, { listsSends, neverEnds, pageLength });
  /** The errors of the next writes of messages, and of the next statements of the opt-out register. */
  const failures: { readonly message: Error[]; readonly optOut: Error[] } = { message: [], optOut: [] };
  const failIfAny = (errors: Error[]) => {
    const error = errors.shift();
    if (error !== undefined) throw error;
  };
  const { log, count, counts, lines, text } = recorder();
  let state: LookupState = { progress: {}, days: {} };
  let pagesRead = 0;
  let now = noon;
  let requestsLeft = Number.POSITIVE_INFINITY;
  const statusOf = async (id: string) => {
    const message = await history.message(id);
    return message && decidingEntry(message).status;
  };
  return {
    ...service,
    counts,
    lines,
    text,
    history,
    failures,
    statusOf,
    state: () => state,
    /** How many pages of pending messages were read. */
    pagesRead: () => pagesRead,
    /** Gives each open span a place that the list does not know. */
    spoilCursor() {
      const spans = Object.entries(state.progress).filter(([, { open }]) => open?.cursor !== undefined);
      expect(spans).toHaveLength(1);
      const spoilt = spans.map(([name, { open }]) => [name, { open: { ...open, cursor: 'elsewhere' } }]);
      state = { ...state, progress: { ...state.progress, ...Object.fromEntries(spoilt) } };
    },
    /** Runs at so many minutes after noon. @param requests ends the run after so many requests */
    async run(minutes: number, requests = Number.POSITIVE_INFINITY) {
      now = noon + minutes * minute;
      requestsLeft = requests + service.asked.length;
      const isOver = () => service.asked.length >= requestsLeft;
      await lookUpBySchedule(
        {
          lookups: service.lookups,
          contract: rules,
          source,
          pending: (query, page) => {
            pagesRead += 1;
            return history.pending(query, page);
          },
          readMessages: readFrom(history),
          history: {
            ...history,
            async storeMessage(message) {
              failIfAny(failures.message);
              return history.storeMessage(message);
            },
          },
          optOuts: {
            ...history.register,
            async record(...statements) {
              failIfAny(failures.optOut);
              return history.register.record(...statements);
            },
          },
          keepsPrices: false,
          // The state is stored as JSON.
          state: {
            read: async () => state,
            write: async (next) => {
              state = JSON.parse(JSON.stringify(next));
            },
          },
          staleAfterHours: 72,
          // Time goes by at each look.
          clock: () => now++,
          log,
          count,
        },
        { isOver, remainingMs: () => (isOver() ? 0 : 60_000) },
      );
    },
  };
}

const message = (
  id: string,
  minutes: number,
  status: KnownMessage['status'] = 'delivered',
): KnownMessage => ({
  id,
  send: `send-${id[0]}`,
  createdAt: at(minutes),
  status,
});

/** A message whose first report was received so many minutes after noon. */
const pending = (id: string, minutes: number, sendId?: string) =>
  report(id, `e-${id}`, 'sent', minutes * 60, {
    received: minutes * 60,
    ...(sendId !== undefined && { sendId }),
  });

describe('passes', () => {
  it('ask after 15 minutes, then after four times as long, and an hour before a message becomes stale', () => {
    expect(passesOf(onlyMessages, 72).map(({ name }) => name)).toEqual([
      'pending after 15 min',
      'pending after 60 min',
      'pending after 240 min',
      'pending after 960 min',
      'pending after 3840 min',
      'pending after 4260 min',
    ]);
  });

  it('begin as late as the contract says, and end before the message becomes stale', () => {
    const ages = passesOf({ ...onlyMessages, askAfterMinutes: 200 }, 5).map(({ ageMs }) => ageMs / minute);
    expect(ages).toEqual([200, 240]);
  });

  it('list messages as often as the contract says', () => {
    const once = { ...onlyLists, list: { ...list, afterMinutes: [1440] } };
    expect(passesOf(once, 72)).toEqual([
      { name: 'list after 1440 min', kind: 'list', ageMs: 1440 * minute, isLast: true },
    ]);
  });

  it('list first, after half an hour and after a day', () => {
    expect(passesOf(contract, 0).map(({ name }) => name)).toEqual([
      'list after 30 min',
      'list after 1440 min',
      'pending after 15 min',
      'pending after 60 min',
      'pending after 240 min',
      'pending after 960 min',
      'pending after 3840 min',
      'pending after 4260 min',
    ]);
  });
});

describe('pending messages', () => {
  it('get the state that the service knows once they are old enough, and are not asked about again', async () => {
    const { run, statusOf, asked, history } = startedLookups({
      known: [message('a', 0)],
      stored: [pending('a', 0)],
      rules: onlyMessages,
    });
    await run(14);
    expect(asked).toEqual([]);
    await run(16);
    expect(asked).toEqual(['message a']);
    expect(await statusOf('a')).toBe('delivered');
    expect((await history.message('a'))?.events.get('lookup:delivered')).toMatchObject({
      origin: 'lookup',
      receivedAt: expect.stringMatching(/^2026-01-15T12:16:00\.00/),
    });
    await run(61);
    expect(asked).toEqual(['message a']);
  });

  it('are asked about once at each age while the service has no final state', async () => {
    const { run, asked, statusOf } = startedLookups({
      known: [message('a', 0, 'sent')],
      stored: [pending('a', 0)],
      rules: onlyMessages,
    });
    for (let minutes = 0; minutes <= 300; minutes += 15) await run(minutes + 1);
    expect(asked).toEqual(['message a', 'message a', 'message a']);
    expect(await statusOf('a')).toBe('sent');
  });

  it('are asked about by send if the service cannot be asked for one message, each send once', async () => {
    const { run, asked, statusOf } = startedLookups({
      known: ['a1', 'a2', 'a3', 'b1'].map((id) => message(id, 0)),
      stored: ['a1', 'a2', 'a3', 'b1'].map((id) => pending(id, 0, `send-${id[0]}`)),
      rules: onlySends,
    });
    await run(16);
    expect(asked.toSorted()).toEqual(['send send-a', 'send send-a 2', 'send send-b']);
    for (const id of ['a1', 'a2', 'a3', 'b1']) expect(await statusOf(id)).toBe('delivered');
  });

  it('are those of one source: each pass reads one page, however many the other sources have', async () => {
    const ofMain = Array.from({ length: 100 }, (_, index) => pending(`m${index}`, 0));
    const { run, asked, pagesRead } = startedLookups({
      stored: [...ofMain, pending('backup/a', 0), pending('main/backup/b', 0)],
      rules: onlyMessages,
      source: 'backup',
    });
    await run(16);
    expect(asked).toEqual(['message backup/a']);
    expect(pagesRead()).toBe(passesOf(onlyMessages, 72).length);
  });

  it('do not wait for one that the service refuses', async () => {
    const { run, errors, statusOf } = startedLookups({
      known: [message('a', 0), message('b', 0)],
      stored: [pending('a', 0), pending('b', 1)],
      rules: onlyMessages,
    });
    errors.push({ kind: 'bad-request', operation: 'x', status: 400, body: 'about +12025550143' });
    await run(20);
    const states = [await statusOf('a'), await statusOf('b')];
    expect(states.toSorted()).toEqual(['delivered', 'sent']);
    await run(70);
    expect([await statusOf('a'), await statusOf('b')]).toEqual(['delivered', 'delivered']);
  });

  describe('at which the service breaks', () => {
    const ids = ['a', 'b', 'c', 'd'];
    const parts = {
      known: ids.map((id) => message(id, 0)),
      stored: ids.map((id, index) => pending(id, index)),
      rules: onlyMessages,
    };
    const broken = { kind: 'server', operation: 'x', status: 500, body: '', retryAfterMs: null } as const;
    const forbidden = { kind: 'refused', operation: 'x', status: 403, body: '' } as const;

    it('do not keep the others waiting, and are asked about again at the next age', async () => {
      const { run, errors, statusOf } = startedLookups(parts);
      errors.push(broken);
      await run(20);
      const states = await Promise.all(ids.map(statusOf));
      expect(states.toSorted()).toEqual(['delivered', 'delivered', 'delivered', 'sent']);
      await run(70);
      for (const id of ids) expect(await statusOf(id)).toBe('delivered');
    });

    it.each([broken, forbidden])(
      'are asked about again by the next run if all of them get $kind',
      async (error) => {
        const { run, errors, statusOf, counts, state } = startedLookups(parts);
        errors.push(error, error, error, error);
        await expect(run(20)).rejects.toThrow(LookupsRefusedError);
        expect(counts.get('lookupsFailed')).toBe(1);
        expect(state().stoppedBy).toContain(String(error.status));
        await run(35);
        for (const id of ids) expect(await statusOf(id)).toBe('delivered');
        expect(state().stoppedBy).toBeUndefined();
      },
    );

    it('are left out after a day, and the log says which time', async () => {
      const { run, errors, lines, state } = startedLookups({ ...parts, known: [] });
      for (let runs = 0; runs < 96; runs += 1) {
        errors.push(broken, broken, broken, broken);
        await expect(run(20)).rejects.toThrow('server (status 500)');
      }
      expect(lines.filter(({ name }) => name === 'LOOKUPS_SKIPPED')).toMatchObject([
        { fields: { pass: 'pending after 15 min', since: at(-55), until: at(5) } },
      ]);
      expect(state().progress['pending after 15 min']).toEqual({ doneUntil: at(5) });
    });
  });

  it('are asked about although the list is refused', async () => {
    const { run, errors, statusOf } = startedLookups({ known: [message('a', 0)], stored: [pending('a', 0)] });
    const refused = { kind: 'refused', operation: 'x', status: 403, body: '' } as const;
    errors.push(refused, refused);
    await expect(run(16)).rejects.toThrow('refused (status 403)');
    expect(await statusOf('a')).toBe('delivered');
  });

  describe('of which the webhook reported the opt-out', () => {
    const optOut = { received: 0, errorCode: '21610', errorReason: 'opted_out' } as const;

    it('without the number get a statement of that time, so that a later START still opts in', async () => {
      const failed = report('a', 'e-a', 'failed', 0, optOut);
      const known = [message('a', 5, 'failed')];
      const { run, history } = startedLookups({ known, stored: [failed], rules: onlyLists });
      await history.register.record({
        phone: '+12025550143',
        state: 'in',
        at: at(3),
        by: 'person',
        replyId: 'start',
      });
      await run(36);
      expect((await history.message('a'))?.phone).toBe('+12025550143');
      expect(await history.register.read('+12025550143')).toEqual({ state: 'in' });
      // Without the START the number is opted out, at the time of the webhook's report.
      const other = startedLookups({ known, stored: [failed], rules: onlyLists });
      await other.run(36);
      const { entries } = await other.history.optOuts({}, { limit: 10 });
      expect(entries).toMatchObject([{ phone: '+12025550143', by: 'provider', at: at(0) }]);
      const [{ receivedAt = at(0) } = {}] =
        (await other.history.register.number('+12025550143'))?.statements ?? [];
      expect(receivedAt > at(5)).toBe(true);
    });

    it('with the number get the same statement', async () => {
      const phone = '+12025550143';
      const failed = report('a', 'e-a', 'failed', 0, { ...optOut, phone });
      const { run, history } = startedLookups({
        known: [message('a', 0, 'failed')],
        stored: [failed],
        rules: onlyLists,
      });
      const statement = readFailure(
        { kind: 'sms.status', messageId: 'a', phone, ...decidingEntry(failed) },
        decidingEntry(failed).receivedAt,
      );
      expect(statement).toBeDefined();
      if (statement !== undefined) await history.register.record(statement);
      await run(31);
      expect((await history.register.number(phone))?.statements).toEqual([statement]);
    });

    it('in a report that is no failure, and failed since, are opted out', async () => {
      for (const status of ['sent', 'unknown'] as const) {
        const stored = report('a', 'e-a', status, 0, { ...optOut, phone: '+12025550143' });
        const { run, history } = startedLookups({
          known: [message('a', 0, 'failed')],
          stored: [stored],
          rules: onlyLists,
        });
        await run(31);
        expect(await history.register.read('+12025550143')).toEqual({ state: 'out' });
      }
    });

    it('without the number get a statement of the number that another report has', async () => {
      const failed = report('a', 'e-a', 'failed', 0, optOut);
      const sent = report('a', 'e-b', 'sent', 0, { received: 0, phone: '+12025550143' });
      const { run, history } = startedLookups({
        known: [message('a', 0, 'failed')],
        stored: [foldMessages([sent, failed])],
        rules: onlyLists,
      });
      await run(31);
      const { entries } = await history.optOuts({}, { limit: 10 });
      expect(entries).toMatchObject([{ phone: '+12025550143', by: 'provider', at: at(0) }]);
    });
  });

  it('become opted out if the provider refused the message for that reason', async () => {
    const { run, history } = startedLookups({
      known: [message('a', 0, 'failed')],
      stored: [pending('a', 0)],
      rules: onlyMessages,
    });
    await run(16);
    const { entries } = await history.optOuts({}, { limit: 10 });
    expect(entries).toMatchObject([{ phone: '+12025550143', by: 'provider', messageId: 'a' }]);
  });
});

describe('messages that nothing was reported about', () => {
  it('are found by the list, over all of its pages', async () => {
    const known = ['a', 'b', 'c', 'd', 'e'].map((id) => message(id, 0));
    const { run, statusOf, asked, counts } = startedLookups({ known, rules: onlyLists });
    await run(31);
    for (const { id } of known) expect(await statusOf(id)).toBe('delivered');
    expect(asked.filter((one) => one.startsWith(`list ${at(-59)}`))).toHaveLength(3);
    expect(counts.get('lookupMissing')).toBe(5);
  });

  it('are found by the sends that the service lists', async () => {
    const known = ['a1', 'a2', 'a3', 'b1'].map((id) => message(id, 0));
    const { run, statusOf } = startedLookups({
      known,
      rules: { ...onlyLists, list: { ...list, sendId: 'id' } },
      listsSends: true,
    });
    await run(31);
    for (const { id } of known) expect(await statusOf(id)).toBe('delivered');
  });

  it('are each listed once after half an hour and once after a day, whenever the runs are', async () => {
    const known = Array.from({ length: 50 }, (_, index) => message(`a${index}`, index * 7));
    const { run, asked, state } = startedLookups({ known, rules: onlyLists });
    for (const minutes of [0, 15, 31, 90, 91, 200, 480, 1000, 1500, 1700, 2000]) await run(minutes);
    const spans = asked
      .filter((one) => one.split(' ').length === 2)
      .map((one) => one.slice('list '.length).split('..'));
    const timesListed = (createdAt: string) =>
      spans.filter(([since = '', until = '']) => createdAt >= since && createdAt < until).length;
    for (const { createdAt } of known) expect(timesListed(createdAt)).toBe(2);
    expect(state().days['2026-01-15']).toEqual({ listed: 50, missing: 50, changed: 0 });
  });

  it('are listed by whole days if the service knows no shorter span', async () => {
    const rules = { ...onlyLists, list: { ...list, spanFormat: 'date' } } as const;
    const { run, asked } = startedLookups({ rules });
    await run(0);
    await run(15);
    await run(24 * 60);
    expect(asked).toEqual([
      'list 2026-01-14T00:00:00.000Z..2026-01-15T00:00:00.000Z',
      'list 2026-01-13T00:00:00.000Z..2026-01-14T00:00:00.000Z',
      'list 2026-01-15T00:00:00.000Z..2026-01-16T00:00:00.000Z',
      'list 2026-01-14T00:00:00.000Z..2026-01-15T00:00:00.000Z',
    ]);
  });

  it('of more than three days ago are left out after a long pause, which the log names once, and a day is listed at once at most', async () => {
    const { run, asked, errors, lines } = startedLookups({ rules: onlyOneList });
    const day = 24 * 60;
    await run(0);
    errors.push({ kind: 'unauthorized', operation: 'x', status: 401, body: '' });
    await expect(run(10 * day)).rejects.toThrow(LookupsRefusedError);
    asked.length = 0;
    await run(10 * day + 15);
    expect(lines.filter(({ name }) => name === 'LOOKUPS_SKIPPED').map(({ fields }) => fields)).toEqual([
      { pass: 'list after 30 min', since: at(-30), until: at(7 * day - 30) },
    ]);
    expect(asked.slice(0, 3)).toEqual(
      [7, 8, 9].map((days) => `list ${at(days * day - 30)}..${at((days + 1) * day - 30)}`),
    );
  });
});

describe('a run that ends early', () => {
  const known = ['a', 'b', 'c', 'd', 'e'].map((id) => message(id, 0));

  it('is continued by the next one where it ended', async () => {
    const { run, asked, statusOf, counts } = startedLookups({ known, rules: onlyOneList });
    await run(31, 1);
    expect(counts.get('lookupsUnfinished')).toBe(1);
    await run(32, 1);
    await run(33, 1);
    const span = `list ${at(-59)}..${at(1)}`;
    expect(asked).toEqual([span, `${span} 2`, `${span} 4`]);
    for (const { id } of known) expect(await statusOf(id)).toBe('delivered');
  });

  it.each([
    ['the time is over', undefined],
    ['the service does not answer', { kind: 'timeout', operation: 'x', afterMs: 1 } as const],
  ])('in a long list because %s, gives another pass its turn first', async (_, error) => {
    const { run, errors, asked, statusOf, state } = startedLookups({
      known: [...known, message('p', 0)],
      stored: [pending('p', 0)],
      rules: { ...contract, list: onlyOneList.list },
    });
    errors.push(error);
    await run(31, 1).catch((thrown) => expect(thrown).toBeInstanceOf(LookupsRefusedError));
    expect(await statusOf('p')).toBe('sent');
    await run(32, 1);
    expect(asked.at(-1)).toBe('message p');
    expect(await statusOf('p')).toBe('delivered');
    await run(33);
    for (const { id } of known) expect(await statusOf(id)).toBe('delivered');
    expect(state().stoppedAt).toBeUndefined();
  });

  it('because the service asks to wait, asks nothing more, and the next one goes on', async () => {
    const { run, errors, asked, counts, statusOf } = startedLookups({ known, rules: onlyLists });
    errors.push(undefined, {
      kind: 'too-many-requests',
      operation: 'x',
      status: 429,
      body: '',
      retryAfterMs: 600_000,
    });
    await run(31);
    expect(asked).toHaveLength(2);
    expect(counts.get('lookupsUnfinished')).toBe(1);
    await run(46);
    expect(asked[2]).toBe(asked[1]);
    for (const { id } of known) expect(await statusOf(id)).toBe('delivered');
  });

  it('because the service refuses, fails without its words, and the next one goes on', async () => {
    const { run, errors, counts, statusOf, text } = startedLookups({ known, rules: onlyLists });
    errors.push({ kind: 'unauthorized', operation: 'x', status: 401, body: 'no key of +12025550143' });
    await expect(run(31)).rejects.toThrow(new LookupsRefusedError('unauthorized (status 401)'));
    expect(counts.get('lookupsFailed')).toBe(1);
    expect(text()).not.toContain('2025550143');
    await run(46);
    for (const { id } of known) expect(await statusOf(id)).toBe('delivered');
  });

  it('because its page expired, is continued by one that begins the span again', async () => {
    const { run, errors, asked, statusOf } = startedLookups({ known, rules: onlyLists });
    errors.push(undefined, { kind: 'bad-request', operation: 'x', status: 400, body: 'cursor expired' });
    await expect(run(31)).rejects.toThrow(LookupsRefusedError);
    asked.length = 0;
    await run(46);
    expect(asked[0]).toBe(`list ${at(-59)}..${at(1)}`);
    for (const { id } of known) expect(await statusOf(id)).toBe('delivered');
  });

  it('because the service breaks at a list, leaves the other passes their turn, and is left out after a day', async () => {
    const { run, errors, asked, lines, state } = startedLookups({ rules: onlyLists });
    const broken = { kind: 'server', operation: 'x', status: 500, body: '', retryAfterMs: null } as const;
    await run(0);
    for (let runs = 0; runs < 96; runs += 1) {
      asked.length = 0;
      errors.push(broken);
      await expect(run(31)).rejects.toThrow('server (status 500)');
      expect(asked[0]).toBe(`list ${at(-30)}..${at(1)}`);
    }
    expect(lines.filter(({ name }) => name === 'LOOKUPS_SKIPPED')).toHaveLength(1);
    expect(state().progress['list after 1440 min']).toEqual({ doneUntil: at(31 - 1440) });
    asked.length = 0;
    await run(46);
    expect(asked[0]).toBe(`list ${at(1)}..${at(16)}`);
  });

  it('because one of the listed sends is refused, leaves that out', async () => {
    const { run, errors, statusOf } = startedLookups({
      known: ['a1', 'b1', 'c1'].map((id) => message(id, 0)),
      rules: { ...onlyLists, list: { ...list, sendId: 'id', afterMinutes: [30] } },
      listsSends: true,
    });
    errors.push(undefined, { kind: 'not-found', operation: 'x', status: 404, body: '' });
    await run(31);
    expect([await statusOf('a1'), await statusOf('b1'), await statusOf('c1')]).toEqual([
      undefined,
      'delivered',
      'delivered',
    ]);
  });

  it('because the service breaks at one of the listed sends, asks for that one again', async () => {
    const { run, errors, statusOf } = startedLookups({
      known: ['a1', 'b1', 'c1'].map((id) => message(id, 0)),
      rules: { ...onlyLists, list: { ...list, sendId: 'id', afterMinutes: [30] } },
      listsSends: true,
    });
    errors.push(undefined, {
      kind: 'server',
      operation: 'x',
      status: 503,
      body: '',
      retryAfterMs: null,
    });
    await expect(run(31)).rejects.toThrow('server (status 503)');
    await run(31);
    for (const id of ['a1', 'b1', 'c1']) expect(await statusOf(id)).toBe('delivered');
  });

  it('because the place in the pending list is no longer valid, begins the span again', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `a${index}`);
    const { run, statusOf, spoilCursor } = startedLookups({
      known: ids.map((id) => message(id, 0)),
      stored: ids.map((id) => pending(id, 0)),
      rules: onlyMessages,
    });
    await run(16, 20);
    spoilCursor();
    await run(31);
    for (const id of ids) expect(await statusOf(id)).toBe('delivered');
  });

  it('leaves the other pending messages to the next one', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `a${index}`);
    const { run, statusOf, asked } = startedLookups({
      known: ids.map((id) => message(id, 0)),
      stored: ids.map((id) => pending(id, 0)),
      rules: onlyMessages,
    });
    await run(16, 20);
    expect(asked.length).toBeLessThan(30);
    await run(31);
    for (const id of ids) expect(await statusOf(id)).toBe('delivered');
    expect(new Set(asked).size).toBe(50);
  });
});

describe('an answer that the database did not store', () => {
  const throttled = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });

  it.each([
    ['of a list', { rules: onlyOneList }, 31],
    ['about a pending message', { rules: onlyMessages, stored: [pending('a', 0)] }, 16],
  ] as const)('%s fails the run, and is stored by the next one', async (_, parts, minutes) => {
    const { run, failures, statusOf } = startedLookups({ known: [message('a', 0)], ...parts });
    failures.message.push(throttled);
    await expect(run(minutes)).rejects.toThrow(throttled);
    expect(await statusOf('a')).not.toBe('delivered');
    await run(minutes);
    expect(await statusOf('a')).toBe('delivered');
  });

  it('as an opt-out fails the run, and is recorded by the next one', async () => {
    const { run, failures, history, statusOf } = startedLookups({
      known: [message('a', 0, 'failed')],
      rules: onlyOneList,
    });
    failures.optOut.push(throttled);
    await expect(run(31)).rejects.toThrow(throttled);
    await run(31);
    expect(await statusOf('a')).toBe('failed');
    expect(await history.register.read('+12025550143')).toEqual({ state: 'out' });
  });
});

describe('a place in a list that is too large to be stored', () => {
  const sends = Array.from({ length: 2000 }, (_, number) => ({
    ...message(`m${number}`, 0),
    send: `send-${number}`.padEnd(36, '-'),
  }));

  it.each<[string, Parts]>([
    ['name of a next page', { known: ['a1', 'a2', 'a3'].map((id) => message(id, 0)), pageLength: 70_000 }],
    ['list of sends', { known: sends, listsSends: true }],
  ])('because of its %s is skipped after a day, and the lookups go on', async (_name, parts) => {
    const { run, asked, lines, state } = startedLookups({ ...parts, rules: onlyOneList });
    for (let runs = 0; runs < 96; runs += 1)
      await expect(run(31)).rejects.toThrow('expected a next page and sends of at most 65536 bytes');
    expect(lines.filter(({ name }) => name === 'LOOKUPS_SKIPPED')).toHaveLength(1);
    expect(state().progress['list after 30 min']).toEqual({ doneUntil: at(1) });
    asked.length = 0;
    await run(46);
    expect(asked).toEqual([`list ${at(1)}..${at(16)}`]);
  });
});

describe('a service whose pages never end', () => {
  it.each([
    ['of a list', { rules: onlyOneList }, 31],
    ['of a send', { rules: onlySends, stored: [pending('a', 0, 'send-a')] }, 16],
  ] as const)(
    'is asked for so many %s at most, and the run fails with the reason',
    async (_, parts, minutes) => {
      const { run, asked, lines } = startedLookups({ ...parts, neverEnds: true });
      await expect(run(minutes)).rejects.toThrow(
        'unexpected answer (status 200): expected a last page within 10,000 pages',
      );
      expect(asked).toHaveLength(10_000);
      expect(lines.filter(({ name }) => name === 'LOOKUP_FAILED')).toHaveLength(1);
    },
  );
});
