/** Runs something again and again, first after one interval; returns what stops it. */
export type Repeat = (run: () => void, intervalMs: number) => () => void;

/** A longer delay overflows: Node would run it at once, again and again. */
const longestDelayMs = 2 ** 31 - 1;

/** By a timer that keeps no process from ending. */
export const repeatByTimer: Repeat = (run, intervalMs) => {
  const stepsInInterval = Math.ceil(intervalMs / longestDelayMs);
  let steps = 0;
  const timer = setInterval(() => {
    steps += 1;
    if (steps % stepsInInterval === 0) run();
  }, intervalMs / stepsInInterval);
  timer.unref();
  return () => clearInterval(timer);
};
