/** An event as EventBridge delivers it (EventBridge User Guide, "Events structure reference"). */
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

/** The format of a time in an envelope. */
export function envelopeTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The number of events that are kept in memory. */
export const KEPT_EVENTS = 50_000;

/** Keeps the newest items. It drops the oldest once there are a tenth more than `limit`. */
export class Newest<T> {
  readonly #limit: number;
  #items: T[] = [];
  #dropped = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The kept items, oldest first. */
  get items(): readonly T[] {
    return this.#items;
  }

  /** The number of all items, dropped ones included. */
  get total(): number {
    return this.#dropped + this.#items.length;
  }

  /** Adds an item. Returns the dropped items. */
  add(item: T): readonly T[] {
    this.#items.push(item);
    if (this.#items.length <= this.#limit * 1.1) return [];
    const dropped = this.#items.splice(0, this.#items.length - this.#limit);
    this.#dropped += dropped.length;
    return dropped;
  }

  /** The kept items that were added after the first `index` items. */
  after(index: number): readonly T[] {
    return this.#items.slice(Math.max(0, index - this.#dropped));
  }

  /** Drops the items for which `isKept` returns false. */
  keep(isKept: (item: T) => boolean): void {
    const before = this.#items.length;
    this.#items = this.#items.filter(isKept);
    this.#dropped += before - this.#items.length;
  }
}
