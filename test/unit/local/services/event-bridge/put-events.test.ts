import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createEventBridge, type EventBridgeUnderTest } from './event-bridge-under-test.ts';

let under: EventBridgeUnderTest;

beforeEach(async () => {
  under = await createEventBridge();
});

const entry = (more: PutEventsRequestEntry = {}): PutEventsRequestEntry => ({
  EventBusName: 'sms',
  Source: 'test.sms',
  DetailType: 'Test',
  Detail: '{"n":1}',
  ...more,
});
const put = (...Entries: PutEventsRequestEntry[]) => under.client.putEvents({ Entries });
const published = async () => z.array(z.unknown()).parse((await under.control('GET', 'events')).json);
const faults = async () => (await under.control('GET', 'faults')).json;
const setFaults = (settings: unknown) => under.control('PUT', 'faults', settings);

describe('PutEvents, through the AWS SDK', () => {
  it('answers only the events after a count, with their arrival times', async () => {
    const cameAfter = async (count: number | string) =>
      (await under.control('GET', `events?after=${count}`)).json;
    await put(entry());
    const { Entries = [] } = await put(entry(), entry());
    const [first, second] = Entries.map(({ EventId }) => ({ at: under.clock.now(), event: { id: EventId } }));
    expect(await cameAfter(1)).toMatchObject({ next: 3, events: [first, second] });
    expect(await cameAfter(2)).toMatchObject({ next: 3, events: [second] });
    expect(await cameAfter(3)).toEqual({ next: 3, events: [] });
    expect(await cameAfter('-1')).toEqual({ message: 'after: expected a count.' });
  });

  it('publishes events with the envelope of EventBridge, in their order', async () => {
    const Time = new Date('2026-01-14T08:00:00.900Z');
    const { Entries = [], FailedEntryCount } = await put(
      entry({ Resources: ['arn:one'] }),
      entry({ Time, Detail: '{"n":2}' }),
      entry({ EventBusName: 'arn:aws:events:us-east-1:000000000000:event-bus/sms' }),
      entry({ EventBusName: 'default' }),
    );
    expect(FailedEntryCount).toBe(0);
    const events = await published();
    expect(events).toMatchObject(Entries.map(({ EventId }) => ({ id: EventId })));
    expect(events.slice(0, 2)).toEqual([
      {
        version: '0',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        'detail-type': 'Test',
        source: 'test.sms',
        account: '000000000000',
        time: '2026-01-15T12:00:00Z',
        region: 'us-east-1',
        resources: ['arn:one'],
        detail: { n: 1 },
      },
      expect.objectContaining({ time: '2026-01-14T08:00:00Z', resources: [], detail: { n: 2 } }),
    ]);
  });

  it('rejects single entries and accepts the others', async () => {
    const { Entries, FailedEntryCount } = await put(
      entry({ Source: undefined }),
      entry(),
      entry({ DetailType: '' }),
      entry({ Detail: undefined }),
      entry({ Detail: '{' }),
      entry({ Detail: '[1]' }),
      entry({ Source: 'aws.sms' }),
      entry({ EventBusName: 'other' }),
    );
    expect(FailedEntryCount).toBe(7);
    expect(Entries?.map(({ ErrorCode }) => ErrorCode)).toEqual([
      'InvalidArgument',
      undefined,
      'InvalidArgument',
      'InvalidArgument',
      'MalformedDetail',
      'MalformedDetail',
      'NotAuthorizedForSourceException',
      'ResourceNotFoundException',
    ]);
    expect(Entries?.[0]?.ErrorMessage).toContain('Source is a required argument');
    expect(await published()).toHaveLength(1);
  });

  it('rejects a call with more than 10 entries or 256 KiB, and accepts exactly as much', async () => {
    const refusal = { name: 'ValidationException' };
    const sized = (bytes: number) => {
      const around = Buffer.byteLength('test.smsTest{"t":""}');
      return entry({ Detail: JSON.stringify({ t: 'ü'.repeat((bytes - around) / 2) }) });
    };
    const half = 128 * 1024;
    await expect(put(...Array.from({ length: 11 }, () => entry()))).rejects.toMatchObject(refusal);
    await expect(put(sized(half), sized(half + 2))).rejects.toMatchObject(refusal);
    await expect(put(sized(half), { ...sized(half), Resources: ['a'] })).rejects.toMatchObject(refusal);
    expect(await published()).toHaveLength(0);
    await put(sized(half), sized(half));
    await put(...Array.from({ length: 10 }, () => entry()));
    expect(await published()).toHaveLength(12);
  });
});

describe('the control of the stand-in', () => {
  it('rejects a share of the entries', async () => {
    const inForce = { refuseShare: 0.2, throttle: false };
    expect((await setFaults(inForce)).json).toEqual({ ...inForce, asked: 0, refused: 0 });
    under.draws.push(0.1, 0.2, 0.9, 0);
    const { Entries, FailedEntryCount } = await put(entry(), entry(), entry(), entry());
    expect(FailedEntryCount).toBe(2);
    expect(Entries?.map(({ ErrorCode }) => ErrorCode)).toEqual([
      'InternalFailure',
      undefined,
      undefined,
      'InternalFailure',
    ]);
    expect(await published()).toHaveLength(2);
    expect(await faults()).toEqual({ ...inForce, asked: 4, refused: 2 });
  });

  it('throttles all calls until the fault ends', async () => {
    await setFaults({ throttle: true });
    await expect(put(entry(), entry())).rejects.toMatchObject({ name: 'ThrottlingException' });
    expect(await faults()).toMatchObject({ throttle: true, asked: 2, refused: 2 });
    await under.control('DELETE', 'faults');
    expect((await put(entry())).FailedEntryCount).toBe(0);
  });

  it.each([[{ refuseShare: 2 }], [{ refuse: 0.2 }], ['throttle']])(
    'rejects a fault like %j',
    async (fault) => {
      expect((await setFaults(fault)).status).toBe(400);
      expect(await faults()).toEqual({ refuseShare: 0, throttle: false, asked: 0, refused: 0 });
    },
  );
});

it('describes a bus', async () => {
  const Arn = 'arn:aws:events:us-east-1:000000000000:event-bus/sms';
  expect(await under.client.describeEventBus({ Name: 'sms' })).toMatchObject({ Name: 'sms', Arn });
});
