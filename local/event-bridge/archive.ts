import type { Envelope } from './envelope.ts';
import { KEPT_EVENTS, Newest } from './newest.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface ArchiveOptions {
  readonly name: string;
  readonly arn: string;
  readonly busArn: string;
  readonly description: string | undefined;
  /** 0 keeps events for ever. */
  readonly retentionDays: number;
  /** Which events are kept, and how the template says so. */
  readonly matches: (event: Envelope) => boolean;
  readonly eventPattern: string | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

interface Archived {
  readonly event: Envelope;
  /** When it happened: by its entry, or when it was put. */
  readonly timeMs: number;
  readonly bytes: number;
}

/** Keeps the newest events of a bus so that they can be replayed; replayed ones are not kept again. */
export class Archive {
  readonly options: ArchiveOptions;
  readonly #events = new Newest<Archived>(KEPT_EVENTS);
  #bytes = 0;

  constructor(options: ArchiveOptions) {
    this.options = options;
  }

  get count(): number {
    return this.#events.items.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(event: Envelope, timeMs: number): void {
    if (event['replay-name'] !== undefined || !this.options.matches(event)) return;
    const bytes = Buffer.byteLength(JSON.stringify(event));
    const dropped = this.#events.add({ event, timeMs, bytes });
    this.#bytes += bytes - bytesOf(dropped);
  }

  /** The kept events from one time to another, both included, oldest first; times in ms since the epoch. */
  between(startMs: number, endMs: number): readonly Envelope[] {
    return this.#events.items
      .filter(({ timeMs }) => timeMs >= startMs && timeMs <= endMs)
      .sort((one, other) => one.timeMs - other.timeMs)
      .map(({ event }) => event);
  }

  /** Drops what is older than the retention. */
  expire(nowMs: number): void {
    if (this.options.retentionDays === 0) return;
    const oldest = nowMs - this.options.retentionDays * DAY_MS;
    this.#events.keep(({ timeMs }) => timeMs >= oldest);
    this.#bytes = bytesOf(this.#events.items);
  }
}

function bytesOf(events: readonly Archived[]): number {
  return events.reduce((sum, { bytes }) => sum + bytes, 0);
}
