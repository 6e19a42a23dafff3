import type { StartReplayCommandInput } from '@aws-sdk/client-eventbridge';
import { beforeAll, expect, it } from 'vitest';
import { until } from '../../../../../tools/support/until.ts';
import type { InMemoryFunction } from '../../../../support/local-lambda.ts';
import { createEventBridge, type EventBridgeUnderTest } from './event-bridge-under-test.ts';

const BUS = 'arn:aws:events:us-east-1:000000000000:event-bus/sms';
const ARCHIVE = 'arn:aws:events:us-east-1:000000000000:archive/kept';

let under: EventBridgeUnderTest;
/** When each of the events 1 to 5 was put, 1.5 seconds apart; 5 is not one that the archive keeps. */
const times: number[] = [];

beforeAll(async () => {
  under = await createEventBridge();
  await under.createArchive({
    ArchiveName: 'kept',
    SourceArn: BUS,
    RetentionDays: 30,
    EventPattern: { 'detail-type': [{ 'anything-but': 'Left' }] },
  });
  for (const [Name, { arn }] of Object.entries({ chosen: under.target, other: under.otherTarget })) {
    await under.createRule(Name, {
      Name,
      EventBusName: 'sms',
      EventPattern: { source: ['test.sms'] },
      Targets: [{ Arn: arn, Id: 'Target0' }],
    });
  }
  for (let n = 1; n <= 5; n++) {
    times.push(under.clock.now());
    await under.put(n === 5 ? 'Left' : 'Kept', { n });
    under.clock.advance(1500);
  }
  await received(5, under.target, under.otherTarget);
});

/** Waits for so many events of each function, and forgets them. */
async function received(count: number, ...functions: readonly InMemoryFunction[]) {
  await until(`${count} events`, () => functions.every(({ events }) => events.length >= count));
  return functions.map(({ events }) => events.splice(0));
}

const time = (n: number): Date => new Date(times[n - 1] ?? 0);

async function replay(more: Partial<StartReplayCommandInput>) {
  const input = {
    ReplayName: 'again',
    EventSourceArn: ARCHIVE,
    EventStartTime: time(2),
    EventEndTime: time(3),
    Destination: { Arn: BUS },
    ...more,
  };
  return under.client.startReplay(input);
}

const completed = (ReplayName: string) =>
  until('it is completed', async () => {
    const answer = await under.client.describeReplay({ ReplayName });
    return answer.State === 'COMPLETED' && answer;
  });

it('an archive keeps the events of its bus that match, not the replayed ones', async () => {
  const expected = {
    ArchiveName: 'kept',
    EventSourceArn: BUS,
    RetentionDays: 30,
    State: 'ENABLED',
    EventCount: 4,
  };
  const describe = () => under.client.describeArchive({ ArchiveName: 'kept' });
  expect(await describe()).toMatchObject({ ...expected, ArchiveArn: ARCHIVE });
  const listed = await under.client.listArchives({ EventSourceArn: BUS });
  expect(listed.Archives).toMatchObject([expected]);
  await replay({ ReplayName: 'counted' });
  await completed('counted');
  expect((await describe()).EventCount).toBe(4);
  await received(2, under.target, under.otherTarget);
});

it('a replay sends the events of a range of time, ends included, only to the chosen rules', async () => {
  const FilterArns = ['arn:aws:events:us-east-1:000000000000:rule/sms/chosen'];
  const started = await replay({ ReplayName: 'chosen', Destination: { Arn: BUS, FilterArns } });
  expect(started).toMatchObject({
    ReplayArn: 'arn:aws:events:us-east-1:000000000000:replay/chosen',
    State: 'STARTING',
  });
  expect(await completed('chosen')).toMatchObject({
    ReplayName: 'chosen',
    EventSourceArn: ARCHIVE,
    Destination: { Arn: BUS, FilterArns },
    EventStartTime: time(2),
    EventEndTime: time(3),
    ReplayStartTime: expect.any(Date),
    ReplayEndTime: expect.any(Date),
  });
  const [events] = await received(2, under.target);
  expect(events).toMatchObject([
    { 'replay-name': 'chosen', detail: { n: 2 }, time: '2026-01-15T12:00:01Z' },
    { 'replay-name': 'chosen', detail: { n: 3 } },
  ]);
  expect(under.otherTarget.events).toEqual([]);
});

it.each<[string, Partial<StartReplayCommandInput>, string]>([
  ['of an archive that there is not', { EventSourceArn: `${ARCHIVE}s` }, 'ResourceNotFoundException'],
  ['of no time', { EventStartTime: new Date(0), EventEndTime: new Date(0) }, 'ValidationException'],
  ['to another bus', { Destination: { Arn: BUS.replace('sms', 'default') } }, 'ValidationException'],
  [
    'to a rule that there is not',
    { Destination: { Arn: BUS, FilterArns: ['arn:x'] } },
    'ResourceNotFoundException',
  ],
])('EventBridge rejects a replay %s', async (_, more, name) => {
  await expect(replay({ ReplayName: 'refused', ...more })).rejects.toMatchObject({ name });
});

it('an archive drops events after its retention', async () => {
  under.clock.advance(30 * 24 * 60 * 60 * 1000 - 5000);
  const { EventCount } = await under.client.describeArchive({ ArchiveName: 'kept' });
  // Put 7.5 s, 6 s, 4.5 s and 3 s before the clock moved on.
  expect(EventCount).toBe(2);
});
