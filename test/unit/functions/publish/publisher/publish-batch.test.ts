import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invocationDeadline } from '../../../../../functions/base/basics.ts';
import { staleEventId } from '../../../../../functions/history/message.ts';
import { createStopHints } from '../../../../../functions/history/opt-out/keyword.ts';
import type { BusEvent } from '../../../../../functions/publish/bus/details.ts';
import type {
  EventBus,
  PublishFailure,
  PublishOutcome,
} from '../../../../../functions/publish/bus/event-bus-client.ts';
import { publishBatch } from '../../../../../functions/publish/publisher/publish-batch.ts';
import { keywordOf } from '../../../../../tools/support/keywords.ts';
import { type Judge, memoryBus } from '../../../../support/fakes/event-bus.ts';
import { assertProperty } from '../../../../support/property.ts';
import { recorder } from '../../../../support/recorder.ts';
import {
  messageImage,
  messageRecord,
  optOutImage,
  reportEntry,
  reportStatuses,
  streamRecord,
} from './stream-records.ts';

const published: PublishOutcome = { kind: 'published' };
const throttled: PublishOutcome = { kind: 'failed', error: 'ThrottlingException' };
const tooLarge: PublishOutcome = { kind: 'refused', error: 'TooLarge' };

interface World {
  /** What becomes of an event that is asked for the nth time in all. */
  readonly judge?: Judge;
  readonly keep?: (failure: PublishFailure) => Promise<void>;
  readonly remainingMs?: number;
  /** How long the bus takes, in milliseconds. */
  readonly callMs?: number;
}

/** One instance of the publisher; time passes only while it sleeps and the bus takes its own. */
function publisher({ judge = () => published, keep, remainingMs = 60_000, callMs = 0 }: World = {}) {
  const hadTime: boolean[] = [];
  const calls: string[][] = [];
  const { publish, published: onBus } = memoryBus(judge);
  const kept: PublishFailure[] = [];
  const sleeps: number[] = [];
  const log = recorder();
  let left = remainingMs;
  const bus: EventBus = {
    publish: async (events, deadline) => {
      calls.push(events.map(name));
      hadTime.push(deadline?.isOver() === false);
      left -= callMs;
      hadTime.push(deadline?.isOver() === false);
      return publish(events);
    },
  };
  const dependencies = {
    bus,
    failures: {
      keep: async (failure: PublishFailure) => {
        await keep?.(failure);
        kept.push(failure);
      },
    },
    options: { everyEvent: false, keywordOf, mayMeanStop: createStopHints(keywordOf) },
    sleep: async (ms: number) => {
      sleeps.push(ms);
      left -= ms;
    },
    random: () => 0.5,
    clock: () => Date.parse('2026-01-15T12:00:07.000Z'),
    log: log.log,
    count: log.count,
  };
  const run = (records: readonly DynamoDBRecord[]) =>
    publishBatch(records, dependencies, invocationDeadline({ getRemainingTimeInMillis: () => left }, 7000));
  return { run, calls, hadTime, onBus, kept, sleeps, ...log };
}

function name({ detailType, detail }: BusEvent): string {
  if (detailType === 'SMS Delivery Conflict') return `${detail.messageId} conflict`;
  return 'messageId' in detail && 'status' in detail
    ? `${detail.messageId} ${detail.status}`
    : detail.eventId;
}

const unreadable = (number: number, key: string) => streamRecord(number, key, { pk: { S: key } });

