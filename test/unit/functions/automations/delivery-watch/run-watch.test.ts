import { describe, expect, it } from 'vitest';
import { quarterMs } from '../../../../../functions/automations/delivery-watch/rules/counters.ts';
import {
  type RunWatchDependencies,
  runWatch,
  WatchEventError,
} from '../../../../../functions/automations/delivery-watch/run-watch.ts';
import type {
  StoredWatch,
  WatchStore,
} from '../../../../../functions/automations/delivery-watch/watch-state-store.ts';
import { timeName } from '../../../../../functions/insights/counters/count-names.ts';
import { bucketOf } from '../../../../../functions/insights/counters/delivery-times.ts';
import { type BusEvent, detailSchemas } from '../../../../../functions/publish/bus/details.ts';
import type { PublishOutcome } from '../../../../../functions/publish/bus/event-bus-client.ts';
import { recorder } from '../../../../support/recorder.ts';
import { report } from '../../../../support/suites/reports.ts';

const quarter = Date.parse('2026-11-23T10:00:00Z');
const minute = 60_000;
/** A quarter hour that ended at 10:15 is judged from 10:18 on. */
const dueAt = quarter + quarterMs + 3 * minute;

const bucket = timeName(bucketOf(6000));
const usual = { delivered: 380, failed: 20, [bucket]: 380 };
const bad = { delivered: 200, failed: 200, [bucket]: 200 };

/** Counters of one country: the same at all times, except for those that are given by the start of their quarter hour. */
function counters(
  others: Readonly<Record<number, Readonly<Record<string, number>>>>,
  until = quarter + quarterMs,
) {
  return {
    sends: async () => ({ sends: [], next: undefined }),
    async quarters(from: number, end: number) {
      const starts: number[] = [];
      for (let start = from; start < end && start <= until; start += quarterMs) starts.push(start);
      // The past varies a little, as real traffic does.
      return starts.map((start) => {
        const wobble = ((start / quarterMs) % 5) - 2;
        const tally = { ...usual, delivered: usual.delivered + wobble, failed: usual.failed - wobble };
        return { start, country: 'DE', source: 'main', tally: others[start] ?? tally };
      });
    },
  };
}

function memoryStore(): WatchStore & { current: StoredWatch } {
  const store = {
    current: {
      judgedTo: undefined,
      state: new Map(),
      badSends: new Map(),
      unpublished: [],
    } as StoredWatch,
    read: async () => store.current,
    write: async (next: StoredWatch) => {
      store.current = next;
      return true;
    },
  };
  return store;
}

function watch(options: Partial<RunWatchDependencies>, outcomes: PublishOutcome['kind'][] = []) {
  const { log, count, ...recorded } = recorder();
  const events: BusEvent[] = [];
  const store = memoryStore();
  const dependencies: RunWatchDependencies = {
    counters: counters({ [quarter]: bad }),
    lists: { failed: async () => ({ entries: [] }), send: async () => ({ entries: [] }) },
    store,
    bus: {
      publish: async (batch) =>
        batch.map((event): PublishOutcome => {
          const kind = outcomes.shift() ?? 'published';
          if (kind === 'published') events.push(event);
          return kind === 'published' ? { kind } : { kind, error: 'ThrottlingException' };
        }),
    },
    clock: () => dueAt,
    log,
    count,
    ...options,
  };
  return { ...recorded, events, store, run: (at = dueAt) => runWatch({ ...dependencies, clock: () => at }) };
}

const named = (events: readonly BusEvent[]) =>
  events.map(({ detailType, detail }) => `${detailType}: ${'subject' in detail ? detail.subject : ''}`);

