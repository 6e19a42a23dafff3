import type { SQSRecord } from 'aws-lambda';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  closedBreaker,
  GiveUpError,
  RetryLaterError,
  retryWait,
  WaitForTurnError,
  type WorkOptions,
  workMessages,
} from '../../../../../functions/automations/runner/work-messages.ts';
import type { VisibilityChange } from '../../../../../functions/base/sqs-queue.ts';
import { assertProperty } from '../../../../support/property.ts';
import { recorder } from '../../../../support/recorder.ts';
import { queueRecord } from './queue-record.ts';

/** When every message is first received, in milliseconds since the epoch. */
const start = 1_768_478_400_000;

const record = (id: string, receiveCount = 1) => queueRecord(id, receiveCount, start);

function worker(options: Partial<WorkOptions> & { readonly ageSeconds?: number } = {}) {
  const { ageSeconds = 0, breaker = closedBreaker(), ...others } = options;
  const changes: VisibilityChange[] = [];
  const dead: string[] = [];
  const recorded = recorder();
  const work = (...records: SQSRecord[]) =>
    workMessages(records, {
      handle: async () => {},
      visibility: {
        change: async (wanted, deadline) => {
          if (!deadline?.isOver()) changes.push(...wanted);
          return [];
        },
      },
      deadLetters: { send: async (body) => void dead.push(body) },
      delaysSeconds: [30, 120, 600],
      concurrency: 2,
      breaker,
      clock: () => start + ageSeconds * 1000,
      random: () => 0.5,
      log: recorded.log,
      count: recorded.count,
      invocation: { getRemainingTimeInMillis: () => 60_000 },
      ...others,
    });
  return { breaker, changes, dead, work, ...recorded };
}

const failing = async (): Promise<never> => {
  throw Object.assign(new Error('about +12025550143'), { name: 'InternalServerError' });
};

const asksFor = (seconds: number) => async (): Promise<never> => {
  throw new RetryLaterError('the service asks to wait', seconds);
};

describe('a batch of queue messages', () => {
  it('is not redelivered if all of its messages succeed', async () => {
    const handled: string[] = [];
    const { work, changes, lines, counts } = worker({ handle: async (body) => void handled.push(body) });
    expect(await work(record('1'), record('2'), record('3'))).toEqual({ batchItemFailures: [] });
    expect(handled).toEqual(['1', '2', '3']);
    expect([changes, lines, counts.get('failingFor')]).toEqual([[], [], undefined]);
  });

  it('has only its failed message redelivered', async () => {
    const { work, changes, text } = worker({
      handle: async (body) => (body === '2' ? failing() : undefined),
    });
    expect(await work(record('1'), record('2'), record('3'))).toEqual({
      batchItemFailures: [{ itemIdentifier: '2' }],
    });
    expect(changes).toEqual([{ receiptHandle: 'handle-2', seconds: 30 }]);
    expect(text()).not.toContain('2025550143');
  });

  it('reports the time since the first receive of its oldest failed message', async () => {
    const { work, counts } = worker({
      handle: async (body) => (body === '1' ? undefined : failing()),
      ageSeconds: 740,
    });
    await work(record('1'), record('2', 4), queueRecord('3', 1, start + 700_000));
    expect(counts.get('failingFor')).toBe(740_000);
  });

  it('has the messages redelivered that no time is left for', async () => {
    const handled: string[] = [];
    let remaining = 15_001;
    const { work, counts } = worker({
      handle: async (body) => void handled.push(body),
      concurrency: 1,
      invocation: { getRemainingTimeInMillis: () => remaining-- },
    });
    expect(await work(record('1'), record('2'), record('3'))).toEqual({
      batchItemFailures: [{ itemIdentifier: '3' }],
    });
    expect(handled).toEqual(['1', '2']);
    // It was no try.
    expect(counts.get('failingFor')).toBeUndefined();
  });
});

