import { expect, it } from 'vitest';
import { serviceDelaysSeconds } from '../../../../../functions/automations/runner/service-handler.ts';
import { RetryLaterError, workMessages } from '../../../../../functions/automations/runner/work-messages.ts';
import type { VisibilityChange } from '../../../../../functions/aws/sqs-queue.ts';
import { createRandom } from '../../../../../local/sms-service/random.ts';
import { queueRecord } from './queue-record.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** What one message takes of the function's time, at the least. */
const workMs = 5;
const largestBatch = 10;

/**
 * The service takes so many calls in each minute of the clock, and asks the others to wait for the next one.
 *
 * @param clock milliseconds
 */
function limitedService(perMinute: number, clock: () => number) {
  let minute = -1;
  let used = 0;
  return async () => {
    const now = Math.floor(clock() / minuteMs);
    if (now !== minute) [minute, used] = [now, 0];
    used += 1;
    if (used > perMinute)
      throw new RetryLaterError(
        'create contact: too-many-requests (429)',
        Math.ceil(((now + 1) * minuteMs - clock()) / 1000),
      );
  };
}

/** Works a queue off, from the first receive of all messages at 0 until none is left, in a time of its own. */
async function workOff(messages: number, perMinute: number, random: () => number) {
  let now = 0;
  let dead = 0;
  const clock = () => now;
  const service = limitedService(perMinute, clock);
  const ids = Array.from({ length: messages }, (_, index) => String(index));
  const firstAt = new Map<string, number>();
  const receives = new Map(ids.map((id) => [id, 0]));
  /** What comes in which second. */
  const queue = new Map([[0, ids]]);

  function receive(id: string) {
    const count = (receives.get(id) ?? 0) + 1;
    const first = firstAt.get(id) ?? now;
    receives.set(id, count);
    firstAt.set(id, first);
    return queueRecord(id, count, first);
  }

  function hide({ receiptHandle, seconds }: VisibilityChange): void {
    const second = Math.ceil(now / 1000) + seconds;
    queue.set(second, [...(queue.get(second) ?? []), receiptHandle.replace('handle-', '')]);
  }

  for (let second = 0; queue.size > 0; second++) {
    const visible = queue.get(second) ?? [];
    queue.delete(second);
    now = Math.max(now, second * 1000);
    for (let index = 0; index < visible.length; index += largestBatch) {
      const records = visible.slice(index, index + largestBatch).map(receive);
      now += records.length * workMs;
      await workMessages(records, {
        handle: service,
        visibility: {
          change: async (changes) => {
            changes.forEach(hide);
            return [];
          },
        },
        deadLetters: { send: async () => void dead++ },
        delaysSeconds: serviceDelaysSeconds,
        concurrency: 2,
        clock,
        random,
        log: () => {},
        count: () => {},
        invocation: { getRemainingTimeInMillis: () => minuteMs },
      });
    }
  }
  return { dead, hours: now / hourMs, mostReceives: Math.max(...receives.values()) };
}

it.each([1, 2])(
  'the runner brings 2,000 contacts within two hours to a service that accepts 60 a minute, with none in the dead-letter queue (seed %i)',
  async (seed) => {
    const { dead, hours, mostReceives } = await workOff(2000, 60, createRandom(seed));
    expect(dead).toBe(0);
    expect(hours).toBeLessThan(2);
    expect(mostReceives).toBeLessThan(100);
  },
);
