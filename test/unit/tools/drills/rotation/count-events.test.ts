import { describe, expect, it } from 'vitest';
import {
  countEvents,
  drillEvents,
  nameOf,
  refusals,
} from '../../../../../tools/drills/rotation/count-events.ts';

const events = drillEvents(3);
const [first = '', second = '', third = ''] = events.map(nameOf);

describe('comparing sent events with history', () => {
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

  it('distinguishes events that may be stored without an acknowledgement from others', () => {
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

describe('a refusal', () => {
  it('counts from the last rotation elsewhere before it, and is excused until the secret had to be known', () => {
    const startedAt = '2026-01-15T12:00:00.000Z';
    const start = Date.parse(startedAt);
    const failed = [900, 1_500, 62_499, 62_500].map((at, event) => ({ event, status: 401, at }));
    const summary = { startedAt, sent: 4, accepted: 0, failed };
    const elsewhere = [
      { rotatedAt: start + 1_000, storedBy: start + 1_100 },
      { rotatedAt: start + 2_000, storedBy: start + 62_000 },
    ];
    expect(refusals(summary, elsewhere)).toEqual([
      { status: 401, isSecretUnknown: false, afterRotationElsewhereMs: undefined },
      { status: 401, isSecretUnknown: true, afterRotationElsewhereMs: 500 },
      { status: 401, isSecretUnknown: true, afterRotationElsewhereMs: 60_499 },
      { status: 401, isSecretUnknown: false, afterRotationElsewhereMs: 60_500 },
    ]);
  });
});