describe('the wait before a retry', () => {
  it.each([
    [0, 30],
    [12, 18],
    [30, 120],
    [149, 1],
    [151, 599],
  ])(
    'ends with the next time of the schedule: %i s after the first receive it is %i s',
    async (age, seconds) => {
      const { work, changes, lines } = worker({ handle: failing, ageSeconds: age });
      await work(record('1', 50));
      expect(changes).toEqual([{ receiptHandle: 'handle-1', seconds }]);
      expect(lines).toEqual([
        {
          name: 'AUTOMATION_FAILED',
          fields: { error: 'InternalServerError', reason: null, receiveCount: 50, retryInSeconds: seconds },
        },
      ]);
    },
  );

  it.each([
    [300, 0, 330],
    [5, 0, 35],
    [0, 0, 30],
    [10, 700, 360],
    [10, 20_000, 1810],
    [999_999, 0, 42_000],
  ])(
    'that a failure asks for, %i s, counts alone at the age of %i s, plus a part of itself: %i s',
    async (asked, ageSeconds, seconds) => {
      const { work, changes } = worker({
        handle: async (body) => (body === '1' ? asksFor(asked)() : undefined),
        ageSeconds,
        delaysSeconds: [14_400, 14_400],
      });
      // Another message succeeds, so the destination is not down.
      await work(record('1', 3), record('2'));
      expect(changes).toMatchObject([{ seconds }]);
    },
  );

  it('is short if nothing was attempted, even after the schedule, so that each event has its last attempt', async () => {
    const { work, changes, dead } = worker({
      invocation: { getRemainingTimeInMillis: () => 14_999 },
      ageSeconds: 1e6,
    });
    expect(await work(record('1', 90))).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
    expect([changes, dead]).toEqual([[{ receiptHandle: 'handle-1', seconds: 30 }], []]);
  });

  it('is logged if it cannot be set', async () => {
    const { work, lines } = worker({
      handle: failing,
      visibility: { change: async () => ['OutOfTime', 'RequestThrottled'] },
    });
    expect(await work(record('1'))).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
    expect(lines.at(-1)).toEqual({
      name: 'AUTOMATION_WAIT_NOT_SET',
      fields: { errors: 'OutOfTime, RequestThrottled' },
    });
  });
});

describe('while most calls fail', () => {
  it('one message of a batch probes the destination, and the others wait without a call, until a probe succeeds', async () => {
    const handled: string[] = [];
    let isDown = true;
    const { work, changes, lines, breaker } = worker({
      handle: async (body) => {
        handled.push(body);
        if (isDown) await failing();
      },
    });
    expect((await work(record('1'), record('2'), record('3'))).batchItemFailures).toHaveLength(3);
    expect([handled.splice(0), breaker.isOpen]).toEqual([['1', '2', '3'], true]);
    lines.splice(0);
    expect((await work(record('4'), record('5'), record('6'))).batchItemFailures).toHaveLength(3);
    expect(handled.splice(0)).toEqual(['4']);
    expect(lines.map(({ name, fields }) => [name, fields.waiting])).toEqual([
      ['AUTOMATION_FAILED', undefined],
      ['AUTOMATION_PAUSED', 2],
    ]);
    isDown = false;
    changes.splice(0);
    expect(await work(record('7'), record('8'))).toEqual({ batchItemFailures: [] });
    expect([handled, changes, breaker.isOpen]).toEqual([['7', '8'], [], false]);
  });

  it('waits are at most 15 minutes, so that hidden messages do not delay new ones for long afterwards', async () => {
    const { work, changes } = worker({ handle: failing, delaysSeconds: [14_400, 14_400] });
    await work(record('1'), record('2'));
    await work(record('3'), record('4'));
    expect(changes).toHaveLength(4);
    for (const { seconds } of changes) expect(seconds).toBe(750);
    const [earliest, latest] = [0.999, 0].map((random) =>
      worker({ handle: failing, delaysSeconds: [14_400], random: () => random }),
    );
    await earliest?.work(record('1'));
    await latest?.work(record('1'));
    expect([earliest?.changes[0]?.seconds, latest?.changes[0]?.seconds]).toEqual([601, 900]);
  });

  it('a call that ends in the dead-letter queue counts as failed, and one that can never succeed does not', async () => {
    const late = (id: string) => queueRecord(id, 4, start - 751_000);
    const isDown = worker({ breaker: { isOpen: true }, handle: failing });
    await isDown.work(late('1'), record('2'));
    expect([isDown.dead, isDown.breaker.isOpen]).toEqual([['1'], true]);
    const isBack = worker({
      breaker: { isOpen: true },
      handle: async (body) => {
        if (body === '1') throw new GiveUpError('422');
      },
    });
    await isBack.work(record('1'), record('2'));
    expect([isBack.dead, isBack.breaker.isOpen]).toEqual([['1'], false]);
  });

  it('a message whose schedule is over still has its last attempt', async () => {
    const handled: string[] = [];
    const { work, dead } = worker({
      breaker: { isOpen: true },
      handle: async (body) => {
        handled.push(body);
        await failing();
      },
    });
    await work(record('1'), queueRecord('2', 4, start - 751_000));
    expect([handled, dead]).toEqual([['1', '2'], ['2']]);
  });

  it.each([
    ['most succeed', async (body: string) => (body === '1' ? failing() : undefined)],
    [
      'messages wait for their turn',
      async () => {
        throw new WaitForTurnError('busy', 5);
      },
    ],
    [
      'they can never succeed',
      async () => {
        throw new GiveUpError('422');
      },
    ],
  ])('does not apply where %s', async (_, handle) => {
    const { work, breaker } = worker({ handle });
    await work(record('1'), record('2'), record('3'));
    expect(breaker.isOpen).toBe(false);
  });
});

