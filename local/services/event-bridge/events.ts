/** An event as EventBridge hands it on (EventBridge User Guide, "Events structure reference"). */
export interface Envelope {
  readonly version: '0';
  readonly id: string;
  readonly 'detail-type': string;
  readonly source: string;
  readonly account: string;
  /** ISO 8601 in UTC, to the second. */
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: Readonly<Record<string, unknown>>;
  /** The name of the replay, on an event that comes from an archive. */
  readonly 'replay-name'?: string;
}

/** A time as an envelope has it. */
export function envelopeTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** How much of a row that grows without end is kept in memory. */
export const KEPT_EVENTS = 50_000;

/** The newest of a row; the oldest are dropped, some at a time, once there are a tenth more than `limit`. */
export class Newest<T> {
  readonly #limit: number;
  #items: T[] = [];
  #dropped = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What is kept, oldest first. */
  get items(): readonly T[] {
    return this.#items;
  }

  /** How many there have been, dropped ones too. */
  get total(): number {
    return this.#dropped + this.#items.length;
  }

  /** Adds one; returns what is dropped for it. */
  add(item: T): readonly T[] {
    this.#items.push(item);
    if (this.#items.length <= this.#limit * 1.1) return [];
    const dropped = this.#items.splice(0, this.#items.length - this.#limit);
    this.#dropped += dropped.length;
    return dropped;
  }

  /** What is kept of those that came after the first `index`. */
  after(index: number): readonly T[] {
    return this.#items.slice(Math.max(0, index - this.#dropped));
  }

  /** Drops all others. */
  keep(isKept: (item: T) => boolean): void {
    const before = this.#items.length;
    this.#items = this.#items.filter(isKept);
    this.#dropped += before - this.#items.length;
  }
}
