import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMapper } from '../../../../../contract/events/mapping.ts';
import { encodeEnvelope } from '../../../../../functions/receive/envelope.ts';
import { atSecond, fieldContract } from '../../../../support/field-contract.ts';
import { assertProperty } from '../../../../support/property.ts';
import { queueMessage } from './queue-messages.ts';
import { workerUnderTest } from './worker-under-test.ts';

const contract = fieldContract({
  webhook: { bodyFormat: 'json' },
  events: {
    kind: "'sms.reply'",
    id: { from: 'body', path: 'id' },
    timeFormat: 'iso8601',
    status: { messageId: 'id', status: 'status', occurredAt: null },
    reply: {
      replyId: 'id',
      from: 'from',
      to: 'to',
      text: 'text',
      occurredAt: 'time',
      partReference: 'ref',
      partTotal: 'total',
      partNumber: 'part',
      optOut: 'said',
    },
  },
});
const map = createMapper(contract);
const phone = '+12025550143';

/** What a person says, and what the service sends of its time. */
interface Said {
  readonly words: 'STOP' | 'START';
  /** Seconds from its receipt to its time; undefined if the service sends no time. */
  readonly sentBefore: number | undefined;
  /** Whether the time has a zone. Without one it is local time of another continent. */
  readonly hasZone: boolean;
  /** The words come whole, in two parts, or as the second part of a longer text whose first part never arrives. */
  readonly comes: 'whole' | 'in parts' | 'as a part';
  /** The reference of its parts, which services use again. */
  readonly ref: string;
}

const saids = fc.array(
  fc.record({
    words: fc.constantFrom('STOP', 'START'),
    sentBefore: fc.option(fc.nat(30), { nil: undefined }),
    hasZone: fc.boolean(),
    comes: fc.constantFrom('whole', 'whole', 'in parts', 'as a part'),
    ref: fc.constantFrom('1', '2'),
  }),
  { minLength: 1, maxLength: 6 },
) satisfies fc.Arbitrary<Said[]>;

/** The person says one thing every ten seconds. */
const receiptOf = (index: number) => 100 + index * 10;

function requestsOf({ words, sentBefore, hasZone, comes, ref }: Said, index: number) {
  const received = receiptOf(index);
  const time =
    sentBefore === undefined
      ? undefined
      : hasZone
        ? atSecond(received - sentBefore)
        : atSecond(received - sentBefore - 5 * 3600).slice(0, 19);
  const reply = { from: phone, to: '+12025550100', time };
  const bodies =
    comes === 'whole'
      ? [{ ...reply, id: `r-${index}`, text: words }]
      : comes === 'as a part'
        ? [{ ...reply, id: `r-${index}`, text: words, ref: `only-${index}`, total: 2, part: 2 }]
        : [words.slice(0, 2), words.slice(2)].map((text, part) => ({
            ...reply,
            id: `r-${index}-${part}`,
            text,
            ref: words === 'STOP' ? ref : `start-${index}`,
            total: 2,
            part: part + 1,
          }));
  return bodies.map((body) => ({ body: JSON.stringify(body), receivedAt: atSecond(received) }));
}

/** A request as the webhook received it. */
interface Request {
  readonly body: string;
  readonly receivedAt: string;
}

/** The state that the person has in the register; undefined if nothing counts. */
async function stateAfter(
  received: readonly Request[],
  order: (index: number) => number,
  batchSize: number,
  mapper = map,
) {
  const { work, history } = workerUnderTest({ map: mapper });
  const requests = received
    .map((request, index) => ({ ...request, index, rank: order(index) }))
    .sort((a, b) => a.rank - b.rank);
  const messages = requests.map(({ body, receivedAt, index }) =>
    queueMessage(
      `q-${index}`,
      encodeEnvelope({ requestId: `request-${index}`, receivedAt, body: Buffer.from(body) }),
    ),
  );
  for (let from = 0; from < messages.length; from += batchSize)
    expect(await work(messages.slice(from, from + batchSize))).toEqual([]);
  return (await history.register.number(phone))?.state;
}

/** Whether the person must be opted out: the last whole words are STOP, and no START has an exact time after it. */
function mustBeOut(said: readonly Said[]): boolean {
  const whole = said.map((one, index) => ({ one, index })).filter(({ one }) => one.comes !== 'as a part');
  const last = whole.at(-1);
  if (last?.one.words !== 'STOP') return false;
  if (last.one.sentBefore === undefined || !last.one.hasZone) return true;
  const saidAt = receiptOf(last.index) - last.one.sentBefore;
  return !whole.some(({ one, index }) => {
    if (one.words === 'STOP') return false;
    const isExact = one.sentBefore !== undefined && one.hasZone;
    return receiptOf(index) - (isExact ? (one.sentBefore ?? 0) : 0) > saidAt;
  });
}

