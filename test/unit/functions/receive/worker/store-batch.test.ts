import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { expectedOf } from '../../../../../contract/document/expected.ts';
import { createMapper } from '../../../../../contract/events/mapping.ts';
import { deadlineAt } from '../../../../../functions/base/basics.ts';
import { joinStatements, type OptOutStatement } from '../../../../../functions/history/opt-out/opt-out.ts';
import { encodeEnvelope } from '../../../../../functions/receive/envelope.ts';
import { concurrentWrites } from '../../../../../functions/receive/worker/store-batch.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';
import { queued, queueMessage, receivedAt } from './queue-messages.ts';
import { failing, status, type WorkerParts, workerUnderTest as worker } from './worker-under-test.ts';

const reply = (id: string, text = 'hello there') => ({
  type: 'sms.reply',
  data: { id, from: '+12025550143', text, occurred_at: '2026-01-15T12:00:05.000Z' },
});

const allStored = (events: number) => ({ kind: 'stored', stored: events, repeated: 0, refused: [] }) as const;

describe('a batch', () => {
  it('is folded into one write for each message, however many events of the message it holds', async () => {
    const { work: store, messages, replies, counts } = worker();
    const batch = [
      queued('1', [status('a', 'queued', 1), status('b', 'sent', 2)]),
      queued('2', status('a', 'delivered', 3)),
      queued('3', [status('a', 'sent', 2), reply('r')]),
      queued('2b', status('a', 'delivered', 3), 'evt_2'),
    ];
    expect(await store(batch)).toEqual([]);
    expect(messages.map(({ messageId, events }) => [messageId, events.size])).toEqual([
      ['a', 3],
      ['b', 1],
    ]);
    expect(messages[0]?.events.get('evt_2')).toEqual({
      eventId: 'evt_2',
      status: 'delivered',
      rank: 110,
      occurredAt: '2026-01-15T12:00:03.000Z',
      receivedAt,
    });
    expect(replies.map(({ replyId, current }) => [replyId, current.text, current.eventId])).toEqual([
      ['r', 'hello there', 'evt_3:1'],
    ]);
    expect(counts.get('stored')).toBe(5);
    expect(counts.get('lagToStored')).toBe(6000);
  });

  it('is stored with at most the allowed number of concurrent writes', async () => {
    let underWay = 0;
    let most = 0;
    const storeMessage = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await setImmediate();
      underWay -= 1;
      return allStored(1);
    };
    const batch = Array.from({ length: 100 }, (_, index) => queued(`${index}`, status(`message-${index}`)));
    expect(await worker({ storeMessage }).work(batch)).toEqual([]);
    expect(most).toBe(concurrentWrites);
  });

  it('has its unreadable bodies quarantined, and its other messages stored', async () => {
    const { work: store, messages, quarantined, counts, text } = worker();
    const bad = { type: 'sms.status', data: { id: 'x', note: 'hello there' } };
    expect(
      await store([
        queued('1', [status('a'), bad, status('b')]),
        queued('2', 'hello there'),
        queued('3', 'null'),
        queueMessage('q', 'rubbish'),
      ]),
    ).toEqual([]);
    expect(messages.map(({ messageId }) => messageId)).toEqual(['a', 'b']);
    expect(quarantined).toEqual([
      {
        requestId: 'req_1',
        receivedAt,
        signedId: 'evt_1',
        index: 1,
        eventsInBody: 3,
        raw: Buffer.from(JSON.stringify(bad)),
        reason: 'missing-field',
        field: 'status',
      },
      {
        requestId: 'req_2',
        receivedAt,
        signedId: 'evt_2',
        raw: Buffer.from('hello there'),
        reason: 'not-json',
      },
      { requestId: 'req_3', receivedAt, signedId: 'evt_3', raw: Buffer.from('null'), reason: 'no-events' },
      { requestId: 'q', receivedAt, raw: Buffer.from('rubbish'), reason: 'not-an-envelope' },
    ]);
    expect(counts.get('quarantined')).toBe(4);
    expect(text()).not.toMatch(/hello there|2025550143/);
  });

  it('has its unlisted words counted, and never logged', async () => {
    const { work: store, messages, counts, lines, text } = worker();
    await store([queued('1', [status('a', 'teleported'), status('b', 'vanished'), status('c')])]);
    expect(messages).toHaveLength(3);
    expect(counts.get('unmappedStatus')).toBe(2);
    expect(lines).toContainEqual({ name: 'STATUS_UNMAPPED', fields: { events: 2 } });
    expect(text()).not.toContain('teleported');
  });
});