describe('the delivery watch', () => {
  it('publishes a degraded country once, with its figures', async () => {
    const { events, run } = watch({});
    await run();
    await run(dueAt + 5 * minute);
    expect(named(events)).toContain('SMS Delivery Degraded: country');
    const ids = events.map(({ detail }) => detail.eventId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { detailType, detail } of events)
      expect(detailSchemas[detailType].safeParse(detail).success).toBe(true);
    expect(events.find(({ detail }) => 'country' in detail)?.detail).toMatchObject({
      country: 'DE',
      since: '2026-11-23T10:00:00.000Z',
      figures: [{ signal: 'delivery-rate', value: 0.5, messages: 400, comparedWith: 'weeks' }],
    });
  });

  it('publishes the recovery after an hour of usual figures', async () => {
    const { events, run } = watch({ counters: counters({ [quarter]: bad }, quarter + 8 * quarterMs) });
    for (let quarters = 0; quarters < 6; quarters += 1) await run(dueAt + quarters * quarterMs);
    const ofCountry = events.filter(({ detail }) => 'country' in detail);
    expect(named(ofCountry)).toEqual(['SMS Delivery Degraded: country', 'SMS Delivery Recovered: country']);
  });

  it('publishes an event again, with the same id, until the bus confirms it', async () => {
    const { events, store, run } = watch({}, ['failed', 'failed']);
    await expect(run()).rejects.toThrow(WatchEventError);
    const kept = store.current.unpublished.map(({ detail }) => detail.eventId);
    expect(kept.length).toBeGreaterThan(0);
    await run(dueAt + 5 * minute);
    expect(events.map(({ detail }) => detail.eventId)).toEqual(expect.arrayContaining(kept));
    expect(store.current.unpublished).toEqual([]);
  });

  it('does not publish what another run has judged meanwhile', async () => {
    const store = { ...memoryStore(), write: async () => false };
    const { events, run } = watch({ store });
    await run();
    expect(events).toEqual([]);
  });

  it('publishes nothing, and lets the next run judge, where its state could not be stored', async () => {
    const store = memoryStore();
    let failures = 1;
    const broken: WatchStore = {
      read: store.read,
      write: async (next) => {
        if (failures-- > 0) throw new Error('ProvisionedThroughputExceededException');
        return store.write(next);
      },
    };
    const { events, run } = watch({ store: broken });
    await expect(run()).rejects.toThrow('ProvisionedThroughputExceededException');
    expect(events).toEqual([]);
    await run(dueAt + 5 * minute);
    expect(named(events)).toContain('SMS Delivery Degraded: country');
  });

  it('publishes again with the same id where the state could not be stored after it published', async () => {
    const store = memoryStore();
    const answers = [true, false];
    const lost: WatchStore = {
      read: store.read,
      write: async (next) => {
        if (answers.shift() === false) throw new Error('TimeoutError');
        return store.write(next);
      },
    };
    const { events, run } = watch({ store: lost });
    await expect(run()).rejects.toThrow('TimeoutError');
    const published = events.map(({ detail }) => detail.eventId);
    await run(dueAt + 5 * minute);
    expect(events.slice(published.length).map(({ detail }) => detail.eventId)).toEqual(published);
    await run(dueAt + 10 * minute);
    expect(events).toHaveLength(2 * published.length);
  });

  it('judges the last four quarter hours in their order after hours without a run', async () => {
    const later = quarter + 20 * quarterMs;
    const seen: number[] = [];
    const store = memoryStore();
    const recorded: WatchStore = {
      read: store.read,
      write: async (next) => {
        seen.push(next.judgedTo ?? 0);
        return store.write(next);
      },
    };
    store.current = { ...store.current, judgedTo: quarter };
    const { run } = watch({ store: recorded, counters: counters({}, later + quarterMs) });
    await run(later + quarterMs + 3 * minute);
    expect(seen).toEqual([4, 3, 2, 1, 0].map((back) => later - back * quarterMs));
  });
});

