import type { FaultyCall } from './faults.ts';

/** Calls of a kind, as AWS would meter them. */
interface CallCount {
  /** A function's label, or `<label> poller` for what Lambda itself calls for it. */
  readonly caller: string;
  readonly service: FaultyCall['service'];
  readonly operation: string;
  readonly calls: number;
  /** Of these, those that were answered with a status of 400 or more, or not at all. */
  readonly failed: number;
  /** Bytes of the requests' bodies. */
  readonly requestBytes: number;
  /** Of each request's body the 64 KiB pieces begun, by which SQS meters; one at least. */
  readonly requestChunks: number;
  /** Bytes of the answers' bodies. */
  readonly answerBytes: number;
}

const chunkBytes = 64 * 1024;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What came of a call that was handed on. */
interface MeteredCall {
  readonly requestBytes: number;
  readonly answerBytes: number;
  /** Undefined: there was no answer. */
  readonly status: number | undefined;
}

/** How often functions, and Lambda itself for them, called which service for what. */
export class CallCounts {
  readonly #counts = new Map<string, Mutable<CallCount>>();

  /** By caller, service and operation, in that order. */
  get state(): { readonly calls: readonly CallCount[] } {
    const sorted = [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1));
    return { calls: sorted.map(([, count]) => ({ ...count })) };
  }

  /** Counts a call whose answer is over. */
  add({ caller = 'unknown', service, operation }: FaultyCall, call: MeteredCall): void {
    const key = `${caller} ${service} ${operation}`;
    const count = this.#counts.get(key) ?? {
      ...{ caller, service, operation },
      ...{ calls: 0, failed: 0, requestBytes: 0, requestChunks: 0, answerBytes: 0 },
    };
    this.#counts.set(key, count);
    count.calls += 1;
    if (call.status === undefined || call.status >= 400) count.failed += 1;
    count.requestBytes += call.requestBytes;
    count.requestChunks += Math.max(1, Math.ceil(call.requestBytes / chunkBytes));
    count.answerBytes += call.answerBytes;
  }
}
