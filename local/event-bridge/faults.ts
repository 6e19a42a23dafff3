import { z } from 'zod';

/** How the bus behaves badly, as it was told to; what is missing is off. */
const faults = z.strictObject({
  /** The share of the entries of PutEvents that are refused with InternalFailure, 0 to 1. */
  refuseShare: z.number().min(0).max(1).default(0),
  /** Every PutEvents is refused as a whole with ThrottlingException. */
  throttle: z.boolean().default(false),
});

type FaultSettings = z.output<typeof faults>;

export class BusFaults {
  #settings: FaultSettings = faults.parse({});
  readonly #random: () => number;

  /** @param random gives numbers from 0 up to 1 */
  constructor(random: () => number) {
    this.#random = random;
  }

  get settings(): FaultSettings {
    return this.#settings;
  }

  get throttles(): boolean {
    return this.#settings.throttle;
  }

  /** Draws for one entry. */
  refusesEntry(): boolean {
    return this.#random() < this.#settings.refuseShare;
  }

  /** @throws ZodError */
  replace(input: unknown): void {
    this.#settings = faults.parse(input);
  }
}
