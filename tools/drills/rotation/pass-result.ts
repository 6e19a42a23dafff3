import type { PostResult } from '../../../local/sms-service/poster.ts';

/** A genuine event that was not acknowledged. */
export interface Refusal {
  readonly status: PostResult;
  /** Whether it was sent before an instance of ingest had to know the secret that was rotated elsewhere. */
  readonly isSecretUnknown: boolean;
  /** Since the last rotation elsewhere before it was sent, milliseconds; undefined without one. */
  readonly afterRotationElsewhereMs: number | undefined;
}

/** The measurements of a pass. */
export interface PassResult {
  /** The plan of the pass. */
  readonly planned: {
    readonly sent: number;
    readonly seconds: number;
    readonly forged: number;
    readonly rotations: number;
  };
  readonly sent: number;
  readonly sendingSeconds: number;
  readonly acknowledged: number;
  readonly refused: readonly Refusal[];
  /** Acknowledged events that are in history, exactly once. */
  readonly stored: number;
  /** In history once although the answer was lost or an error: at-least-once delivery allows that. */
  readonly storedUnacknowledged: number;
  /** In history more than once, or answered with 401, or never sent. */
  readonly unexpected: number;
  /** Acknowledged events in quarantine. */
  readonly quarantinedGenuine: number;
  readonly forgedAnswers: ReadonlyMap<PostResult, number>;
  readonly forgedStored: number;
  /** Forged events in quarantine, by reason. */
  readonly quarantinedForged: ReadonlyMap<string, number>;
  /** The event that differs from a forged one by its secret only. */
  readonly control: { readonly answer: PostResult; readonly tries: number; readonly stored: number };
  readonly deadLetters: number;
  /** From the end of sending until nothing waited any more, seconds. */
  readonly drainSeconds: number;
  readonly rotations: number;
  /** Places with a secret in them. */
  readonly leaks: readonly string[];
}

export function sumOf(counts: ReadonlyMap<unknown, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** Returns whether a request was neither accepted nor rejected: the sender has to retry it. */
export function isUnavailable(answer: PostResult): boolean {
  return typeof answer !== 'number' || answer >= 500 || answer === 429;
}
