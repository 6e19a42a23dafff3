import { describe, expect, it } from 'vitest';
import { invocationDeadline } from '../../../../../functions/base/basics.ts';
import type { Message } from '../../../../../functions/history/message.ts';
import { type SweepDependencies, SweepError, sweep } from '../../../../../functions/history/sweep/sweep.ts';
import { memoryHistory } from '../../../../support/fakes/history.ts';
import { recorder } from '../../../../support/recorder.ts';
import { readAll, report } from '../../../../support/suites/reports.ts';

const now = Date.parse('2026-01-18T12:00:00.000Z');
const plenty = () => 60_000;

const named = (name: string) => Object.assign(new Error('about +12025550143'), { name });

const idOf = ({ messageId }: Message) => messageId;
/** The message m0 is the newest. */
const openMessage = (id: number) => report(`m${id}`, `e${id}`, 'sent', -3600 - id, { received: -3600 - id });

interface Parts {
  readonly staleAfterHours?: number;
  readonly messages?: number;
  /** What happens to a message instead of being marked. */
  readonly fate?: (id: string) => 'changed' | Error | undefined;
  /** What happens to the nth page instead of being read. */
  readonly pageFails?: (page: number) => Error | undefined;
}

/** A sweep of a history in memory. */
function sweeper({
  messages = 3,
  fate = () => undefined,
  pageFails = () => undefined,
  staleAfterHours = 72,
}: Parts = {}) {
  const { log, count, ...recorded } = recorder();
  const open = Array.from({ length: messages }, (_, id) => openMessage(id));
  const history = memoryHistory({ messages: open });
  const asked: { until: string | undefined; limit: number }[] = [];
  const reports: string[] = [];
  let time = now;
  let underWay = 0;
  let mostUnderWay = 0;
  const dependencies: SweepDependencies = {
    pending: async (query, page) => {
      asked.push({ until: query.until, limit: page.limit });
      const failure = pageFails(asked.length);
      if (failure !== undefined) throw failure;
      return history.pending(query, page);
    },
    marker: {
      mark: async (message, report) => {
        underWay += 1;
        mostUnderWay = Math.max(mostUnderWay, underWay);
        await Promise.resolve();
        underWay -= 1;
        const outcome = fate(message.messageId);
        if (outcome instanceof Error) throw outcome;
        if (outcome !== undefined) return outcome;
        reports.push(`${message.messageId} ${report.status} ${report.occurredAt}`);
        return history.marker.mark(message, report);
      },
    },
    staleAfterHours,
    clock: () => time,
    log,
    count,
  };
  return {
    ...recorded,
    asked,
    reports,
    left: async () => (await readAll((page) => history.pending({}, page), 100)).map(idOf),
    mostUnderWay: () => mostUnderWay,
    run: (remainingMs = plenty, at = now) => {
      time = at;
      return sweep(dependencies, invocationDeadline({ getRemainingTimeInMillis: remainingMs }, 10_000));
    },
  };
}

describe('a sweep', () => {
  it('marks messages as stale that were first received too long ago, over all pages', async () => {
    const { run, asked, reports, left, counts, lines, mostUnderWay } = sweeper({ messages: 250 });
    await run();
    expect(await left()).toEqual([]);
    expect(reports[0]).toBe('m0 unknown 2026-01-18T11:00:00.000Z');
    expect(asked).toEqual(Array(3).fill({ until: '2026-01-15T12:00:00.000Z', limit: 100 }));
    expect(counts.get('staleMarked')).toBe(250);
    expect(lines).toEqual([{ name: 'STALE_MARKED', fields: { messages: 250 } }]);
    expect(mostUnderWay()).toBeLessThanOrEqual(16);
  });

  it('gives each message of a page the report of its own wait', async () => {
    const { run, reports } = sweeper();
    await run();
    expect(reports.sort()).toEqual([
      'm0 unknown 2026-01-18T11:00:00.000Z',
      'm1 unknown 2026-01-18T10:59:59.000Z',
      'm2 unknown 2026-01-18T10:59:58.000Z',
    ]);
  });

  it('logs nothing if no message is stale', async () => {
    const { run, lines, counts } = sweeper({ messages: 0 });
    await run();
    expect([lines, [...counts]]).toEqual([[], []]);
  });

  it('skips a message that has changed meanwhile, and does not read it again', async () => {
    const { run, left, asked, counts } = sweeper({ fate: (id) => (id === 'm1' ? 'changed' : undefined) });
    await run();
    expect(await left()).toEqual(['m1']);
    expect([asked.length, counts.get('staleMarked')]).toEqual([1, 2]);
  });
});