describe('the delivery watch of several sources', () => {
  const both = (ofBackup: Readonly<Record<number, Readonly<Record<string, number>>>>, since = 0) => {
    const main = counters({}, quarter + 8 * quarterMs);
    const backup = counters(ofBackup, quarter + 8 * quarterMs);
    return {
      ...main,
      quarters: async (from: number, until: number) => [
        ...(await main.quarters(from, until)),
        ...(await backup.quarters(from, until))
          .filter(({ start }) => start >= since)
          .map((each) => ({ ...each, source: 'backup' })),
      ],
    };
  };
  const ofProviders = (events: readonly BusEvent[]) =>
    events.filter(({ detailType }) => detailType.startsWith('SMS Provider'));

  it('publishes a degraded source once with the figures of the others, and its recovery', async () => {
    const failed = [
      report('backup/m-1', 'e-1', 'failed', 0, { occurredAt: new Date(quarter).toISOString() }),
    ];
    const lists = { failed: async () => ({ entries: failed }), send: async () => ({ entries: [] }) };
    const { counts, events, lines, store, run } = watch({ counters: both({ [quarter]: bad }), lists });
    await run();
    const [degraded, ...others] = ofProviders(events);
    expect(others).toEqual([]);
    expect(degraded?.detailType).toBe('SMS Provider Degraded');
    expect(degraded?.detail).toMatchObject({
      source: 'backup',
      since: '2026-11-23T10:00:00.000Z',
      figures: [{ signal: 'delivery-rate', value: 0.5, messages: 400, comparedWith: 'weeks' }],
      otherSources: [{ source: 'main', messages: 400 }],
      examples: [{ source: 'backup', messageId: 'm-1' }],
    });
    expect(lines).toContainEqual({
      name: 'DELIVERY_DEGRADED',
      fields: { subject: 'source:backup', signals: 'delivery-rate' },
    });
    expect(counts.get('subjectsDegraded')).toBe([...store.current.state.keys()].length);
    for (let quarters = 1; quarters < 7; quarters += 1) await run(dueAt + quarters * quarterMs);
    const [, recovered] = ofProviders(events);
    expect(recovered).toMatchObject({
      detailType: 'SMS Provider Recovered',
      detail: { source: 'backup', since: '2026-11-23T10:00:00.000Z', examples: [] },
    });
    expect(ofProviders(events)).toHaveLength(2);
    for (const { detailType, detail } of events)
      expect(detailSchemas[detailType].safeParse(detail).success).toBe(true);
  });

  it('publishes that a new source is slow on its first day', async () => {
    const late = { delivered: 300, sent: 100, [bucket]: 300 };
    const begun = quarter - 4 * quarterMs;
    const reads = both({ [begun]: late, [begun + quarterMs]: late, [quarter - quarterMs]: late }, begun);
    const { events, run } = watch({ counters: reads });
    await run();
    expect(ofProviders(events).map(({ detail }) => detail)).toMatchObject([
      {
        source: 'backup',
        since: '2026-11-23T09:45:00.000Z',
        figures: [{ signal: 'slow-share', value: 0.25, limit: 0.15, comparedWith: 'limit', quarterHours: 0 }],
        otherSources: [{ source: 'main', deliveryRate: 0.955 }],
      },
    ]);
  });
});

/** Counters that stopped at a time. In a quarter hour that they have begun, most messages are counted without their outcome. */
function stoppingCounters(others: Readonly<Record<number, Readonly<Record<string, number>>>> = {}) {
  const whole = counters(others, quarter + 24 * quarterMs);
  const reads = {
    ...whole,
    countedTo: quarter,
    async quarters(from: number, end: number) {
      const all = await whole.quarters(from, end);
      return all.flatMap((one) => {
        const minutes = (reads.countedTo - one.start) / minute;
        if (minutes <= 0) return [];
        return minutes < 15 ? [{ ...one, tally: { delivered: 60, sent: 200, [bucket]: 60 } }] : [one];
      });
    },
  };
  return reads;
}

/** Runs the watch every two minutes, as its schedule does. */
async function runUntil(run: (at: number) => Promise<void>, from: number, until: number) {
  for (let at = from; at < until; at += 2 * minute) await run(at);
}