describe('a batch', () => {
  it('publishes one event of each item at a time, in the order of the stream', async () => {
    const { run, calls, counts, lines } = publisher();
    const records = [
      messageRecord(1, 'a', 1),
      messageRecord(2, 'b', 1),
      messageRecord(3, 'a', 2),
      messageRecord(4, 'a', 3),
    ];
    expect(await run(records)).toBeUndefined();
    expect(calls).toEqual([['a accepted', 'b accepted'], ['a queued'], ['a sent']]);
    expect(Object.fromEntries(counts)).toEqual({
      published: 4,
      lagToPublished: 7000,
      reportsAccepted: 2,
      reportsQueued: 1,
      reportsSent: 1,
    });
    expect(lines).toEqual([{ name: 'BATCH_PUBLISHED', fields: { records: 4, events: 4 } }]);
  });

  it('measures no lag of changes by the sweep, because the service sent nothing then', async () => {
    const { run, calls, counts } = publisher();
    const before = messageImage('a', 2);
    const marked = messageImage('a', 2, reportEntry(staleEventId, 'unknown'));
    expect(await run([streamRecord(1, 'message#a', marked, before)])).toBeUndefined();
    expect(calls[0]).toEqual(['a unknown']);
    expect(Object.fromEntries(counts)).toEqual({ published: 2 });
  });

  it('retries a failed event, and publishes nothing of its item ahead of it', async () => {
    const { run, calls, sleeps, counts } = publisher({
      judge: (event, asked) => (name(event) === 'a accepted' && asked < 3 ? throttled : published),
    });
    const records = [messageRecord(1, 'a', 1), messageRecord(2, 'a', 2), messageRecord(3, 'b', 1)];
    expect(await run(records)).toBeUndefined();
    expect(calls).toEqual([['a accepted', 'b accepted'], ['a accepted'], ['a accepted'], ['a queued']]);
    expect(sleeps).toEqual([50, 100]);
    expect(Object.fromEntries(counts)).toEqual({
      published: 3,
      publishFailures: 2,
      lagToPublished: 7000,
      reportsAccepted: 2,
      reportsQueued: 1,
    });
  });

  it('that exceeds the deadline is redelivered from the first failed record', async () => {
    const { run, sleeps, lines, onBus, counts } = publisher({
      judge: (event) => (name(event).startsWith('b') ? throttled : published),
    });
    const records = [messageRecord(1, 'a', 1), messageRecord(2, 'b', 1), messageRecord(3, 'a', 2)];
    expect(await run(records)).toBe('2');
    expect(onBus.map(name)).toEqual(['a accepted', 'a queued']);
    // The other two come again, and are counted then.
    expect([counts.get('reportsAccepted'), counts.get('reportsQueued')]).toEqual([1, undefined]);
    expect(sleeps.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(53_000);
    expect(Math.max(...sleeps)).toBe(2500);
    expect(lines).toEqual([
      { name: 'PUBLISH_FAILED', fields: { error: 'ThrottlingException', events: 1, recordsAgain: 2 } },
    ]);
  });

  it('begins nothing when no time is left', async () => {
    const { run, calls, lines } = publisher({ remainingMs: 6000 });
    expect(await run([messageRecord(1, 'a', 1)])).toBe('1');
    expect(calls).toEqual([]);
    expect(lines).toMatchObject([{ fields: { error: 'OutOfTime' } }]);
  });

  it('passes a deadline to the bus, so that no call begins with less time than a call needs', async () => {
    const { run, hadTime } = publisher({ remainingMs: 10_000, callMs: 3_001 });
    await run([messageRecord(1, 'a', 1)]);
    expect(hadTime).toEqual([true, false]);
  });

  it('fails as a whole if the record has no sequence number', async () => {
    const { run } = publisher({ judge: () => throttled });
    const { eventName, dynamodb: { Keys, NewImage } = {} } = messageRecord(1, 'a', 1);
    if (eventName === undefined || Keys === undefined || NewImage === undefined) throw new Error('no record');
    expect(await run([{ eventName, dynamodb: { Keys, NewImage } }])).toBe('');
  });
});

describe('an event that can never be published', () => {
  it('is set aside by its ids, and the batch continues', async () => {
    const { run, kept, onBus, counts, lines } = publisher({
      judge: (event) => (name(event) === 'a accepted' ? tooLarge : published),
    });
    expect(await run([messageRecord(1, 'a', 1), messageRecord(2, 'a', 2)])).toBeUndefined();
    expect(kept).toEqual([
      {
        kind: 'event-refused',
        detailType: 'SMS Delivery Status Changed',
        eventId: expect.stringMatching(/^[0-9a-f]{32}$/),
        itemKey: 'message#a',
        error: 'TooLarge',
      },
    ]);
    expect(onBus.map(name)).toEqual(['a queued']);
    expect(counts.get('publishRefused')).toBe(1);
    expect(lines[0]).toMatchObject({ name: 'PUBLISH_REFUSED', fields: { error: 'TooLarge' } });
  });

  it('leaves phone numbers out of the queue and the log', async () => {
    const { run, kept, text } = publisher({ judge: () => tooLarge });
    const key = 'optout#+12025550143';
    await run([streamRecord(1, key, optOutImage('out')), unreadable(2, 'optout#+12025550144')]);
    expect(kept.map(({ kind, itemKey }) => [kind, itemKey])).toEqual([
      ['event-refused', undefined],
      ['record-unreadable', undefined],
    ]);
    expect(JSON.stringify(kept) + text()).not.toContain('12025550');
  });

  it('names the day on which events differed from the contract', async () => {
    const { run, kept } = publisher({ judge: () => tooLarge });
    const texts = {
      kind: 'status',
      field: 'statuses',
      expected: 'a listed word',
      found: 'string',
      word: 'held',
    };
    const noted = { ...texts, shape: '{}', foundAt: '2026-01-15T12:00:00.000Z' };
    const mismatch = { M: Object.fromEntries(Object.entries(noted).map(([key, S]) => [key, { S }])) };
    const day = { day: { S: '2026-01-15' }, 'mismatch#id': mismatch };
    expect(await run([streamRecord(1, 'drift#2026-01-15', day)])).toBeUndefined();
    expect(kept).toMatchObject([{ detailType: 'SMS Contract Drifted', itemKey: 'drift#2026-01-15' }]);
  });

  it('may be an unreadable record, which does not hold up the items behind it', async () => {
    const { run, kept, onBus } = publisher();
    expect(await run([unreadable(1, 'message#x'), messageRecord(2, 'a', 1)])).toBeUndefined();
    expect(kept).toEqual([
      {
        kind: 'record-unreadable',
        recordId: 'record-1',
        itemKey: 'message#x',
        error: 'UnreadableItemError: a message without a report',
      },
    ]);
    expect(onBus.map(name)).toEqual(['a accepted']);
  });

  it('is redelivered if it cannot be set aside', async () => {
    const { run, lines } = publisher({ keep: () => Promise.reject(new TypeError('about a person')) });
    expect(await run([messageRecord(1, 'a', 1), unreadable(2, 'message#x')])).toBe('2');
    expect(lines).toMatchObject([{ name: 'PUBLISH_FAILED', fields: { error: 'TypeError' } }]);
  });
});

it('on a bus that fails at random, is redelivered until done: exactly all events are published, in order for each item', async () => {
  const messages = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 20 });
  const failures = fc.array(fc.boolean(), { maxLength: 60 });
  await assertProperty(
    fc.asyncProperty(messages, failures, async (drawn, failing) => {
      const heights = new Map<string, number>();
      let records = drawn.flatMap((id, index) => {
        const nth = (heights.get(id) ?? 0) + 1;
        if (nth > reportStatuses.length) return [];
        heights.set(id, nth);
        return [messageRecord(index, id, nth)];
      });
      const expected = [...heights].flatMap(([id, height]) =>
        reportStatuses
          .slice(0, height)
          .flatMap((status) => [`${id} ${status}`, ...(status === 'delivered' ? [`${id} conflict`] : [])]),
      );
      const onBus: string[] = [];
      const ids = new Map<string, string>();
      let asked = 0;
      for (let delivery = 0; delivery < 100 && records.length > 0; delivery++) {
        // Time for a few rounds only.
        const one = publisher({
          judge: () => (failing[asked++] === true ? throttled : published),
          remainingMs: 7200,
        });
        const first = await one.run(records);
        for (const event of one.onBus) {
          onBus.push(name(event));
          expect(ids.get(name(event)) ?? event.detail.eventId).toBe(event.detail.eventId);
          ids.set(name(event), event.detail.eventId);
        }
        const from = records.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === first);
        records = from === -1 ? [] : records.slice(from);
      }
      expect(records).toEqual([]);
      expect(new Set(onBus)).toEqual(new Set(expected));
      expect(new Set(ids.values()).size).toBe(ids.size);
      for (const id of heights.keys()) {
        const firsts = [...new Set(onBus)].filter((one) => one.startsWith(id));
        expect(firsts).toEqual(expected.filter((one) => one.startsWith(id)));
      }
    }),
  );
});