it('a sweep marks nothing where messages never become stale', async () => {
  const { run, reports, asked } = sweeper({ staleAfterHours: 0 });
  await run();
  expect([reports, asked]).toEqual([[], []]);
});

describe('a sweep that cannot finish', () => {
  it('stops in time to report that, and the next sweep continues', async () => {
    const { run, left, lines } = sweeper({ messages: 150 });
    let asked = 0;
    await run(() => {
      asked += 1;
      return asked > 120 ? 9_999 : 60_000;
    });
    const rest = (await left()).length;
    expect(rest).toBeGreaterThan(0);
    expect(lines).toContainEqual({ name: 'STALE_MARKED', fields: { messages: 150 - rest } });
    expect(lines).toContainEqual({ name: 'SWEEP_UNFINISHED', fields: { reason: 'time' } });
    await run();
    expect(await left()).toEqual([]);
  });

  it('begins nothing when no time is left', async () => {
    const { run, asked, lines, counts } = sweeper();
    await run(() => 9_999);
    expect(asked).toEqual([]);
    expect(counts.get('sweepUnfinished')).toBe(1);
    expect(lines).toEqual([{ name: 'SWEEP_UNFINISHED', fields: { reason: 'time' } }]);
  });

  it.each(['ThrottlingException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded'])(
    'stops at %s without failing, and leaves the rest to the next sweep',
    async (name) => {
      const { run, asked, left, lines } = sweeper({
        messages: 250,
        fate: (id) => (id === 'm10' ? named(name) : undefined),
      });
      await run();
      expect(asked).toHaveLength(1);
      expect((await left()).length).toBeGreaterThan(200);
      expect(lines).toContainEqual({ name: 'SWEEP_UNFINISHED', fields: { reason: 'throttling' } });
    },
  );

  it('stops if reading the list is throttled', async () => {
    const { run, lines } = sweeper({ pageFails: () => named('ThrottlingException') });
    await run();
    expect(lines).toEqual([{ name: 'SWEEP_UNFINISHED', fields: { reason: 'throttling' } }]);
  });

  it('continues after single failures, then fails, and reports names and numbers only', async () => {
    const { run, left, lines, counts, text } = sweeper({
      messages: 120,
      fate: (id) => (id === 'm3' || id === 'm110' ? named('InternalServerError') : undefined),
    });
    const failure = run();
    await expect(failure).rejects.toBeInstanceOf(SweepError);
    await expect(failure).rejects.toThrow('InternalServerError');
    await expect(failure).rejects.not.toThrow('2025550143');
    expect(await left()).toEqual(['m3', 'm110']);
    expect(counts.get('storeFailures')).toBe(2);
    expect(lines).toContainEqual({
      name: 'SWEEP_FAILED',
      fields: { error: 'InternalServerError', times: 2 },
    });
    expect(text()).not.toContain('2025550143');
  });

  it('logs the marked messages when a later page cannot be read', async () => {
    const { run, lines } = sweeper({
      messages: 150,
      pageFails: (page) => (page === 2 ? named('AccessDeniedException') : undefined),
    });
    await expect(run()).rejects.toThrow('AccessDeniedException');
    expect(lines.map(({ name }) => name)).toEqual(['STALE_MARKED', 'SWEEP_FAILED']);
    expect(lines[0]?.fields).toEqual({ messages: 100 });
  });
});