describe('a person who said STOP last', () => {
  it('is opted out, in any order of processing, with times without a zone, and in parts', () =>
    assertProperty(
      fc.asyncProperty(
        saids,
        fc.infiniteStream(fc.nat(999)),
        fc.integer({ min: 1, max: 5 }),
        async (said, ranks, batchSize) => {
          const state = await stateAfter(said.flatMap(requestsOf), () => ranks.next().value, batchSize);
          if (mustBeOut(said)) expect(state).toBe('out');
          if (said.every(({ comes }) => comes === 'as a part')) expect(state).toBeUndefined();
          if (said.every(({ words, comes }) => words === 'STOP' || comes === 'as a part'))
            expect(state).not.toBe('in');
        },
      ),
      { numRuns: 300 },
    ));
});

/** Services that send no ids of replies: without times, with times of full minutes, and with local times of full minutes. */
const withoutIds = (['no time', 'minutes', 'local minutes'] as const).map((times) => {
  const { reply } = contract.events;
  const occurredAt = times === 'no time' ? null : reply.occurredAt;
  const events = { ...contract.events, id: { from: 'content' } as const };
  const timeOf = (second: number) =>
    `${atSecond(times === 'minutes' ? second : second - 5 * 3600).slice(0, 16)}${times === 'minutes' ? 'Z' : ''}`;
  const mapper = createMapper({
    ...contract,
    events: { ...events, reply: { ...reply, replyId: null, occurredAt } },
  });
  return { times, mapper, timeOf };
});

describe('a person whose service sends no ids', () => {
  it.each(withoutIds)(
    'is opted out after a last STOP, however soon, and in after START alone: $times',
    ({ mapper, timeOf }) =>
      assertProperty(
        fc.asyncProperty(
          fc.array(fc.record({ words: fc.constantFrom('STOP', 'START'), gap: fc.nat(3) }), {
            minLength: 1,
            maxLength: 6,
          }),
          fc.infiniteStream(fc.nat(999)),
          fc.integer({ min: 1, max: 5 }),
          async (said, ranks, batchSize) => {
            let second = 40;
            const received = said.map(({ words, gap }) => {
              second += gap;
              const reply = { from: phone, to: '+12025550100', text: words, time: timeOf(second) };
              return { body: JSON.stringify(reply), receivedAt: atSecond(second) };
            });
            const state = await stateAfter(received, () => ranks.next().value, batchSize, mapper);
            if (said.at(-1)?.words === 'STOP') expect(state).toBe('out');
            if (said.every(({ words }) => words === 'START')) expect(state).toBe('in');
          },
        ),
        { numRuns: 500 },
      ),
  );
});