describe('the delivery watch of counters that are behind', () => {
  const begin = quarter + quarterMs;
  const judgedBefore = quarter - quarterMs;

  function watchOf(reads: ReturnType<typeof stoppingCounters>) {
    const watched = watch({ counters: reads });
    watched.store.current = { ...watched.store.current, judgedTo: judgedBefore };
    return watched;
  }

  it.each([16, 18, 29, 45])('finds an incident that was counted %i minutes late', async (late) => {
    const reads = stoppingCounters({ [quarter]: bad, [quarter + quarterMs]: bad });
    const { events, lines, run } = watchOf(reads);
    for (let at = begin; at < begin + 2 * 60 * minute; at += 2 * minute) {
      reads.countedTo = at - late * minute;
      await run(at);
    }
    expect(named(events)).toContain('SMS Delivery Degraded: country');
    expect(events[0]?.detail).toMatchObject({ since: new Date(quarter).toISOString() });
    expect(lines.filter(({ name }) => name === 'QUARTERS_SKIPPED')).toEqual([]);
  });

  it('waits for a quarter hour that is not counted at all, and judges it when the counters have caught up', async () => {
    const reads = stoppingCounters({ [quarter]: bad });
    const { events, store, run } = watchOf(reads);
    await runUntil(run, begin, begin + 40 * minute);
    expect([store.current.judgedTo, events]).toEqual([judgedBefore, []]);
    reads.countedTo = begin + 40 * minute;
    await run(begin + 40 * minute);
    expect(store.current.judgedTo).toBe(quarter + 2 * quarterMs);
    expect(named(events)).toContain('SMS Delivery Degraded: country');
  });

  it('never takes a quarter hour that is half counted for a drop', async () => {
    const reads = stoppingCounters();
    reads.countedTo = quarter + minute;
    const { events, run } = watchOf(reads);
    await runUntil(run, begin, begin + 5 * 60 * minute);
    reads.countedTo = begin + 5 * 60 * minute;
    await runUntil(run, begin + 5 * 60 * minute, begin + 7 * 60 * minute);
    expect(events).toEqual([]);
  });

  it('shows in the log which quarter hours it has skipped, each once, and judges the newest four in their order', async () => {
    const reads = stoppingCounters({ [quarter + 18 * quarterMs]: bad });
    const { events, lines, store, run } = watchOf(reads);
    const caughtUp = begin + 5 * 60 * minute;
    await runUntil(run, begin, caughtUp);
    const skipped = lines.filter(({ name }) => name === 'QUARTERS_SKIPPED');
    expect(skipped[0]?.fields).toEqual({
      from: '2026-11-23T10:00:00.000Z',
      until: '2026-11-23T10:15:00.000Z',
      quarters: 1,
    });
    const froms = skipped.map(({ fields }) => fields?.from);
    expect(new Set(froms).size).toBe(froms.length);
    expect(store.current.judgedTo).toBe(quarter + 15 * quarterMs);
    expect(events).toEqual([]);
    reads.countedTo = caughtUp;
    await run(caughtUp + 3 * minute);
    expect(store.current.judgedTo).toBe(quarter + 19 * quarterMs);
    expect(named(events)).toContain('SMS Delivery Degraded: country');
    expect(events[0]?.detail).toMatchObject({ since: new Date(quarter + 18 * quarterMs).toISOString() });
  });

  it('ends an incident after a day without a verdict, where the counters stop for ever', async () => {
    const reads = stoppingCounters({ [quarter]: bad });
    reads.countedTo = begin + 5 * minute;
    const { counts, events, run } = watchOf(reads);
    await run(dueAt);
    const found = named(events).filter((name) => name.includes('Degraded')).length;
    expect(found).toBeGreaterThan(0);
    for (let quarters = 1; quarters < 90; quarters += 1) await run(dueAt + quarters * quarterMs);
    expect(events).toHaveLength(found);
    for (let quarters = 90; quarters < 110; quarters += 1) await run(dueAt + quarters * quarterMs);
    expect(named(events).filter((name) => name.includes('Recovered'))).toHaveLength(found);
    const before = counts.get('subjectsDegraded');
    await run(dueAt + 110 * quarterMs);
    expect(counts.get('subjectsDegraded')).toBe(before);
  });

  it('takes a later reply for a sign that messages are counted, and nothing that lies ahead', async () => {
    const usualReads = counters({ [quarter]: bad }, quarter);
    let signs = [{ start: quarter + 2 * quarterMs, country: 'DE', source: 'main', tally: { replies: 1 } }];
    const reads = {
      ...usualReads,
      quarters: async (from: number, until: number) => [
        ...(await usualReads.quarters(from, until)),
        ...signs.filter(({ start }) => from <= start && start < until),
      ],
    };
    const { store, run } = watch({ counters: reads });
    store.current = { ...store.current, judgedTo: judgedBefore };
    await run(dueAt);
    expect(store.current.judgedTo).toBe(judgedBefore);
    signs = [{ start: quarter + quarterMs, country: 'FR', source: 'main', tally: { replies: 1 } }];
    await run(dueAt);
    expect(store.current.judgedTo).toBe(quarter);
  });

  it('writes and logs nothing before the first message', async () => {
    const { lines, store, run } = watch({ counters: { ...counters({}), quarters: async () => [] } });
    await runUntil(run, begin, begin + 3 * 60 * minute);
    expect([lines, store.current.judgedTo]).toEqual([[], undefined]);
  });
});

