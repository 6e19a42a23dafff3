/** Messages over IPC between a function's pool and its hosts. Their values are JSON, as with Lambda itself. */

export interface InvokeMessage {
  readonly kind: 'invoke';
  readonly requestId: string;
  readonly event: unknown;
  /** The time at which Lambda would stop the invocation, by {@link monotonicMs}. */
  readonly deadline: number;
}

/** Sets how far `Date` in the host is ahead of the system's clock, in ms. */
export interface ClockMessage {
  readonly kind: 'clock';
  readonly offsetMs: number;
}

/** An error as Lambda reports it to the caller of the function. */
export interface FunctionError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

/** `fatal`: the process ends after this error and accepts no further event. */
export type HostMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'init-error'; readonly error: FunctionError }
  | { readonly kind: 'result'; readonly requestId: string; readonly result?: unknown }
  | {
      readonly kind: 'error';
      readonly requestId: string;
      readonly error: FunctionError;
      readonly fatal: boolean;
    };

/** The outcome of an invocation: the function's answer, or the error that Lambda would report. */
export type Outcome =
  | { readonly kind: 'ok'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: FunctionError };
