import { describe, expect, it } from 'vitest';
import type { DeadLetter, MoveOutcome } from '../../../../../cli/stores/dead-letter-queue.ts';
import type { MoveTask, MoveTasks } from '../../../../../cli/stores/move-tasks.ts';
import type { NamedDeadLetterQueue } from '../../../../../cli/target/connection.ts';
import type { Wait } from '../../../../../cli/target/context.ts';
import { deadLetterQueueNames } from '../../../../../cli/target/stack/dead-letter-queues.ts';
import { omitUndefined } from '../../../../../functions/base/basics.ts';
import { encodeEnvelope } from '../../../../../functions/receive/envelope.ts';
import { commandLine, noonPlus, type Parts } from '../../support/harness.ts';

const event = (id: string, kind = 'sms.status') => ({
  type: kind,
  data: {
    id,
    to: '+12025550143',
    from: '+12025550143',
    text: 'Call me back',
    status: 'sent',
    occurred_at: noonPlus(0),
  },
});
const request = (content: unknown, parked = false) =>
  encodeEnvelope({
    requestId: 'req-1',
    receivedAt: noonPlus(0),
    signedId: 'evt-1',
    body: Buffer.from(JSON.stringify(content)),
    ...(parked ? { unverified: { headers: {}, url: 'https://x.test/' } } : {}),
  });
const letterOf = (messageId: string, body: string, second = 0): DeadLetter => ({
  messageId,
  body,
  sentAt: noonPlus(second * 1000),
  receiveCount: 2,
  receiptHandle: `r-${messageId}`,
});

const denied = Object.assign(new Error('no'), { name: 'AccessDenied', $metadata: {} });
const reset = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

const urls = { DeadLetterQueueUrl: 'dlq', EventsQueueUrl: 'events' };
const forwardUrls = { ForwardDeadLetterQueueUrl: 'f-dlq', ForwardQueueUrl: 'f' };

interface Behaviour {
  move?(letters: readonly DeadLetter[]): Partial<MoveOutcome>;
  /** Whether moved messages return at once. */
  comesBack?: boolean;
  isDown?: () => boolean;
  wait?: Wait;
  tasks?: MoveTasks;
  parts?: Parts;
}

/** Makes queues in memory by output name, and records what happens to them. */
function queuesOf(
  content: Readonly<Record<string, readonly DeadLetter[]>>,
  { move, comesBack = false, isDown = () => false, wait = async () => true, tasks, parts }: Behaviour = {},
) {
  const names = deadLetterQueueNames({ ...urls, PublisherFailuresQueueUrl: 'failures', ...forwardUrls });
  const moved: [string, string][] = [];
  const hidden = new Set<string>();
  const queues = names.map((one): NamedDeadLetterQueue => {
    let letters = [...(content[one.name] ?? [])];
    const free = () => letters.filter(({ receiptHandle }) => !hidden.has(receiptHandle));
    return {
      ...one,
      ...omitUndefined({ tasks }),
      queue: {
        count: async () => {
          if (isDown()) throw reset;
          return { waiting: free().length, inFlight: letters.length - free().length };
        },
        receive: async (max) => {
          if (isDown()) throw reset;
          const taken = free().slice(0, max);
          for (const { receiptHandle } of taken) hidden.add(receiptHandle);
          return taken;
        },
        release: async (given) => {
          for (const { receiptHandle } of given) hidden.delete(receiptHandle);
        },
        move: async (given, destination) => {
          const outcome = {
            sent: given.length,
            failure: undefined,
            deleteErrors: [],
            ...move?.(given),
          };
          for (const { messageId } of given.slice(0, outcome.sent)) moved.push([messageId, destination]);
          for (const { receiptHandle } of given) hidden.delete(receiptHandle);
          if (!comesBack)
            letters = letters.filter((letter) => !given.slice(0, outcome.sent).includes(letter));
          return outcome;
        },
      },
    };
  });
  const { sms } = commandLine({ connection: { deadLetterQueues: async () => queues }, wait, ...parts });
  return { sms: (...args: string[]) => sms('dead-letter', ...args), moved, hidden };
}

describe('dead-letter list', () => {
  it('shows how the last move within SQS ended, which may have run on after its command', async () => {
    const failed = { state: 'failed', moved: 1, total: 9, startedAt: 1, failure: 'AccessDenied' } as const;
    const unused = async () => expect.fail('not expected to be called');
    const tasks = { latest: async () => failed, start: unused, cancel: unused };
    const { sms } = queuesOf({}, { tasks });
    expect((await sms('list')).out).toMatch(
      /OLDEST SEEN +LAST MOVE\n.*failed, about 1 of 9 messages moved: AccessDenied\n/,
    );
    const move = { state: 'failed', moved: 1, total: 9, failure: 'AccessDenied' };
    expect(JSON.parse((await sms('list', '--json')).out).entries[0]).toMatchObject({ move });
    expect((await sms('list', '--csv')).out).toContain('"failed, about 1 of 9 messages moved: AccessDenied"');
    const dryRun = await sms('redrive', 'Forward', '--dry-run');
    expect(dryRun.out).toContain('The last move within SQS: failed, about 1 of 9 messages moved');
    expect(JSON.parse((await sms('redrive', 'Forward', '--dry-run', '--json')).out)).toMatchObject({ move });
  });
});

