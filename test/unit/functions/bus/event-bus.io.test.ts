import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import type { BusEvent } from '../../../../functions/bus/details.ts';
import { createEventBus } from '../../../../functions/bus/event-bus-client.ts';
import { assertProperty } from '../../../support/property.ts';
import { answer, type Step, startScriptedServer } from '../sms-service/scripted-server.ts';

const requestSchema = z.object({
  Entries: z.array(
    z.strictObject({
      EventBusName: z.string(),
      Source: z.string(),
      DetailType: z.string(),
      Detail: z.string(),
    }),
  ),
});
const sizeOf = ({ Source, DetailType, Detail }: { Source: string; DetailType: string; Detail: string }) =>
  Buffer.byteLength(Source) + Buffer.byteLength(DetailType) + Buffer.byteLength(Detail);

function optOut(replyId: string): BusEvent {
  return {
    detailType: 'SMS Opt-Out',
    detail: {
      version: 1,
      eventId: 'e',
      phone: '+12025550143',
      replyId,
      occurredAt: '2026-01-15T12:00:00.000Z',
    },
  };
}

const takeAll: Step = (request, ...rest) =>
  answer(200, {
    Entries: requestSchema.parse(JSON.parse(request.body)).Entries.map(() => ({ EventId: '1' })),
  })(request, ...rest);

async function start(...steps: readonly Step[]) {
  const server = await startScriptedServer({ 'POST /': steps }, () => undefined);
  onTestFinished(() => server.close());
  const client = new EventBridgeClient({
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    maxAttempts: 1,
  });
  const calls = () => server.requests.map(({ body }) => requestSchema.parse(JSON.parse(body)).Entries);
  return { bus: createEventBus(client, 'the-bus'), calls };
}

const published = { kind: 'published' };

it('the event bus client puts ten events at a time on the bus', async () => {
  const { bus, calls } = await start(takeAll);
  const events = Array.from({ length: 23 }, (_, index) => optOut(`r${index}`));
  expect(await bus.publish(events)).toEqual(events.map(() => published));
  expect(
    calls()
      .map(({ length }) => length)
      .sort(),
  ).toEqual([10, 10, 3]);
  expect(calls().flat()).toContainEqual({
    EventBusName: 'the-bus',
    Source: 'sms.pipeline',
    DetailType: 'SMS Opt-Out',
    Detail: JSON.stringify(events[22]?.detail),
  });
});

it('the event bus client keeps each call within the size limit, and rejects only an event that exceeds it alone', async () => {
  const { bus, calls } = await start(takeAll);
  await assertProperty(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 140_000 }), { maxLength: 15 }), async (lengths) => {
      const already = calls().length;
      // Two bytes a character: what counts is bytes.
      const events = lengths.map((length) => optOut('é'.repeat(length)));
      const outcomes = await bus.publish(events);
      const made = calls().slice(already);
      for (const entries of made) {
        expect(entries.length).toBeLessThanOrEqual(10);
        expect(entries.reduce((sum, entry) => sum + sizeOf(entry), 0)).toBeLessThanOrEqual(262_144);
      }
      const fits = events.map(
        ({ detailType: DetailType, detail }) =>
          sizeOf({ Source: 'sms.pipeline', DetailType, Detail: JSON.stringify(detail) }) <= 262_144,
      );
      expect(outcomes).toEqual(fits.map((fit) => (fit ? published : { kind: 'refused', error: 'TooLarge' })));
      expect(made.flat()).toHaveLength(fits.filter((fit) => fit).length);
    }),
    { numRuns: 30 },
  );
});

it('the event bus client reports a failed event alone', async () => {
  const { bus } = await start(
    answer(200, { FailedEntryCount: 1, Entries: [{ EventId: '1' }, { ErrorCode: 'ThrottlingException' }] }),
  );
  expect(await bus.publish([optOut('a'), optOut('b'), optOut('c')])).toEqual([
    published,
    { kind: 'failed', error: 'ThrottlingException' },
    { kind: 'failed', error: 'NoAnswer' },
  ]);
});

