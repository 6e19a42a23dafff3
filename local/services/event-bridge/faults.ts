import * as z from 'zod';

/** The faults of the bus. A fault that is missing is off. */
const faults = z.strictObject({
  /** The share of the entries of PutEvents that are refused with InternalFailure, 0 to 1. */
  refuseShare: z.number().min(0).max(1).default(0),
  /** Every PutEvents call is refused with ThrottlingException. */
  throttle: z.boolean().default(false),
});

type FaultSettings = z.output<typeof faults>;

/** The faults, with their counts since they were set. */
interface FaultState extends FaultSettings {
  /** The number of entries in calls of PutEvents. */
  readonly asked: number;
  /** The number of entries that a fault refused, alone or with the whole call. */
  readonly refused: number;
}

export class BusFaults {
  #settings: FaultSettings = faults.parse({});
  readonly #random: () => number;
  #asked = 0;
  #refused = 0;

  /** @param random gives numbers from 0 up to 1 */
  constructor(random: () => number) {
    this.#random = random;
  }

  get state(): FaultState {
    return { ...this.#settings, asked: this.#asked, refused: this.#refused };
  }

  /** Returns whether a call with this number of entries is refused. */
  throttles(entries: number): boolean {
    this.#asked += entries;
    if (this.#settings.throttle) this.#refused += entries;
    return this.#settings.throttle;
  }

  /** Decides at random whether one entry is refused. */
  refusesEntry(): boolean {
    const isRefused = this.#random() < this.#settings.refuseShare;
    if (isRefused) this.#refused += 1;
    return isRefused;
  }

  /** @throws ZodError */
  replace(input: unknown): void {
    this.#settings = faults.parse(input);
    this.#asked = 0;
    this.#refused = 0;
  }
}
