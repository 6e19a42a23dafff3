/** Runs at a rate until it is stopped. */
export interface Schedule {
  stop(): void;
}

const minuteMs = 60_000;
const unitMs: Readonly<Record<string, number>> = {
  minute: minuteMs,
  hour: 60 * minuteMs,
  day: 24 * 60 * minuteMs,
};

/**
 * Reads EventBridge's `rate(5 minutes)`: one minute, hour or day, or several minutes, hours or days
 * (EventBridge User Guide, "Rate expressions reference").
 *
 * @returns milliseconds, or undefined for anything else
 */
export function rateIntervalMs(expression: string): number | undefined {
  const [, count = '', unit = '', plural] =
    /^rate\(([1-9]\d{0,8}) (minute|hour|day)(s?)\)$/.exec(expression) ?? [];
  if ((count === '1') !== (plural === '')) return undefined;
  const ms = unitMs[unit];
  return ms === undefined ? undefined : Number(count) * ms;
}

/** Runs a function at an interval, the first time after one interval. Returns a function that stops it. */
export type Repeat = (run: () => void, intervalMs: number) => () => void;

/** A longer delay overflows: Node would run the function continuously. */
const maxDelayMs = 2 ** 31 - 1;

/** Uses a timer that does not keep the process alive. */
export const repeatByTimer: Repeat = (run, intervalMs) => {
  const stepsInInterval = Math.ceil(intervalMs / maxDelayMs);
  let steps = 0;
  const timer = setInterval(() => {
    steps += 1;
    if (steps % stepsInInterval === 0) run();
  }, intervalMs / stepsInInterval);
  timer.unref();
  return () => clearInterval(timer);
};
