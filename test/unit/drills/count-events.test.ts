import { describe, expect, it } from 'vitest';
import { countEvents, refusals } from '../../drills/count-events.ts';
import { drillEvents, nameOf } from '../../drills/drill-events.ts';

const events = drillEvents(3);
const [first = '', second = '', third = ''] = events.map(nameOf);

describe('comparing what was sent with history', () => {
  it('counts each event that was acknowledged and is there once', () => {
    const history = new Map([first, second, third].map((name) => [name, 1]));
    expect(countEvents(events, [], history)).toEqual({
      acknowledged: 3,
      stored: 3,
      storedUnacknowledged: 0,
      unexpected: 0,
    });
  });

  it('shows what is missing', () => {
    expect(countEvents(events, [], new Map([[first, 1]]))).toMatchObject({ acknowledged: 3, stored: 1 });
  });

  it('tells what may be there without an acknowledgement from what may not', () => {
    const failed = [
      { event: 0, status: 'timeout', at: 0 },
      { event: 1, status: 401, at: 0 },
    ] as const;
    const history = new Map([first, second, 'drill-99 sent'].map((name) => [name, 1]));
    expect(countEvents(events, [...failed], history.set(third, 2))).toEqual({
      acknowledged: 1,
      stored: 0,
      storedUnacknowledged: 1,
      unexpected: 4,
    });
  });
});

describe('the time of a refusal', () => {
  it('counts from the last rotation elsewhere before it, if there was one', () => {
    const startedAt = '2026-01-15T12:00:00.000Z';
    const start = Date.parse(startedAt);
    const failed = [900, 1_500, 3_000].map((at, event) => ({ event, status: 401, at }));
    const summary = { startedAt, sent: 3, accepted: 0, failed };
    const times = refusals(summary, [start + 1_000, start + 2_000]);
    expect(times.map((one) => one.afterRotationElsewhereMs)).toEqual([undefined, 500, 1_000]);
  });
});
