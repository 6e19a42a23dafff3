import type { Clock } from '../../functions/base/basics.ts';
import type { TargetSources } from './choose-target.ts';
import type { Connect } from './connection.ts';

/** A POST request. */
export interface PostRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** A GET carries its parameters in the URL, and `body` is not sent. */
  readonly method?: 'POST' | 'GET';
}

export interface PostAnswer {
  readonly status: number;
  readonly body: string;
}

/** Sends a request, POST by default; throws the error of `fetch` if there is no answer. */
export type Post = (request: PostRequest) => Promise<PostAnswer>;

const timeoutMs = 15_000;

/** Makes a `post` that sends by this `fetch`. */
export function createPost(send: typeof fetch): Post {
  return async ({ url, headers, body, method = 'POST' }) => {
    const response = await send(url, {
      method,
      headers,
      // fetch accepts only a view of an ArrayBuffer.
      body: method === 'GET' ? null : new Uint8Array(body),
      // Senders of webhooks do not follow redirects.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, body: await response.text() };
  };
}

/** The terminal or pipe of a command. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Writes bytes to stdout. */
  readonly bytes: (bytes: Uint8Array) => void;
  /** Whether stdout supports colour. */
  readonly colour: boolean;
  /** The columns of stdout; undefined for a pipe or a file. */
  readonly columns: number | undefined;
  /** The reader's time zone, by its IANA name. @throws CommandFailure for a TZ that names none */
  readonly zone: string;
  /** Returns whether stdout is closed; a command that only reads then stops. */
  readonly closed: () => boolean;
  /** Asks the user and returns the answer; undefined without a terminal. @throws CommandFailure if the user interrupts it */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** Whether stderr is a terminal. */
  readonly isWatched: boolean;
  /** Whether an unexpected error is shown with its stack trace. */
  readonly debug: boolean;
}

/** Waits for a time. Returns false, at once, after an interruption. */
export type Wait = (milliseconds: number) => Promise<boolean>;

/** The environment of the commands. */
export interface Context {
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** A new UUID. */
  readonly newId: () => string;
  readonly connect: Connect;
  /** Finds what names the pipeline where options leave it open. @throws CommandFailure, ProjectFileError */
  readonly targetSources: () => Promise<TargetSources>;
  readonly post: Post;
  /** Runs the app on this machine; the run ends the process. @param args of the local run */
  readonly startLocally: (args: readonly string[]) => Promise<void>;
  /** Makes Ctrl-C, or a closed pipe, interrupt the returned function instead of ending the process. */
  readonly beginWaiting: () => Wait;
}