describe('dead-letter show', () => {
  const failure = { detailType: 'SMS Opt-Out', eventId: 'e1', error: 'TooLarge' };
  const range = {
    shardId: 'shard-1',
    startSequenceNumber: '1',
    endSequenceNumber: '9',
    batchSize: 4,
    approximateArrivalOfFirstRecord: '2026-01-15T11:00:00Z',
    approximateArrivalOfLastRecord: '2026-01-15T11:00:09Z',
  };
  const busEvent = { 'detail-type': 'SMS Reply Received', detail: { eventId: 'e2', replyId: 'r-9' } };

  it.each([
    [request(event('msg-1')), 'request req-1: sms.status msg-1', 'failed to store them'],
    [
      request([event('r-1', 'sms.reply'), event('x', 'sms.else')], true),
      'parked request req-1, not verified: sms.reply r-1, unreadable (unknown-kind)',
      'forged ones go to quarantine',
    ],
    [
      request(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => event(id))),
      'sms.status e, and 2 more',
      'requests:',
    ],
    [JSON.stringify(busEvent), 'SMS Reply Received, r-9, event e2', 'an automation failed to handle them'],
    [
      JSON.stringify({ kind: 'event-refused', itemKey: 'message#m', ...failure }),
      'refused event (TooLarge): SMS Opt-Out, event e1, item message#m',
      'no redrive helps',
    ],
    [
      JSON.stringify({ kind: 'record-unreadable', error: 'ZodError' }),
      'unreadable record (ZodError)',
      'look at the item',
    ],
    [
      JSON.stringify({ requestContext: { condition: 'RetryAttemptsExhausted' }, DDBStreamBatchInfo: range }),
      'stream range (RetryAttemptsExhausted): 4 changes from 2026-01-15T11:00:00Z',
      'failed for 23 hours',
    ],
    ['+12025550143 "Call me back"', 'not written by this pipeline', 'who may send'],
    ['{"kind":"event-refused"}', 'not written by this pipeline', 'who may send'],
  ])('describes a message with advice, without numbers and texts: %#', async (body, what, advice) => {
    const { sms, hidden } = queuesOf({ DeadLetterQueueUrl: [letterOf('id-1', body)] });
    const { code, out } = await sms('show');
    expect([code, hidden.size]).toEqual([0, 0]);
    expect(out).toContain('DeadLetterQueueUrl, about 1 waiting');
    expect(out).toContain(what);
    expect(out).toContain(advice);
    expect(out).not.toMatch(/2025550143|Call me/);
    const revealed = (await sms('show', '--reveal')).out;
    if (body.includes('Call me') || what.includes('req-1')) expect(revealed).toContain('+12025550143');
  });

  it('strips control characters from messages', async () => {
    const hostile = request(event('\u001b]0;owned\u0007m\u202e'));
    const { sms } = queuesOf({
      DeadLetterQueueUrl: [letterOf('id-1', hostile), letterOf('id-2', '\u001b[2J')],
    });
    for (const args of [[], ['--reveal'], ['--json']]) {
      const { out } = await sms('show', ...args);
      expect(['\u001b', '\u0007', '\u202e'].filter((steering) => out.includes(steering))).toEqual([]);
    }
  });

  it('shows at most --limit messages, the oldest first, of one queue or of all with messages', async () => {
    const { sms } = queuesOf({
      ForwardDeadLetterQueueUrl: [letterOf('new', 'x', 5), letterOf('old', 'x', 1), letterOf('more', 'x', 9)],
    });
    const { entries } = JSON.parse((await sms('show', 'forward', '--limit', '2', '--json')).out);
    expect(entries).toMatchObject([{ messageId: 'old' }, { messageId: 'new' }]);
    expect(entries[0]).toEqual({
      queue: 'ForwardDeadLetterQueueUrl',
      messageId: 'old',
      sentAt: noonPlus(1000),
      receiveCount: 2,
      kind: 'unknown',
      body: 'x',
    });
    expect((await sms('show')).out).not.toContain('PublisherFailures');
    expect((await sms('show', 'events')).out).toContain('No message was found.');
    expect((await queuesOf({}).sms('show')).out).toMatch(
      /^These queues are empty\. Not shown: events that a rule could not deliver/,
    );
  });

  it.each([
    ['DeadLetter', 'The names of 2 queues contain "DeadLetter"'],
    ['nothing', 'contains "nothing"'],
  ])('lists the queues when none or several match: %s', async (wanted, problem) => {
    const { code, err } = await queuesOf({}).sms('show', wanted);
    expect(code).toBe(1);
    expect(err).toContain(problem);
    expect(err).toContain('ForwardDeadLetterQueueUrl');
  });
});