describe('a failure', () => {
  it('redelivers only the queue messages whose events failed', async () => {
    const {
      work: store,
      lines,
      counts,
      text,
    } = worker({
      storeMessage: async (message) =>
        message.messageId === 'bad' ? failing() : allStored(message.events.size),
    });
    const batch = [
      queued('1', status('good')),
      queued('2', [status('good'), status('bad')]),
      queued('3', status('bad')),
      queued('4', reply('r')),
    ];
    expect(await store(batch)).toEqual(['2', '3']);
    expect(lines).toContainEqual({
      name: 'STORE_FAILED',
      fields: { error: 'ProvisionedThroughputExceededException', writes: 1, queueMessages: 2 },
    });
    expect(counts.get('storeFailures')).toBe(1);
    expect(text()).not.toMatch(/hello there|2025550143/);
  });

  it('of the quarantine redelivers the message too', async () => {
    const { work: store, counts } = worker({ quarantine: { keep: failing } });
    expect(await store([queued('1', 'no json'), queued('2', status('a'))])).toEqual(['1']);
    expect(counts.get('quarantined')).toBeUndefined();
  });

  it('is not caused by 29,000 events of one message in one batch', async () => {
    const { work: store, messages } = worker({ storeMessage: async ({ events }) => allStored(events.size) });
    const bodies = Array.from({ length: 10 }, (_, body) =>
      queued(
        String(body),
        Array.from({ length: 2900 }, (_, index) => status('a', 'sent', index % 10)),
      ),
    );
    expect(await store(bodies)).toEqual([]);
    expect(messages.map(({ events }) => events.size)).toEqual([29_000]);
  });

  it('of the deadline leaves the remaining messages for redelivery', async () => {
    let now = 0;
    const { work: store, lines } = worker();
    const batch = ['1', '2', '3', '4', '5'].map((id) => queued(id, status(`m${id}`)));
    expect(
      await store(
        batch,
        deadlineAt(3, () => ++now),
      ),
    ).toEqual(['3', '4', '5']);
    expect(lines).toContainEqual({
      name: 'STORE_FAILED',
      fields: { error: 'OutOfTimeError', writes: 3, queueMessages: 3 },
    });
  });
});

describe('an event that the table rejects', () => {
  it('is quarantined if it exceeds the limit of events for a message', async () => {
    const {
      work: store,
      quarantined,
      counts,
    } = worker({
      storeMessage: async () => ({
        kind: 'stored',
        stored: 1,
        repeated: 3,
        refused: ['evt_2', 'no such event'],
      }),
    });
    expect(await store([queued('1', status('a', 'sent', 1)), queued('2', status('a', 'sent', 2))])).toEqual(
      [],
    );
    expect(quarantined).toMatchObject([{ reason: 'message-full', requestId: 'req_2', index: 0 }]);
    expect([counts.get('stored'), counts.get('repeated'), counts.get('quarantined')]).toEqual([1, 3, 1]);
    expect(counts.get('lagToStored')).toBeUndefined();
  });

  it('does not affect the events of a message that the table accepts', async () => {
    const {
      work: store,
      quarantined,
      counts,
    } = worker({
      storeMessage: async ({ events }) =>
        events.has('evt_2') ? { kind: 'unstorable' } : allStored(events.size),
    });
    const batch = ['1', '2', '3'].map((id) => queued(id, status('a', 'sent', Number(id))));
    expect(await store(batch)).toEqual([]);
    expect(quarantined).toMatchObject([{ reason: 'storage-refused', requestId: 'req_2' }]);
    expect(counts.get('stored')).toBe(2);
  });
});

