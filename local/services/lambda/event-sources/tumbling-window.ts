import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { Outcome } from '../../../function-hosts/protocol.ts';
import type { Backoff } from './failures.ts';
import type { ReadRecord } from './stream-batch.ts';

/** A period to which records belong by the time at which they were read. */
interface Period {
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly end: number;
}

export interface TumblingWindowOptions {
  /** 0: no windows. Then batches are passed on as they are. */
  readonly seconds: number;
  readonly shardId: string;
  readonly streamArn: string;
  now(): number;
  invoke(event: unknown): Promise<Outcome>;
  /** Pauses between attempts of the final invocation of a window. */
  readonly trouble: Backoff;
}

const responseSchema = z.looseObject({ state: z.looseObject({}) });

/**
 * Passes the batches of a shard to a function in tumbling windows (Lambda Developer Guide, "Implementing stateful DynamoDB stream processing"). A
 * batch has records of one window. The state that the function returns is in its next event. A window ends with an invocation without
 * records, at its end or before the first batch of a later window; it is repeated until it succeeds.
 */
export class TumblingWindow {
  readonly #options: TumblingWindowOptions;
  readonly #signal: AbortSignal;
  #open: Period | undefined;
  #state: object = {};
  /** Ends when the last batch or final invocation has ended. */
  #turn: Promise<void> = Promise.resolve();

  constructor(options: TumblingWindowOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  /** Splits a batch at the borders of windows, and processes each part in its window. */
  async process(
    batch: readonly ReadRecord[],
    processPart: (part: readonly ReadRecord[]) => Promise<void>,
  ): Promise<void> {
    if (this.#options.seconds === 0) return processPart(batch);
    for (const [start, part] of Map.groupBy(batch, ({ readAt }) => this.#startOf(readAt)))
      await this.#inTurn(async () => {
        if (this.#open !== undefined && this.#open.start !== start) await this.#finish(this.#open);
        if (this.#open === undefined) this.#begin(start);
        await processPart(part);
      });
  }

  /** Invokes the function with records of the open window. A response without a state is a failure. */
  async invoke(event: { readonly Records: readonly unknown[] }): Promise<Outcome> {
    if (this.#open === undefined) return this.#options.invoke(event);
    return this.#invokeIn(this.#open, event.Records, false);
  }

  /** Ends the open window, because its shard has ended. */
  async finish(): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#open !== undefined && !this.#signal.aborted) await this.#finish(this.#open);
    });
  }

  #startOf(time: number): number {
    const length = this.#options.seconds * 1000;
    return Math.floor(time / length) * length;
  }

  #begin(start: number): void {
    const period = { start, end: start + this.#options.seconds * 1000 };
    this.#open = period;
    const wait = Math.max(0, period.end - this.#options.now());
    delay(wait, undefined, { signal: this.#signal, ref: false })
      .then(() =>
        this.#inTurn(async () => {
          if (this.#open === period) await this.#finish(period);
        }),
      )
      .catch(() => {
        // The run ends.
      });
  }

  async #finish(period: Period): Promise<void> {
    const { trouble } = this.#options;
    while (!this.#signal.aborted) {
      await trouble.pause();
      const outcome = await this.#invokeIn(period, [], true);
      if (outcome.kind === 'ok') break;
      trouble.begins(outcome.error.errorMessage);
    }
    trouble.over();
    this.#open = undefined;
    this.#state = {};
  }

  async #invokeIn({ start, end }: Period, Records: readonly unknown[], isFinal: boolean): Promise<Outcome> {
    const { shardId, streamArn, invoke } = this.#options;
    const outcome = await invoke({
      Records,
      window: { start: isoOf(start), end: isoOf(end) },
      state: this.#state,
      shardId,
      eventSourceARN: streamArn,
      isFinalInvokeForWindow: isFinal,
      isWindowTerminatedEarly: false,
    });
    if (outcome.kind === 'error') return outcome;
    const response = responseSchema.safeParse(outcome.value);
    if (!response.success)
      return {
        kind: 'error',
        error: { errorType: 'InvalidResponse', errorMessage: 'the response has no state' },
      };
    this.#state = response.data.state;
    return outcome;
  }

  async #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    await turn;
  }
}

/** Lambda writes these times to the second. */
function isoOf(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}
