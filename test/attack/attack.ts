import type { Arbitrary } from 'fast-check';

/** An attack by property: attempts of any shape, and what must hold for each. */
export interface Attack<T> {
  readonly name: string;
  readonly attempts: Arbitrary<T>;
  /** @returns what became of it, in a word, for the tally. @throws where a promise was broken */
  readonly attempt: (attempt: T) => Promise<string>;
}
