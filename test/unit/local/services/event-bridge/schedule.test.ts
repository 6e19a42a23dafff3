import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { rateIntervalMs, repeatByTimer } from '../../../../../local/services/event-bridge/schedule.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

describe('a rate', () => {
  it.each([
    ['rate(1 minute)', minute],
    ['rate(1 hour)', 60 * minute],
    ['rate(1 day)', day],
    ['rate(90 days)', 90 * day],
  ])('%s is %i ms', (expression, ms) => {
    expect(rateIntervalMs(expression)).toBe(ms);
  });

  it.each([
    'rate(1 minutes)',
    'rate(5 minute)',
    'rate(0 minutes)',
    'rate(-5 minutes)',
    'rate(1.5 hours)',
    'rate(30 seconds)',
    'rate(5minutes)',
    'rate(5 minutes) ',
    'cron(0 3 * * ? *)',
    'at(2026-01-15T12:00:00)',
    '',
  ])('%j is not a rate', (expression) => {
    expect(rateIntervalMs(expression)).toBeUndefined();
  });
});

describe('repeating by a timer', () => {
  function repeat(intervalMs: number) {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const run = vi.fn();
    return { run, stop: repeatByTimer(run, intervalMs) };
  }

  it('begins after one interval and ends when it is stopped', () => {
    const { run, stop } = repeat(5 * minute);
    vi.advanceTimersByTime(5 * minute - 1);
    expect(run).toHaveBeenCalledTimes(0);
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(10 * minute);
    expect(run).toHaveBeenCalledTimes(3);
    stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits for an interval that is longer than the maximum of a timer', () => {
    const { run } = repeat(90 * day);
    vi.advanceTimersByTime(89 * day);
    expect(run).toHaveBeenCalledTimes(0);
    vi.advanceTimersByTime(2 * day);
    expect(run).toHaveBeenCalledTimes(1);
  });
});
