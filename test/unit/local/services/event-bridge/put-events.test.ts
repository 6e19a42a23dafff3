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
    const rows: [PutEventsRequestEntry, string | undefined][] = [
      [{ Source: undefined }, 'InvalidArgument'],
      [{}, undefined],
      [{ DetailType: '' }, 'InvalidArgument'],
      [{ Detail: undefined }, 'InvalidArgument'],
      [{ Detail: '{' }, 'MalformedDetail'],
      [{ Detail: '[1]' }, 'MalformedDetail'],
      [{ Source: 'aws.sms' }, 'NotAuthorizedForSourceException'],
      [{ EventBusName: 'other' }, 'ResourceNotFoundException'],
    ];
    const { Entries, FailedEntryCount } = await put(...rows.map(([more]) => entry(more)));
    expect(FailedEntryCount).toBe(7);
    expect(Entries?.map(({ ErrorCode }) => ErrorCode)).toEqual(rows.map(([, code]) => code));
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

it('describes a bus', async () => {
  const Arn = 'arn:aws:events:us-east-1:000000000000:event-bus/sms';
  expect(await under.client.describeEventBus({ Name: 'sms' })).toMatchObject({ Name: 'sms', Arn });
});
