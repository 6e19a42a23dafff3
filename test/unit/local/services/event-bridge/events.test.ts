import { expect, it } from 'vitest';
import { Newest } from '../../../../../local/services/event-bridge/events.ts';

it('the event list keeps the newest items and counts all', () => {
  const newest = new Newest<number>(10);
  const dropped: number[] = [];
  for (let n = 0; n < 1000; n++) dropped.push(...newest.add(n));
  expect(newest.items.length).toBeLessThanOrEqual(11);
  expect(newest.items.length).toBeGreaterThanOrEqual(10);
  expect(newest.total).toBe(1000);
  expect([...dropped, ...newest.items]).toEqual(Array.from({ length: 1000 }, (_, n) => n));
});
