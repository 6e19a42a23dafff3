import { type Deadline, deadlineAt } from '../basics.ts';
import type { Ports } from '../http-client.ts';
import { createRedactor } from './redact.ts';
import {
  type AnswerProblem,
  defaultLimits,
  err,
  errorOfStatus,
  type Result,
  type RetryLimits,
  sendOnce,
  withRetries,
} from './request.ts';

export interface CallerOptions {
  readonly baseUrl: string;
  /** Never part of an error. */
  readonly apiKey: string;
  readonly ports: Ports;
  readonly limits?: Partial<RetryLimits>;
  /** By then every call has ended; by default only the limits end a call. */
  readonly deadline?: Deadline;
}

/** One operation of a service. */
export interface Operation {
  /** In words, for errors: a path may hold a phone number. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as a form if it is URLSearchParams, otherwise as JSON, unless undefined. */
  readonly body?: unknown;
  /** Whether it is idempotent. */
  readonly repeatable: boolean;
}

/** Decodes the text of a success. `link` is its header `Link`. */
export type Decode<T> = (text: string, link: string | null) => Result<T, AnswerProblem>;

/** Performs operations of a service: with retries, within the deadline, and without secrets in errors. */
export function createCaller(options: CallerOptions) {
  const { ports } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const redactor = createRedactor(options.apiKey);

  /** Performs one operation with all its attempts. @param authorization headers that the operation's own headers override */
  function perform<T>(
    operation: Operation,
    decode: Decode<T>,
    authorization: Readonly<Record<string, string>> = {},
  ): Promise<Result<T>> {
    const { name, method, path, repeatable } = operation;
    const { body, contentType } = encodeBody(operation.body);
    const request = {
      operation: name,
      method,
      url: baseUrl + path,
      headers: {
        accept: 'application/json',
        ...(contentType !== undefined && { 'content-type': contentType }),
        ...authorization,
        ...operation.headers,
      },
      body,
    };
    async function attempt(timeoutMs: number): Promise<Result<T>> {
      const outcome = await sendOnce(ports, request, timeoutMs);
      if (outcome.kind === 'error') return outcome;
      const answer = outcome.value;
      const { status } = answer;
      if (status < 200 || status > 299)
        return err(errorOfStatus(name, { ...answer, body: redactor.apply(answer.body) }));
      const decoded = decode(answer.body, answer.link);
      if (decoded.kind === 'ok') return decoded;
      return err({ kind: 'unexpected-answer', operation: name, status, ...decoded.error });
    }
    const totalMs = Math.min(limits.totalMs, options.deadline?.remainingMs() ?? limits.totalMs);
    const deadline = deadlineAt(ports.clock() + totalMs, ports.clock);
    return withRetries(attempt, { operation: name, repeatable, deadline }, limits, ports);
  }

  return {
    perform,
    /** Removes this value from every later error. */
    hide: redactor.learn,
    /** Removes these values and those of fields that are called as a secret is from a value of JSON. */
    clean: redactor.clean,
  };
}

function encodeBody(body: unknown): { readonly body: string | undefined; readonly contentType?: string } {
  if (body === undefined) return { body: undefined };
  return body instanceof URLSearchParams
    ? { body: body.toString(), contentType: 'application/x-www-form-urlencoded' }
    : { body: JSON.stringify(body), contentType: 'application/json' };
}
