/** What travels over IPC between a function's pool and its hosts. Values are JSON, as with Lambda itself. */

export interface InvokeMessage {
  readonly type: 'invoke';
  readonly requestId: string;
  readonly event: unknown;
  /** When Lambda would stop the invocation, by {@link monotonicMs}. */
  readonly deadline: number;
}

/** By how many ms `Date` is ahead in the host from now on. */
export interface ClockMessage {
  readonly type: 'clock';
  readonly offsetMs: number;
}

/** An error as Lambda reports it to who invoked the function. */
export interface FunctionError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

/** `fatal`: the process ends after this error and takes no further event. */
export type HostMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'init-error'; readonly error: FunctionError }
  | { readonly type: 'result'; readonly requestId: string; readonly result?: unknown }
  | {
      readonly type: 'error';
      readonly requestId: string;
      readonly error: FunctionError;
      readonly fatal: boolean;
    };

/** What an invocation came to: the function's answer, or the error that Lambda would report. */
export type Outcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: FunctionError };
