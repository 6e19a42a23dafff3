import type { Bench } from './bench.ts';

/** The parts that an exercise works with. */
export interface Stage extends Bench {
  /**
   * Asks until the answer is something other than undefined or false.
   * @throws if that takes too long, or the exercise is aborted
   */
  eventually<T>(what: string, ask: () => T | undefined | false | Promise<T | undefined | false>): Promise<T>;
  /** Replaces the hosts of a function, so that the next event meets a cold start. */
  restart(functionName: string): Promise<void>;
}

/**
 * Makes one function use everything its role grants it.
 * @throws if the function did not visibly do its work
 */
export type Exercise = (stage: Stage) => Promise<void>;

/** @throws Error with the expectation, if it is not met */
export function demand(what: string, isSo: boolean): void {
  if (!isSo) throw new Error(`not so: ${what}`);
}

let lastPhone = 100;

/** A fictitious number that no exercise of this process has used. */
export function freshPhone(): string {
  lastPhone += 1;
  return `+1202555${String(lastPhone).padStart(4, '0')}`;
}
