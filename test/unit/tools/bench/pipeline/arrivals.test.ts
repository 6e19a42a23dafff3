import { describe, expect, it } from 'vitest';
import {
  type Arrangement,
  arrivalsOf,
  brokenHistory,
  eventsPerMessage,
} from '../../../../../tools/bench/pipeline/arrivals.ts';

describe('arrivalsOf', () => {
  it.each<Arrangement>(['apart', 'together'])('sends each event of each message once, %s', (arrangement) => {
    const arrivals = arrivalsOf(arrangement, 'x', 40);
    expect(arrivals).toHaveLength(40 * eventsPerMessage);
    expect(new Set(arrivals.map(({ eventId }) => eventId)).size).toBe(arrivals.length);
    expect(new Set(arrivals.map(({ messageId }) => messageId)).size).toBe(40);
  });

  it.each<Arrangement>(['apart', 'together'])('sends the events of a message in order, %s', (arrangement) => {
    const own = arrivalsOf(arrangement, 'x', 5).filter(({ messageId }) => messageId === 'x-000003');
    const statuses = own.map(({ body }) => JSON.parse(body.toString()).data.status);
    expect(statuses).toEqual(['queued', 'sent', 'delivered']);
  });

  it('keeps the events of a message as far apart as there are messages', () => {
    const ids = arrivalsOf('apart', 'x', 150).map(({ messageId }) => messageId);
    const positions = ids.flatMap((id, index) => (id === ids[7] ? [index] : []));
    expect(positions).toEqual([7, 157, 307]);
  });

  it('has the events of a message side by side', () => {
    const ids = arrivalsOf('together', 'x', 150).map(({ messageId }) => messageId);
    expect(new Set(ids.slice(30, 33)).size).toBe(1);
  });
});

describe('brokenHistory', () => {
  const arrivals = arrivalsOf('together', 'x', 2);
  const whole = new Map([
    ['x-000000', 'delivered 3 x-000000-0 x-000000-1 x-000000-2'],
    ['x-000001', 'delivered 3 x-000001-0 x-000001-1 x-000001-2'],
    ['warm-000000', 'queued 1 warm-000000-0'],
  ]);

  it('finds nothing where each event is stored once, whatever others have stored', () => {
    expect(brokenHistory(arrivals, whole, 'x')).toEqual([]);
  });

  it.each([
    ['an event missing', 'delivered 2 x-000001-0 x-000001-2'],
    ['an event counted twice', 'delivered 4 x-000001-0 x-000001-1 x-000001-2'],
    ['an earlier status', 'sent 3 x-000001-0 x-000001-1 x-000001-2'],
  ])('reports %s', (_, text) => {
    expect(brokenHistory(arrivals, new Map([...whole, ['x-000001', text]]), 'x')).toEqual([
      expect.stringContaining('x-000001: expected delivered 3'),
    ]);
  });

  it('reports a missing message, and one that was not sent', () => {
    const [, ...others] = whole;
    const history = new Map([...others, ['x-000009', 'sent 1 x-000009-1'] as const]);
    expect(brokenHistory(arrivals, history, 'x')).toEqual([
      expect.stringContaining('found undefined'),
      'x-000009 is stored and was not sent',
    ]);
  });
});
