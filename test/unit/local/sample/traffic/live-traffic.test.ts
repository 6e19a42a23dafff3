import { expect, it } from 'vitest';
import { createLiveTraffic } from '../../../../../local/sample/traffic/live-traffic.ts';
import type { SampleEvent } from '../../../../../local/sample/traffic/sample-event.ts';
import { shippedContract as contract } from '../../../../../tools/support/contracts.ts';

const start = Date.parse('2026-03-12T15:20:00.000Z');
const minuteMs = 60_000;

it('live traffic returns each event once, when it is due, and slows down', () => {
  const planned: SampleEvent = { kind: 'body', id: 'evt_1', at: start + 90_000, body: '{}' };
  const live = createLiveTraffic({ contract, start, seed: 1, later: [planned] });
  const steps = Array.from({ length: 180 }, (_, index) => live.due(start + index * minuteMs));

  const all = steps.flat();
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(all).toContain(planned);
  for (const [index, due] of steps.entries())
    for (const { at } of due) {
      expect(at).toBeGreaterThan(start + (index - 1) * minuteMs);
      expect(at).toBeLessThanOrEqual(start + index * minuteMs);
    }
  const [first, last] = [steps.slice(0, 30).flat().length, steps.slice(-30).flat().length];
  expect(first).toBeGreaterThan(2 * last);
  expect(first).toBeLessThan(30 * 60);
});
