import { setTimeout as delay } from 'node:timers/promises';
import type { ReadRecord } from './stream-batch.ts';

/** Lambda's quota for the event of an invocation, without the JSON around its records. */
const PAYLOAD_LIMIT_BYTES = 6 * 1024 * 1024 - 1024;

export interface LaneOptions {
  readonly batchSize: number;
  readonly windowSeconds: number;
  /** Resolves when the batch is finished. */
  process(batch: readonly ReadRecord[]): Promise<void>;
}

/**
 * Processes records in order, batch by batch. A batch is complete when it has the maximum number of records, when the window since its first record
 * has passed, or when one more record would make the event too large.
 */
export class Lane {
  readonly #options: LaneOptions;
  readonly #signal: AbortSignal;
  readonly #waiting: ReadRecord[] = [];
  readonly #running: Promise<void>;
  #changed = Promise.withResolvers<void>();
  #closed = false;

  constructor(options: LaneOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    signal.addEventListener('abort', this.#notify, { once: true });
    this.#running = this.#run();
  }

  add(record: ReadRecord): void {
    this.#waiting.push(record);
    this.#notify();
  }

  /** Resolves when at most one batch waits, so that the reader of the stream does not run ahead of the function. */
  async room(): Promise<void> {
    while (this.#waiting.length > this.#options.batchSize && !this.#signal.aborted) await this.#change();
  }

  /** Accepts no more records. Resolves when all records are finished. */
  async finish(): Promise<void> {
    this.#closed = true;
    this.#notify();
    await this.#running;
    this.#signal.removeEventListener('abort', this.#notify);
  }

  async #run(): Promise<void> {
    while (!this.#signal.aborted) {
      if (this.#waiting.length > 0) {
        await this.#untilComplete();
        const batch = this.#take();
        this.#notify();
        if (!this.#signal.aborted) await this.#options.process(batch);
      } else if (this.#closed) {
        return;
      } else {
        await this.#change();
      }
    }
  }

  async #untilComplete(): Promise<void> {
    const { batchSize, windowSeconds } = this.#options;
    if (windowSeconds === 0) return;
    const timer = new AbortController();
    let isOver = false;
    const over = delay(windowSeconds * 1000, undefined, { signal: timer.signal }).then(
      () => {
        isOver = true;
      },
      () => {},
    );
    const isComplete = () =>
      isOver || this.#closed || this.#signal.aborted || this.#waiting.length >= batchSize;
    while (!isComplete()) await Promise.race([over, this.#change()]);
    timer.abort();
  }

  #take(): ReadRecord[] {
    let bytes = 0;
    let count = 0;
    for (const { record } of this.#waiting.slice(0, this.#options.batchSize)) {
      bytes += Buffer.byteLength(JSON.stringify(record)) + 1;
      if (count > 0 && bytes > PAYLOAD_LIMIT_BYTES) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  #change(): Promise<void> {
    return this.#changed.promise;
  }

  readonly #notify = (): void => {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  };
}