describe('dead-letter redrive', () => {
  const three = { ForwardDeadLetterQueueUrl: ['a', 'b', 'c'].map((id) => letterOf(id, 'x')) };

  it('fails when all messages are in flight, because the queue is not empty', async () => {
    const { sms, hidden, moved } = queuesOf(three);
    for (const id of ['a', 'b', 'c']) hidden.add(`r-${id}`);
    const { code, err } = await sms('redrive', 'Forward');
    expect([code, moved]).toEqual([1, []]);
    expect(err).toContain('Nothing was moved, and the queue is not empty: 3 messages in flight.');
    expect((await sms('redrive', 'Forward', '--dry-run')).code).toBe(0);
  });

  it('moves at most --limit messages, and counts the rest', async () => {
    const { sms, moved } = queuesOf(three);
    const { out } = await sms('redrive', 'Forward', '--limit', '2', '--json');
    expect(JSON.parse(out)).toEqual({
      queue: 'ForwardDeadLetterQueueUrl',
      destination: 'ForwardQueueUrl',
      waiting: 3,
      inFlight: 0,
      moved: 2,
      state: 'completed',
      left: 1,
      dryRun: false,
    });
    expect(moved).toHaveLength(2);
  });

  it('moves at most the messages of the beginning, even if they return at once', async () => {
    const content = Array.from({ length: 150 }, (_, index) => letterOf(String(index), 'x'));
    let moves = 0;
    const move = () => {
      moves += 1;
      return moves > 5 ? { failure: new Error('for ever'), sent: 0 } : {};
    };
    const { sms } = queuesOf({ DeadLetterQueueUrl: content }, { move, comesBack: true });
    expect((await sms('redrive', 'DeadLetterQueueUrl')).out).toContain('Moved 150 messages');
    expect(moves).toBe(2);
  });

  it('stops between two rounds on Ctrl-C', async () => {
    const content = Array.from({ length: 101 }, (_, index) => letterOf(String(index), 'x'));
    const { sms, moved } = queuesOf({ DeadLetterQueueUrl: content }, { wait: async () => false });
    const { code, err } = await sms('redrive', 'DeadLetterQueueUrl');
    expect([code, moved.length, err]).toEqual([1, 100, expect.stringContaining('Interrupted')]);
  });

  it('reports what was moved before a network failure', async () => {
    const content = Array.from({ length: 101 }, (_, index) => letterOf(String(index), 'x'));
    let isDown = false;
    const wait = async () => {
      isDown = true;
      return true;
    };
    const { sms, moved } = queuesOf({ DeadLetterQueueUrl: content }, { wait, isDown: () => isDown });
    const { code, out, err } = await sms('redrive', 'DeadLetterQueueUrl');
    expect([code, moved.length]).toEqual([1, 100]);
    expect(out).toBe('Moved 100 messages from DeadLetterQueueUrl to EventsQueueUrl.\n');
    expect(err).toContain('ECONNRESET');
  });

  it.each<[Partial<MoveOutcome>, number, string]>([
    [{ sent: 1, failure: denied }, 1, 'still in the queue: 2 messages. AWS answered AccessDenied'],
    [{ deleteErrors: ['InternalError'] }, 3, 'could not be deleted (InternalError)'],
  ])('fails with what was moved, and what stays or is in both queues: %o', async (outcome, count, line) => {
    const { sms } = queuesOf(three, { move: () => outcome });
    const { code, out, err } = await sms('redrive', 'Forward');
    expect(code).toBe(1);
    expect(out).toContain(`Moved ${count} message`);
    expect(err).toContain(line);
  });
});