describe('many reports about one message', () => {
  const many = (id: string) => Array.from({ length: 500 }, () => status(id));

  it.each<[string, WorkerParts['storeMessage']]>([
    [
      'more than a message may have',
      async ({ events }) => ({ kind: 'stored', stored: 0, repeated: 0, refused: [...events.keys()] }),
    ],
    ['none of which the database accepts', async () => ({ kind: 'unstorable' })],
  ])('keep no STOP of another person out of the register: %s', async (_, storeMessage) => {
    let now = 0;
    const passing = async () => {
      now += 10;
    };
    const { work: store, optOuts } = worker({
      storeMessage: async (message) => {
        await passing();
        return (storeMessage ?? failing)(message);
      },
      quarantine: { keep: passing },
    });
    const requests = Array.from({ length: 5 }, (_request, index) => queued(`many-${index}`, many('m')));
    const failed = await store(
      [...requests, queued('stop', reply('r', 'STOP'))],
      deadlineAt(1000, () => now),
    );
    expect(optOuts).toMatchObject([{ state: 'out', replyId: 'r' }]);
    expect(failed).toEqual(requests.map(({ messageId }) => messageId));
  });

  it('that cannot be read wait until the STOP of another person is in the register', async () => {
    let [now, made] = [0, 0];
    const { work: store, optOuts } = worker({
      bodyOf: () => {
        now += 10;
        made += 1;
        return undefined;
      },
    });
    const unreadable = Array.from({ length: 500 }, () => ({ ...status('m'), to: 'no number' }));
    const batch = [queued('unreadable', unreadable), queued('stop', reply('r', 'STOP'))];
    const failed = await store(
      batch,
      deadlineAt(1000, () => now),
    );
    expect(optOuts).toMatchObject([{ state: 'out', replyId: 'r' }]);
    expect(failed).toEqual(['unreadable']);
    // No time is spent on those that cannot be written.
    expect(made).toBe(100);
  });

  it('in several requests are made into entries once', async () => {
    let made = 0;
    const { work: store, quarantined } = worker({
      storeMessage: async ({ events }) => ({
        kind: 'stored',
        stored: 0,
        repeated: 0,
        refused: [...events.keys()],
      }),
      bodyOf: (event) => {
        made += 1;
        return event;
      },
    });
    const requests = Array.from({ length: 6 }, (_, index) =>
      queued(`many-${index}`, many('m'), `evt_${index}`),
    );
    expect(await store(requests)).toEqual([]);
    expect(quarantined).toHaveLength(3000);
    expect(made).toBe(3000);
  });

  it('are kept with as many concurrent writes as others', async () => {
    let underWay = 0;
    let most = 0;
    const { work: store } = worker({
      storeMessage: async ({ events }) => ({
        kind: 'stored',
        stored: 0,
        repeated: 0,
        refused: [...events.keys()],
      }),
      quarantine: {
        keep: async () => {
          underWay += 1;
          most = Math.max(most, underWay);
          await setImmediate();
          underWay -= 1;
        },
      },
    });
    expect(await store([queued('1', many('a')), queued('2', many('b'))])).toEqual([]);
    expect(most).toBe(concurrentWrites);
  });

  it('of which the database rejects some have the opt-out of the others recorded', async () => {
    const replies = [reply('r', 'STOP'), reply('r', 'hello there')];
    const {
      work: store,
      optOuts,
      quarantined,
    } = worker({
      storeReply: async (value) =>
        value.olderVersions.size > 0 || value.current.text !== 'STOP'
          ? { kind: 'unstorable' }
          : { ...allStored(1), reply: value },
    });
    expect(await store([queued('1', replies)])).toEqual([]);
    expect(quarantined).toMatchObject([{ reason: 'storage-refused', index: 1 }]);
    expect(optOuts).toMatchObject([{ state: 'out', replyId: 'r' }]);
  });
});

