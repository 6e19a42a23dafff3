import { expect, it, onTestFinished } from 'vitest';
import { until } from '../../../../tools/support/until.ts';
import { defaultTimeoutSeconds, hostFunction } from '../../../support/local-lambda.ts';

const hourMs = 3_600_000;

/** Answers the clock as a handler may read it, and its remaining time. */
const CLOCK = `const kept = Date.now;
  exports.handler = async (event, context) => {
    await new Promise((done) => setTimeout(done, 1));
    const date = new Date();
    class Mine extends Date {}
    return {
      pid: process.pid,
      times: [Date.now(), kept(), date.getTime(), Date.parse(Date()), new Mine().getTime()],
      given: [new Date(5).getTime(), new Date('2026-01-14T08:00:00Z').toISOString(), new Date(2026, 0).getMonth()],
      isDate: [date instanceof Date, date.constructor === Date, new Mine() instanceof Mine, Date.UTC(1970, 0)],
      remaining: context.getRemainingTimeInMillis(),
    };
  };`;

it('a fault moves the clock of running and new hosts, and leaves timers and deadlines unchanged', async () => {
  const { pool } = hostFunction(CLOCK, { limit: 1 });
  onTestFinished(() => pool.stop());
  /** Invokes the function while its clock is expected to be that far ahead. Returns its process. */
  async function expectShift(ms: number): Promise<number> {
    const before = Date.now();
    const outcome = await pool.invoke({});
    const after = Date.now();
    const seen = Object(outcome.kind === 'ok' ? outcome.value : outcome.error);
    for (const time of seen.times) {
      // Date() has whole seconds.
      expect(time).toBeGreaterThanOrEqual(before + ms - 1000);
      expect(time).toBeLessThanOrEqual(after + ms);
    }
    expect(seen.given).toEqual([5, '2026-01-14T08:00:00.000Z', 0]);
    expect(seen.isDate).toEqual([true, true, true, 0]);
    expect(seen.remaining).toBeGreaterThan(0);
    expect(seen.remaining).toBeLessThanOrEqual(defaultTimeoutSeconds * 1000);
    return seen.pid;
  }
  const shiftBy = (clockOffsetMs: number) => pool.setFaults({ invokeTwice: false, clockOffsetMs });

  const pid = await expectShift(0);
  shiftBy(hourMs);
  expect(await expectShift(hourMs)).toBe(pid);
  shiftBy(-400 * 24 * hourMs);
  expect(await expectShift(-400 * 24 * hourMs)).toBe(pid);
  process.kill(pid, 'SIGKILL');
  await until('the process has ended', () => pool.pids.length === 0);
  expect(await expectShift(-400 * 24 * hourMs)).not.toBe(pid);
  shiftBy(0);
  await expectShift(0);
});