describe('dead-letter redrive within SQS', () => {
  const three = { ForwardDeadLetterQueueUrl: ['a', 'b', 'c'].map((id) => letterOf(id, 'x')) };
  const startedAt = Date.parse(noonPlus(-60_000));
  const task = (state: MoveTask['state'], moved: number, parts: Partial<MoveTask> = {}): MoveTask => ({
    state,
    moved,
    total: 3,
    startedAt: startedAt + 1,
    failure: undefined,
    ...parts,
  });

  /** Lists one of these at each call, and the last one from then on. */
  function tasksOf(...listed: readonly (MoveTask | Error | undefined)[]) {
    const calls: string[] = [];
    let next = 0;
    const tasks: MoveTasks = {
      start: async () => void calls.push('start'),
      latest: async () => {
        const found = listed[Math.min(next++, listed.length - 1)];
        if (found instanceof Error) throw found;
        return found;
      },
      cancel: async () => {
        calls.push('cancel');
        return listed[0] !== undefined;
      },
    };
    return { tasks, calls };
  }

  it('starts one move and follows it to its end, past the move before and a lost connection', async () => {
    const before = task('completed', 9, { startedAt });
    const { tasks, calls } = tasksOf(before, before, reset, task('running', 1), task('completed', 3));
    let seconds = 0;
    const { sms, moved } = queuesOf(three, {
      tasks,
      parts: { clock: () => startedAt + 2000 * seconds++, terminal: { isWatched: true } },
    });
    const { code, out, err } = await sms('redrive', 'Forward');
    expect([code, calls, moved]).toEqual([0, ['start'], []]);
    expect(out).toMatch(/^Moved 3 messages from ForwardDeadLetterQueueUrl to ForwardQueueUrl\./);
    expect(err).toMatch(
      /^SQS moves the messages by itself: Ctrl-C ends this output, not the move\.\nwarning: /,
    );
    expect(err).toContain('Moving: 1 of about 3 messages, 0.5 a second, about 4.0 s left.\n');
  });

  it.each<[MoveTask, number, string, string]>([
    [task('cancelled', 1), 1, 'cancelled', 'The move was cancelled.'],
    [task('failed', 1, { failure: 'AccessDenied' }), 1, 'failed', 'SQS ended the move: AccessDenied.'],
  ])('fails with what was moved: %o', async (last, moved, state, problem) => {
    const { sms } = queuesOf(three, { tasks: tasksOf(undefined, last).tasks });
    const { code, out, err } = await sms('redrive', 'Forward', '--json');
    expect([code, JSON.parse(out)]).toMatchObject([1, { moved, state, left: 3 }]);
    expect(err).toContain(problem);
  });

  it('follows a move whose start was repeated, because the first answer was lost', async () => {
    const own = tasksOf(undefined, task('running', 1), task('completed', 3)).tasks;
    const start = () => Promise.reject(denied);
    const { out } = await queuesOf(three, { tasks: { ...own, start } }).sms('redrive', 'Forward');
    expect(out).toContain('Moved 3 messages');
    const before = tasksOf(task('completed', 3)).tasks;
    const refused = await queuesOf(three, { tasks: { ...before, start } }).sms('redrive', 'Forward');
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('AccessDenied')]);
  });

  it('ends the output, not the move, on Ctrl-C', async () => {
    const { tasks, calls } = tasksOf(undefined);
    const { sms } = queuesOf(three, { tasks, wait: async () => false });
    const { code, out } = await sms('redrive', 'Forward');
    expect([code, calls]).toEqual([0, ['start']]);
    expect(out).toContain('SQS goes on moving messages from ForwardDeadLetterQueueUrl to ForwardQueueUrl.');
  });

  it.each(['running', 'cancelling'] as const)(
    'refuses while a move is %s, with its progress',
    async (state) => {
      const { tasks, calls } = tasksOf(task(state, 1));
      const { code, err } = await queuesOf(three, { tasks }).sms('redrive', 'Forward');
      expect([code, calls]).toEqual([1, []]);
      const problem = 'running already: about 1 of 3 messages moved, started 59 s ago';
      expect(err).toContain(problem);
      expect((await queuesOf(three, { tasks }).sms('redrive', 'Forward', '--dry-run')).out).toContain(
        problem,
      );
    },
  );

  it.each([
    [['--dry-run'], []],
    [
      ['--limit', '2'],
      ['a', 'b'],
    ],
  ])('leaves the move to the command, or starts none, with %j', async (options, ids) => {
    const { tasks, calls } = tasksOf(undefined);
    const { sms, moved } = queuesOf(three, { tasks });
    expect((await sms('redrive', 'Forward', ...options)).code).toBe(0);
    expect([calls, moved.map(([id]) => id)]).toEqual([[], ids]);
  });

  it('starts no move of an empty queue', async () => {
    const { tasks, calls } = tasksOf(undefined);
    const { code, out } = await queuesOf({}, { tasks }).sms('redrive', 'Forward');
    expect([code, calls, out]).toEqual([0, [], expect.stringContaining('Moved 0 messages')]);
  });

  it('--cancel ends the running move, and fails without one', async () => {
    const running = tasksOf(task('running', 1));
    const { code, out } = await queuesOf(three, running).sms('redrive', 'Forward', '--cancel');
    expect([code, running.calls]).toEqual([0, ['cancel']]);
    expect(out).toContain('SQS ends the move from ForwardDeadLetterQueueUrl.');
    for (const behaviour of [tasksOf(undefined), {}])
      expect((await queuesOf(three, behaviour).sms('redrive', 'Forward', '--cancel')).err).toContain(
        'SQS is not moving messages from ForwardDeadLetterQueueUrl.',
      );
  });
});
