/** Counts what a search does, and says when it has done enough. */
export interface Effort {
  /** How many candidates were checked. */
  readonly tried: () => number;
  /** Whether the limit was reached and something left out. */
  readonly isSpent: () => boolean;
  /** @param microseconds what the check of a candidate takes, roughly */
  readonly spend: (microseconds: number) => void;
}

/** Reckoned, not measured: the same search gives the same answer on every machine. */
export function createEffort(milliseconds: number): Effort {
  let tried = 0;
  let left = milliseconds * 1000;
  return {
    tried: () => tried,
    isSpent: () => left <= 0,
    spend: (microseconds) => {
      tried += 1;
      left -= microseconds;
    },
  };
}