describe('a reply in parts', () => {
  const part = (number: number, text: string, total = 3) => ({
    id: `p-${number}`,
    from: phone,
    to: '+12025550100',
    time: atSecond(0),
    text,
    ref: '118',
    total,
    part: number,
  });
  const run = async (...bodies: object[]) => {
    const { work, history } = workerUnderTest({ map });
    for (const [index, body] of bodies.entries()) {
      const envelope = { requestId: `r-${index}`, receivedAt: atSecond(index) };
      await work([
        queueMessage(`q-${index}`, encodeEnvelope({ ...envelope, body: Buffer.from(JSON.stringify(body)) })),
      ]);
    }
    const { entries } = await history.replies({ since: atSecond(-60), until: atSecond(60) }, { limit: 10 });
    return { replies: entries.map(({ current }) => current), number: await history.register.number(phone) };
  };

  it('is one reply when all parts are there, in whatever order they arrive', async () => {
    const { replies, number } = await run(part(2, ' world, '), part(3, 'start'), part(1, 'hello'));
    expect(replies).toMatchObject([
      { text: 'hello world, start', parts: { total: 3, received: 3, isWhole: true } },
    ]);
    expect(number).toBeUndefined();
  });

  it('opts the person out by one part if the service itself says so, also if that part cannot be read', async () => {
    for (const odd of [{}, { total: null }, { id: 'p'.repeat(2000) }]) {
      const { number } = await run({ ...part(1, 'Basta', 2), said: 'STOP', ...odd });
      expect(number).toMatchObject({ state: 'out' });
    }
    expect((await run(part(1, 'Basta', 2))).number).toBeUndefined();
  });

  it('keeps what the service says of a copy of a part', async () => {
    const copy = { ...part(1, 'Basta', 2), id: 'p-copy', said: true };
    const { replies } = await run(part(1, 'Basta', 2), copy);
    expect(replies).toMatchObject([{ text: 'Basta', optOut: true }]);
  });

  it('is a part if its expressions fail', () => {
    const failing = createMapper({
      ...contract,
      events: {
        ...contract.events,
        reply: {
          ...contract.events.reply,
          partTotal: 'powertools_json(meta).total',
          partNumber: 'powertools_json(meta).part',
        },
      },
    });
    const body = { id: 'p-1', from: phone, time: atSecond(0), text: 'START', ref: '9', meta: '{cut' };
    const [mapped] = failing(Buffer.from(JSON.stringify(body)), undefined, atSecond(0));
    expect(mapped).toMatchObject({ replyText: { part: { total: 0 } }, unread: [{ field: 'partTotal' }] });
  });

  it('shows the parts that have arrived before that', async () => {
    const { replies } = await run(part(3, 'start'), part(1, 'hello'));
    expect(replies).toMatchObject([
      { text: 'hello … start', parts: { total: 3, received: 2, isWhole: false } },
    ]);
  });

  it('does not grow by a part that is delivered again', async () => {
    const { replies } = await run(part(1, 'hello'), part(1, 'hello'));
    expect(replies).toMatchObject([{ text: 'hello', parts: { received: 1 } }]);
  });

  it('is not put together from parts of two replies', async () => {
    const other = { ...part(1, 'other'), id: 'p-other' };
    const { replies } = await run(part(1, 'hello', 2), part(2, ' world', 2), { ...other, total: 2 });
    expect(replies).toMatchObject([{ parts: { total: 2, received: 3, isWhole: false } }]);
  });

  it('that says STOP counts again if its parts do, under the same reference and after a START', async () => {
    const stop = (round: number) =>
      ['ST', 'OP'].map((text, index) => ({ ...part(index + 1, text, 2), id: `stop-${round}-${index}` }));
    const start = { id: 'start', from: phone, to: '+12025550100', time: atSecond(0), text: 'START' };
    const timed = [...stop(1), start, ...stop(2)].map((body, second) => ({
      ...body,
      time: atSecond(second),
    }));
    expect((await run(...timed.slice(0, 3))).number).toMatchObject({ state: 'in' });
    expect((await run(...timed)).number).toMatchObject({ state: 'out' });
  });

  it('is whole although a part arrives again under another id', async () => {
    const again = { ...part(1, 'hello', 2), id: 'p-again' };
    const { replies } = await run(part(1, 'hello', 2), again, part(2, ' world', 2));
    expect(replies).toMatchObject([{ text: 'hello world', parts: { received: 2, isWhole: true } }]);
  });

  it.each([
    ['one part', { total: 1, part: 1 }],
    ['zeros', { total: 0, part: 0 }],
    ['digits with zeros in front', { total: '01', part: '01' }],
    ['a reference alone', { total: '', part: null }],
  ])('with %s is a whole reply', async (_name, numbers) => {
    const { replies, number } = await run({ ...part(1, 'STOP', 1), ...numbers });
    expect(replies).toMatchObject([{ text: 'STOP' }]);
    expect(replies[0]?.parts).toBeUndefined();
    expect(number).toMatchObject({ state: 'out' });
  });

  it.each([
    ['no number', { total: 2, part: null }, 'partNumber'],
    ['no total', { total: null, part: 2 }, 'partTotal'],
    ['a number above the total', { total: 2, part: 3 }, 'partNumber'],
    ['a total that is no number', { total: 'two', part: 1 }, 'partTotal'],
    ['the first number and no total', { total: null, part: 1 }, 'partTotal'],
    ['no reference', { ref: null, total: 2, part: 2 }, 'partReference'],
  ])('with %s stays a part, which opts nobody in or out, and is noted', async (_name, numbers, field) => {
    const body = { ...part(1, 'start'), ...numbers };
    const [mapped] = map(Buffer.from(JSON.stringify(body)), undefined, atSecond(0));
    expect(mapped?.unread).toMatchObject([{ field }]);
    const { replies, number } = await run(body);
    expect(replies).toMatchObject([{ text: 'start', parts: { isWhole: false } }]);
    expect(number).toBeUndefined();
  });
});