it.each([
  ['MalformedDetail', 'refused'],
  ['InvalidArgument', 'refused'],
  ['RedactionFailure', 'refused'],
  ['NotAuthorizedForSourceException', 'failed'],
  ['NotAuthorizedForDetailTypeException', 'failed'],
  ['InternalFailure', 'failed'],
  ['ThrottlingException', 'failed'],
  ['AccessDeniedException', 'failed'],
  ['InvalidAccountIdException', 'failed'],
  ['SomethingNew', 'failed'],
])('the event bus client reports an event with %s as %s', async (code, outcome) => {
  const { bus, calls } = await start(answer(200, { Entries: [{ ErrorCode: code }, { EventId: '1' }] }));
  expect(await bus.publish([optOut('a'), optOut('b')])).toEqual([{ kind: outcome, error: code }, published]);
  expect(calls()).toHaveLength(1);
});

/** Answers a call as EventBridge does that holds what it does not take: with one error for all of it. */
const refuseBad: Step = (request, ...rest) =>
  request.body.includes('bad')
    ? answer(400, { __type: 'ValidationException', message: 'about an entry' })(request, ...rest)
    : takeAll(request, ...rest);

it('the event bus client splits a rejected call so that each valid event is put on the bus once', async () => {
  const { bus, calls } = await start(refuseBad);
  await assertProperty(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 25 }), async (isBad) => {
      const already = calls().length;
      const outcomes = await bus.publish(
        isBad.map((bad, index) => optOut(`${bad ? 'bad' : 'good'}${index}`)),
      );
      expect(outcomes).toEqual(
        isBad.map((bad) => (bad ? { kind: 'refused', error: 'ValidationException' } : published)),
      );
      const taken = calls()
        .slice(already)
        .filter((entries) => !JSON.stringify(entries).includes('bad'))
        .flat();
      expect(taken).toHaveLength(isBad.filter((bad) => !bad).length);
    }),
    { numRuns: 30 },
  );
});

it('the event bus client splits a rejected call only until the deadline: unsent events may be retried', async () => {
  const { bus, calls } = await start(refuseBad);
  const events = ['a', 'b', 'c', 'bad'].map(optOut);
  const outcomes = await bus.publish(events, { isOver: () => calls().length >= 3 });
  expect(outcomes).toEqual([published, published, ...Array(2).fill({ kind: 'failed', error: 'OutOfTime' })]);
  expect(calls().map(({ length }) => length)).toEqual([4, 2, 2]);
});

it('the event bus client begins no call when no time is left', async () => {
  const { bus, calls } = await start(takeAll);
  expect(await bus.publish([optOut('a')], { isOver: () => true })).toEqual([
    { kind: 'failed', error: 'OutOfTime' },
  ]);
  expect(calls()).toEqual([]);
});

it.each(['AccessDeniedException', 'ResourceNotFoundException', 'InternalException'])(
  'the event bus client does not split a call that fails with %s',
  async (name) => {
    const { bus, calls } = await start(answer(400, { __type: name, message: 'no' }));
    const outcomes = await bus.publish([optOut('a'), optOut('b')]);
    expect(outcomes).toEqual(Array(2).fill({ kind: 'failed', error: name }));
    expect(calls()).toHaveLength(1);
  },
);

it('the event bus client reports all events of a failed call as failed, and no other', async () => {
  const { bus } = await start(answer(400, { __type: 'ThrottlingException', message: 'slow down' }), takeAll);
  const outcomes = await bus.publish(Array.from({ length: 12 }, (_, index) => optOut(`r${index}`)));
  const failed = outcomes.filter(({ kind: outcome }) => outcome === 'failed');
  expect([10, 2]).toContain(failed.length);
  expect(failed[0]).toEqual({ kind: 'failed', error: 'ThrottlingException' });
});

it('the event bus client makes no call without events', async () => {
  const { bus, calls } = await start(takeAll);
  expect(await bus.publish([])).toEqual([]);
  expect(calls()).toEqual([]);
});
