/** Milliseconds since some time in the past that is the same for all processes of this machine; no clock change moves it. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** A process's `Date` that can be ahead of the system's clock, or behind. Timers and `performance` keep to the real time. */
export interface ShiftedDate {
  /** @param offsetMs by how much it is ahead */
  shift(offsetMs: number): void;
}

/** Replaces `Date` in this process: before anything keeps `Date.now`, so that a later shift reaches it too. */
export function shiftedDate(): ShiftedDate {
  const RealDate = Date;
  const realNow = RealDate.now;
  let offset = 0;
  const now = (): number => realNow() + offset;
  RealDate.now = now;
  globalThis.Date = new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  });
  RealDate.prototype.constructor = globalThis.Date;
  return {
    shift(offsetMs) {
      offset = offsetMs;
    },
  };
}
