/** Milliseconds since a fixed time in the past. All processes of this machine agree on it, and no clock change affects it. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** A process's `Date` that can be ahead of the system's clock, or behind. Timers and `performance` keep the real time. */
export interface ShiftedDate {
  /** @param offsetMs how far it is ahead */
  shift(offsetMs: number): void;
}

/** Replaces `Date` in this process. Call it before any code keeps a reference to `Date.now`, which a later shift would not reach. */
export function shiftedDate(): ShiftedDate {
  const RealDate = Date;
  const realNow = RealDate.now;
  let offset = 0;
  const now = (): number => realNow() + offset;
  RealDate.now = now;
  globalThis.Date = new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, argumentList, newTarget) =>
      Reflect.construct(target, argumentList.length === 0 ? [now()] : argumentList, newTarget),
  });
  RealDate.prototype.constructor = globalThis.Date;
  return {
    shift(offsetMs) {
      offset = offsetMs;
    },
  };
}
