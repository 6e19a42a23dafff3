import type { TestBed } from './test-bed.ts';

/** The input of one run of an exercise. */
export interface Stage extends TestBed {
  /**
   * Asks until the answer is something other than undefined or false.
   * @throws when that takes too long, or the exercise is broken off
   */
  eventually<T>(what: string, ask: () => T | undefined | false | Promise<T | undefined | false>): Promise<T>;
  /** Has the next event meet a host of the function that remembers nothing. */
  restart(functionName: string): Promise<void>;
}

/**
 * Makes one function use everything its role grants it.
 * @throws if the function did not visibly do its work
 */
export type Exercise = (stage: Stage) => Promise<void>;

/** @throws Error with what should have been, if it is not */
export function demand(what: string, isSo: boolean): void {
  if (!isSo) throw new Error(`not so: ${what}`);
}