describe('the delivery watch of a send with a bad list', () => {
  const sentAt = (index: number) => new Date(quarter + index * 1000).toISOString();
  const messages = Array.from({ length: 100 }, (_, index) =>
    report(`m-${index}`, `e-${index}`, index < 20 ? 'delivered' : 'failed', 0, {
      phone: '+493023125001',
      sendId: 'spring',
      occurredAt: sentAt(index),
    }),
  );
  const spring = { sendId: 'spring', first: quarter, tally: { delivered: 20, failed: 80 } };
  /** Of 400 messages 100 belong to the send; the others are as usual. */
  const withSend = { delivered: 305, failed: 95, [bucket]: 285 };
  const bySend = {
    ...counters({ [quarter]: withSend, [quarter + quarterMs]: withSend }, quarter + 2 * quarterMs),
    sends: async () => ({ sends: [spring], next: undefined }),
  };
  const lists = {
    failed: async () => ({ entries: [] }),
    send: async () => ({ entries: messages }),
  };

  it('publishes the send in place of the country, with failed messages of it', async () => {
    const { counts, events, lines, run } = watch({ counters: bySend, lists });
    await run();
    expect(named(events)).toEqual(['SMS Delivery Degraded: send']);
    expect(events[0]?.detail).toMatchObject({
      sendId: 'spring',
      figures: [{ signal: 'delivery-rate', value: 0.2, messages: 100 }],
      examples: ['m-20', 'm-21', 'm-22', 'm-23', 'm-24'].map((messageId) => ({
        messageId,
        sendId: 'spring',
      })),
    });
    expect(counts.get('subjectsDegraded')).toBeUndefined();
    expect(lines).toContainEqual({
      name: 'SEND_DEGRADED',
      fields: { sendId: 'spring', signals: 'delivery-rate' },
    });
  });

  it('publishes it once, though it makes the next quarter hour worse too', async () => {
    const next = messages.map((_, index) =>
      report(`n-${index}`, `f-${index}`, index < 20 ? 'delivered' : 'failed', 0, {
        phone: '+493023125001',
        sendId: 'spring',
        occurredAt: new Date(quarter + quarterMs + index * 1000).toISOString(),
      }),
    );
    const both = { ...lists, send: async () => ({ entries: [...next, ...messages] }) };
    const { events, store, run } = watch({ counters: bySend, lists: both });
    await run();
    await run(dueAt + quarterMs);
    expect(store.current.judgedTo).toBe(quarter + quarterMs);
    expect(named(events)).toEqual(['SMS Delivery Degraded: send']);
  });
});
