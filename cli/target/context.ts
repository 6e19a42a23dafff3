import type { Clock } from '../../functions/runtime/clock.ts';
import type { Connect } from './connection.ts';

/** An HTTP request of the command line; only POST is needed. */
export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface PostAnswer {
  readonly status: number;
  readonly body: string;
}

/** Posts; throws what `fetch` throws where there is no answer. */
export type Post = (request: PostRequest) => Promise<PostAnswer>;

const timeoutMs = 15_000;

export const post: Post = async ({ url, headers, body }) => {
  const response = await fetch(url, {
    method: 'POST',
    headers,
    // A view of the bytes' own buffer, which is what fetch takes.
    body: new Uint8Array(body),
    // A webhook's sender does not follow redirects either.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { status: response.status, body: await response.text() };
};

/** Where a command writes, and how it has to look there. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Writes to stdout what may be no text. */
  readonly bytes: (bytes: Uint8Array) => void;
  /** Whether stdout takes colour. */
  readonly colour: boolean;
  /** Columns of stdout; undefined where it is no terminal. */
  readonly columns: number | undefined;
  /** The reader's time zone, by its IANA name. */
  readonly zone: string;
  /** Whether stdout takes nothing any more: a command that only reads then stops. */
  readonly closed: () => boolean;
  /** Puts a question to a person and gives the answer; undefined where nobody is there to answer. @throws CommandFailure where the person ends it */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** Whether a person sees stderr at once. */
  readonly isWatched: boolean;
  /** Whether an unexpected error shows where it came from. */
  readonly debug: boolean;
}

/** Waits so many milliseconds. False, and at once, where the reader has ended the command. */
export type Wait = (milliseconds: number) => Promise<boolean>;

/** What the commands work with. */
export interface Context {
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** A new UUID. */
  readonly newId: () => string;
  readonly connect: Connect;
  readonly post: Post;
  /** From this call on Ctrl-C, or a closed pipe, ends the waiting instead of the process. */
  readonly beginWaiting: () => Wait;
}