describe('a reply with a keyword', () => {
  it('is recorded in the opt-out register at each delivery', async () => {
    const { work: store, optOuts, replies } = worker();
    const batch = [
      queued('1', reply('r-1', 'Stop!')),
      queued('2', reply('r-2', 'stop it')),
      queued('3', reply('r-3', 'start')),
    ];
    expect(await store(batch)).toEqual([]);
    const [at, receivedAt] = ['2026-01-15T12:00:05.000Z', '2026-01-15T12:00:10.000Z'];
    const said = { phone: '+12025550143', at, receivedAt };
    expect(optOuts).toEqual([
      { ...said, state: 'out', by: 'person', replyId: 'r-1', eventId: 'evt_1' },
      { ...said, state: 'in', by: 'person', replyId: 'r-3', eventId: 'evt_3' },
    ]);
    expect(replies).toHaveLength(3);
    await store(batch.slice(0, 1));
    expect(optOuts.slice(2)).toContainEqual(optOuts[0]);
  });

  it('is recorded in one call with all others of its number, unreadable ones included', async () => {
    const calls: (readonly OptOutStatement[])[] = [];
    const { work: store, quarantined } = worker({
      optOuts: { record: async (...said) => void calls.push(said) },
    });
    const odd = reply('r-2', 'START');
    const batch = [
      queued('1', [reply('r-1', 'STOP'), { ...odd, data: { ...odd.data, to: {} } }]),
      queued('2', { ...odd, data: { ...odd.data, from: '+12025550144' } }),
    ];
    expect(await store(batch)).toEqual([]);
    expect(calls.map((said) => said.map(({ phone, replyId }) => [phone, replyId]))).toEqual([
      [
        ['+12025550143', 'r-1'],
        ['+12025550143', 'r-2'],
      ],
      [['+12025550144', 'r-2']],
    ]);
    expect(quarantined).toHaveLength(1);
  });

  it('that the history cannot read as a whole is recorded although the quarantine fails, and retried with it', async () => {
    const { work: store, optOuts } = worker({ quarantine: { keep: failing } });
    const stop = reply('r-1', 'STOP');
    expect(await store([queued('1', { ...stop, data: { ...stop.data, to: {} } })])).toEqual(['1']);
    expect(optOuts).toMatchObject([{ state: 'out', replyId: 'r-1', eventId: 'evt_1' }]);
  });

  it('is not recorded if the history fails: only the history has the time of its first delivery', async () => {
    const { work: store, optOuts } = worker({ storeReply: failing });
    expect(await store([queued('1', reply('r-1', 'START'))])).toEqual(['1']);
    expect(optOuts).toEqual([]);
  });

  it('is left for a retry when no time is left', async () => {
    const { work: store, optOuts } = worker();
    let now = 0;
    const late = deadlineAt(2, () => ++now);
    expect(await store([queued('1', reply('r-1', 'STOP'))], late)).toEqual(['1']);
    expect(optOuts).toEqual([]);
  });

  describe('a reply of a service whose events have no time', () => {
    const { events } = shippedContract;
    const timeless = {
      ...shippedContract,
      events: { ...events, reply: { ...events.reply, occurredAt: null } },
    };
    const map = createMapper(timeless);
    const received = (day: number, id: string, text: string) => {
      const receivedAt = `2026-01-0${day}T12:00:00.000Z`;
      const body = Buffer.from(JSON.stringify(reply(id, text)));
      return queueMessage(`${id}-${day}`, encodeEnvelope({ requestId: id, receivedAt, signedId: id, body }));
    };

    it('is recorded with its first time if that delivery failed', async () => {
      let fails = true;
      const recorded: OptOutStatement[] = [];
      const record = async (...said: readonly OptOutStatement[]) => {
        if (fails) await failing();
        recorded.push(...said);
      };
      const { work: store } = worker({ map, optOuts: { record } });
      expect(await store([received(1, 'r-1', 'START')])).toEqual(['r-1-1']);
      fails = false;
      expect(await store([received(9, 'r-1', 'START'), received(1, 'r-1', 'START')])).toEqual([]);
      expect(joinStatements([], recorded)).toMatchObject([{ state: 'in', at: '2026-01-01T12:00:00.000Z' }]);
    });

    it('is recorded with its earliest time, although the database accepts none of its versions', async () => {
      const {
        work: store,
        optOuts,
        quarantined,
      } = worker({
        map,
        storeReply: async () => ({ kind: 'unstorable' }),
      });
      const other = { ...reply('r-1', 'hello there') };
      const batch = [received(1, 'r-1', 'STOP'), received(9, 'r-1', 'STOP'), queued('other', other)];
      expect(await store(batch)).toEqual([]);
      expect(joinStatements([], optOuts)).toMatchObject([{ state: 'out', at: '2026-01-01T12:00:00.000Z' }]);
      expect(quarantined).toHaveLength(2);
    });
  });
});

