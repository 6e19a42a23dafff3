import { z } from 'zod';

/** How the bus behaves badly, as it was told to; what is missing is off. */
const faults = z.strictObject({
  /** The share of the entries of PutEvents that are refused with InternalFailure, 0 to 1. */
  refuseShare: z.number().min(0).max(1).default(0),
  /** Every PutEvents is refused as a whole with ThrottlingException. */
  throttle: z.boolean().default(false),
});

type FaultSettings = z.output<typeof faults>;

/** The faults in force, and what they did since they were set. */
interface FaultState extends FaultSettings {
  /** The entries that PutEvents was asked to take. */
  readonly asked: number;
  /** Those of them that a fault refused, alone or with the whole call. */
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

  /** Whether a call with so many entries is refused as a whole. */
  throttles(entries: number): boolean {
    this.#asked += entries;
    if (this.#settings.throttle) this.#refused += entries;
    return this.#settings.throttle;
  }

  /** Draws for one entry. */
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