describe('an event is moved to the dead-letter queue', () => {
  it('if it fails after the last wait, and is not redelivered', async () => {
    const { work, changes, dead, lines, text } = worker({ handle: failing, ageSeconds: 750 });
    expect(await work(record('1', 4))).toEqual({ batchItemFailures: [] });
    expect([changes, dead]).toEqual([[], ['1']]);
    expect(lines).toEqual([
      {
        name: 'AUTOMATION_GIVEN_UP',
        fields: { error: 'InternalServerError', reason: null, receiveCount: 4 },
      },
    ]);
    expect(text()).not.toContain('2025550143');
  });

  it('at once if it can never succeed, alone of its batch', async () => {
    const { work, changes, dead, lines } = worker({
      handle: async (body) => {
        if (body === '2') throw new GiveUpError('create contact: validation (422)');
      },
    });
    expect(await work(record('1'), record('2'), record('3'))).toEqual({ batchItemFailures: [] });
    expect([changes, dead]).toEqual([[], ['2']]);
    expect(lines).toEqual([
      {
        name: 'AUTOMATION_GIVEN_UP',
        fields: { error: 'GiveUpError', reason: 'create contact: validation (422)', receiveCount: 1 },
      },
    ]);
  });

  it('before it is deleted: until the dead-letter queue confirms, the event is redelivered', async () => {
    const { work, changes, lines, text } = worker({
      handle: async () => {
        throw new GiveUpError('no event of the pipeline: source');
      },
      deadLetters: { send: failing },
    });
    expect(await work(record('1'))).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
    expect(changes).toEqual([{ receiptHandle: 'handle-1', seconds: 30 }]);
    expect(lines.map(({ name }) => name)).toEqual(['AUTOMATION_NOT_GIVEN_UP', 'AUTOMATION_FAILED']);
    expect(text()).not.toContain('2025550143');
  });
});

const delays = [5, 30, 120];

describe('the wait after a failed attempt', () => {
  it.each([
    [0, 5],
    [4.2, 1],
    [5, 30],
    [5.7, 30],
    [34.9, 1],
    [35, 120],
    [100, 55],
    [154.5, 1],
    [155, undefined],
    [1e9, undefined],
  ])('%d s after the first receive lasts until the next time of the schedule: %s s', (age, wait) => {
    expect(retryWait(delays, age, 3)).toBe(wait);
  });

  it.each([
    [1, 5],
    [2, 30],
    [3, undefined],
    [50, undefined],
  ])('beyond the schedule, after %i receives, is %s s', (receives, wait) => {
    expect(retryWait(delays, 155, receives)).toBe(wait);
  });

  it('gives one attempt at each time of the schedule, and none after it, however long each attempt takes', () => {
    const waits = fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 1, maxLength: 12 });
    assertProperty(
      fc.property(
        waits,
        fc.infiniteStream(fc.double({ min: 0, max: 60, noNaN: true })),
        (schedule, takes) => {
          const total = schedule.reduce((sum, seconds) => sum + seconds, 0);
          let age = 0;
          let tries = 0;
          for (;;) {
            tries++;
            age += takes.next().value;
            const wait = retryWait(schedule, age, Math.max(tries, 3));
            if (wait === undefined) break;
            age += wait;
          }
          expect(age).toBeGreaterThanOrEqual(total);
          expect(age).toBeLessThan(total + 62);
          expect(tries).toBeLessThanOrEqual(schedule.length + 1);
        },
      ),
    );
  });
});