describe('a failure with the reason opted_out', () => {
  const contract = { ...shippedContract, errors: { '21610': 'opted_out' } } as const;
  const map = createMapper(contract);
  const optedOut = (id: string, word = 'failed', second = 5) => {
    const { type, data } = status(id, word, second);
    return { type, data: { ...data, error_code: '21610' } };
  };
  const statement = {
    phone: '+12025550143',
    state: 'out',
    by: 'provider',
    at: '2026-01-15T12:00:05.000Z',
    receivedAt: '2026-01-15T12:00:10.000Z',
  };

  it('is recorded in the opt-out register at each delivery', async () => {
    const { work: store, optOuts, messages } = worker({ map });
    const batch = [queued('1', optedOut('m-1')), queued('2', status('m-2', 'failed'))];
    expect(await store(batch)).toEqual([]);
    expect(optOuts).toEqual([{ ...statement, messageId: 'm-1', eventId: 'evt_1' }]);
    expect(messages).toHaveLength(2);
    await store(batch);
    expect(joinStatements([], optOuts)).toEqual(optOuts.slice(0, 1));
  });

  it('of a number that may be several opts each of them out', async () => {
    const { work: store, optOuts } = worker({ map });
    const { type, data } = optedOut('m-1');
    expect(await store([queued('1', { type, data: { ...data, to: '4755550119' } })])).toEqual([]);
    expect(optOuts.map(({ phone, state }) => `${phone} ${state}`).sort()).toEqual([
      '+14755550119 out',
      '+4755550119 out',
      '4755550119 out',
    ]);
  });

  it('is recorded in one call with the replies of its number', async () => {
    const calls: (readonly OptOutStatement[])[] = [];
    const { work: store } = worker({ map, optOuts: { record: async (...said) => void calls.push(said) } });
    const start = reply('r-1', 'START');
    expect(await store([queued('1', optedOut('m-1')), queued('2', start)])).toEqual([]);
    expect(calls.map((said) => said.map(({ by }) => by).sort())).toEqual([['person', 'provider']]);
  });

  it('is recorded although the history keeps another report under its event id, in any order', async () => {
    const reports = [optedOut('m-1'), status('m-1', 'delivered')].map((body, index) =>
      queued(`${index}`, body, 'evt_1'),
    );
    for (const batch of [reports, reports.toReversed()]) {
      const { work: store, optOuts } = worker({ map });
      expect(await store(batch)).toEqual([]);
      expect(optOuts).toEqual([{ ...statement, messageId: 'm-1', eventId: 'evt_1' }]);
    }
  });

  it('is not recorded without a number, although another report of the message has it', async () => {
    const { work: store, optOuts, history } = worker({ map });
    const { type, data } = optedOut('m-1');
    const { to: _, ...numberless } = data;
    await store([queued('1', status('m-1')), queued('2', { type, data: numberless })]);
    expect(await history.message('m-1')).toMatchObject({ phone: '+12025550143' });
    expect(optOuts).toEqual([]);
  });

  it.each(['sent', 'delivered', 'held'])('is none where the status is %s', async (word) => {
    const { work: store, optOuts } = worker({ map });
    await store([queued('1', optedOut('m-1', word))]);
    expect(optOuts).toEqual([]);
  });

  it('is not recorded if the history fails, and is retried', async () => {
    const { work: store, optOuts } = worker({ map, storeMessage: failing });
    expect(await store([queued('1', optedOut('m-1'))])).toEqual(['1']);
    expect(optOuts).toEqual([]);
  });

  it('makes its queue message wait for the register', async () => {
    const { work: store, messages } = worker({ map, optOuts: { record: failing } });
    const other = { ...status('m-2'), data: { ...status('m-2').data, to: '+12025550144' } };
    expect(await store([queued('1', optedOut('m-1')), queued('2', other)])).toEqual(['1']);
    expect(messages).toHaveLength(2);
  });

  it('is recorded if the message goes to quarantine, because the database rejects it', async () => {
    const {
      work: store,
      optOuts,
      quarantined,
    } = worker({
      map,
      storeMessage: async () => ({ kind: 'unstorable' }),
    });
    expect(await store([queued('1', optedOut('m-1'))])).toEqual([]);
    expect(quarantined).toMatchObject([{ reason: 'storage-refused' }]);
    expect(optOuts).toHaveLength(1);
  });
});

describe('a contract mismatch', () => {
  const map = createMapper(shippedContract, expectedOf(shippedContract));
  const whole = { ...status('a').data, send_id: 's' };

  it('is recorded once for all events of a batch that show it, stored or not', async () => {
    const { work: store, driftWords, messages, quarantined, counts } = worker({ map });
    const held = { type: 'sms.status', data: { ...whole, status: 'held' } };
    const timeless = { type: 'sms.status', data: { ...whole, occurred_at: 'soon' } };
    const batch = [queued('1', [held, held]), queued('2', timeless), queueMessage('3', 'no envelope')];
    expect(await store(batch)).toEqual([]);
    expect([messages.length, quarantined.length]).toEqual([1, 2]);
    expect(await driftWords()).toMatchObject([
      { kind: 'status', word: 'held', foundAt: receivedAt },
      { kind: 'format', field: 'events.status.occurredAt', expected: 'iso8601' },
    ]);
    expect(counts.get('contractDrift')).toBe(3);
  });
});
