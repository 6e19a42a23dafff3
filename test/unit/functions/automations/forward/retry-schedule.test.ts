import { expect, it } from 'vitest';
import { forwardDelaysSeconds } from '../../../../../functions/automations/forward/forward-event.ts';

it('the retry schedule of forwarding lasts about 24 hours, each wait longer than the one before and at most the maximum of SQS', () => {
  const hours = forwardDelaysSeconds.reduce((sum, seconds) => sum + seconds, 0) / 3600;
  expect(hours).toBeGreaterThan(23.5);
  expect(hours).toBeLessThanOrEqual(24.5);
  expect([...forwardDelaysSeconds]).toEqual([...new Set(forwardDelaysSeconds)].sort((a, b) => a - b));
  expect(Math.max(...forwardDelaysSeconds)).toBeLessThanOrEqual(12 * 3600);
});
