import { describe, expect, it } from 'vitest';
import {
  AlertError,
  alertFailures,
} from '../../../../../functions/automations/failure-alert/alert-failures.ts';
import type { Notice } from '../../../../../functions/automations/failure-alert/failure-notice.ts';
import type { Deadline } from '../../../../../functions/base/basics.ts';
import type { Drained } from '../../../../../functions/base/sqs-queue.ts';
import { recorder } from '../../../../support/recorder.ts';
import { failure } from './failures.ts';

const plenty = () => 60_000;
const named = (name: string) => Object.assign(new Error('about +12025550143'), { name });

function message(number: number, errorCode: string) {
  const detail = {
    pipeline: 'Sms',
    version: 1,
    ...failure(number, { errorCode }),
    final: true,
    outcome: 'failure',
    reportCount: 1,
    historyEventId: `e${number}`,
    receivedAt: '2026-01-15T12:00:00.000Z',
    conflict: false,
  };
  const envelope = {
    source: 'sms.pipeline',
    'detail-type': 'SMS Delivery Status Changed',
    time: '2026-01-15T12:00:00Z',
  };
  return { body: JSON.stringify({ ...envelope, detail }), receiptHandle: `r${number}` };
}

interface Parts {
  readonly drained?: Partial<Drained>;
  readonly noticeFails?: (notice: Notice) => Error | undefined;
  readonly deleteFails?: readonly string[];
}

function alert({ drained = {}, noticeFails = () => undefined, deleteFails = [] }: Parts) {
  const { log, count, ...recorded } = recorder();
  const sent: Notice[] = [];
  const deleted: string[] = [];
  const dependencies = {
    queue: {
      receive: async (_maxMessages: number, deadline: Deadline): Promise<Drained> =>
        deadline.isOver()
          ? { messages: [], ended: 'time', failures: [] }
          : { messages: [], ended: 'empty', failures: [], ...drained },
      delete: async (receiptHandles: readonly string[]) => {
        deleted.push(...receiptHandles);
        return deleteFails;
      },
    },
    notices: {
      send: async (notice: Notice) => {
        const error = noticeFails(notice);
        if (error !== undefined) throw error;
        // A failure that is deleted before its notice would be lost in a crash.
        expect(deleted).not.toContain(`r${/m(\d+)/.exec(notice.text)?.[1]}`);
        sent.push(notice);
      },
    },
    periodMinutes: 15,
    log,
    count,
  };
  const run = (remainingMs = plenty) =>
    alertFailures(dependencies, { getRemainingTimeInMillis: remainingMs });
  return { ...recorded, sent, deleted, run };
}

const three = [message(1, '30008'), message(2, '30008'), message(3, '30003')];

describe('a round of failure alerts', () => {
  it('sends one notice for each group, then deletes all deliveries', async () => {
    const { run, sent, deleted, counts, lines } = alert({ drained: { messages: [...three, ...three] } });
    await run();
    expect(sent.map(({ subject }) => subject)).toEqual([
      'SMS: 2 messages failed, error 30008',
      'SMS: 1 message failed, error 30003',
    ]);
    expect([...deleted].sort()).toEqual(['r1', 'r1', 'r2', 'r2', 'r3', 'r3']);
    expect(counts.get('failuresAlerted')).toBe(3);
    expect(lines).toEqual([{ name: 'ALERTS_SENT', fields: { notices: 2 } }]);
  });

  it('sends nothing without failures', async () => {
    const { run, sent, lines } = alert({});
    await run();
    expect([sent, lines]).toEqual([[], []]);
  });

  it('reports that more messages are waiting than it receives', async () => {
    const { run, lines } = alert({ drained: { messages: three, ended: 'limit' } });
    await run();
    expect(lines).toContainEqual({ name: 'ALERTS_UNFINISHED', fields: { reason: 'most', notices: 0 } });
  });

  it('leaves the smallest groups in the queue when no time is left for them', async () => {
    const { run, deleted, lines } = alert({ drained: { messages: three } });
    const left = [60_000, 60_000, 8_000];
    await run(() => left.shift() ?? 8_000);
    expect([...deleted].sort()).toEqual(['r1', 'r2']);
    expect(lines).toContainEqual({ name: 'ALERTS_UNFINISHED', fields: { reason: 'time', notices: 1 } });
  });

  it('receives nothing when no time is left', async () => {
    const { run, sent, lines } = alert({ drained: { messages: three } });
    await run(() => 20_000);
    expect(sent).toEqual([]);
    expect(lines).toEqual([{ name: 'ALERTS_UNFINISHED', fields: { reason: 'time', notices: 0 } }]);
  });
});

describe('a round of failure alerts with a fault', () => {
  it('leaves a group whose notice failed in the queue, sends the others, and fails', async () => {
    const { run, sent, deleted, lines, text } = alert({
      drained: { messages: three },
      noticeFails: ({ subject }) => (subject.includes('30008') ? named('ThrottledException') : undefined),
    });
    const outcome = run();
    await expect(outcome).rejects.toBeInstanceOf(AlertError);
    await expect(outcome).rejects.toThrow('ThrottledException');
    await expect(outcome).rejects.not.toThrow('2025550143');
    expect(sent).toHaveLength(1);
    expect(deleted).toEqual(['r3']);
    expect(lines).toContainEqual({ name: 'ALERTS_FAILED', fields: { errors: 'ThrottledException' } });
    expect(text()).not.toContain('2025550143');
  });

  it('leaves messages that are not events in the queue, sends notices of the rest, and fails', async () => {
    const bad = [
      { body: 'no json +12025550143', receiptHandle: 'bad1' },
      { body: '{"source":"else"}', receiptHandle: 'bad2' },
    ];
    const { run, deleted, lines, text } = alert({ drained: { messages: [...bad, ...three] } });
    await expect(run()).rejects.toThrow('BusMessageError');
    expect([...deleted].sort()).toEqual(['r1', 'r2', 'r3']);
    expect(lines).toContainEqual({
      name: 'ALERT_UNREADABLE',
      fields: { messages: 2, reason: expect.stringContaining('no event of the pipeline') },
    });
    expect(text()).not.toContain('2025550143');
  });

  it('sends notices of the received messages when a receive fails, and fails', async () => {
    const { run, sent } = alert({ drained: { messages: three, failures: ['AccessDenied'] } });
    await expect(run()).rejects.toThrow('AccessDenied');
    expect(sent).toHaveLength(2);
  });

  it('fails if messages cannot be deleted after their notice, which is sent again', async () => {
    const { run } = alert({ drained: { messages: three }, deleteFails: ['InternalError'] });
    await expect(run()).rejects.toThrow('InternalError');
  });
});
