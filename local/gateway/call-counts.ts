import type { FaultyCall } from './faults.ts';

/** The calls of one caller to one operation, as AWS would meter them. */
interface CallCount {
  /** A function's label, or `<label> poller` for what Lambda itself calls for it. */
  readonly caller: string;
  readonly service: FaultyCall['service'];
  readonly operation: string;
  readonly calls: number;
  /** The calls that were answered with a status of 400 or more, or not at all. */
  readonly failed: number;
  /** Bytes of the requests' bodies. */
  readonly requestBytes: number;
  /** The 64 KiB chunks of the requests' bodies, at least one each, by which SQS meters. */
  readonly requestChunks: number;
  /** Bytes of the answers' bodies. */
  readonly answerBytes: number;
}

const chunkBytes = 64 * 1024;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The sizes and the status of a forwarded call. */
interface MeteredCall {
  readonly requestBytes: number;
  readonly answerBytes: number;
  /** Undefined without an answer. */
  readonly status: number | undefined;
}

/** Counts the calls of functions, and those that Lambda itself makes for them. */
export class CallCounts {
  readonly #counts = new Map<string, Mutable<CallCount>>();

  /** The counts, sorted by caller, service and operation. */
  get state(): { readonly calls: readonly CallCount[] } {
    const sorted = [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1));
    return { calls: sorted.map(([, count]) => ({ ...count })) };
  }

  /** Counts a call after the end of its answer. */
  add({ caller = 'unknown', service, operation }: FaultyCall, call: MeteredCall): void {
    const key = `${caller} ${service} ${operation}`;
    const count = this.#counts.get(key) ?? {
      caller,
      service,
      operation,
      calls: 0,
      failed: 0,
      requestBytes: 0,
      requestChunks: 0,
      answerBytes: 0,
    };
    this.#counts.set(key, count);
    count.calls += 1;
    if (call.status === undefined || call.status >= 400) count.failed += 1;
    count.requestBytes += call.requestBytes;
    count.requestChunks += Math.max(1, Math.ceil(call.requestBytes / chunkBytes));
    count.answerBytes += call.answerBytes;
  }
}
