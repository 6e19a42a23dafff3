/**
 * Capturing: for a while, requests that would be refused are kept, so that the contract can be found from them. A setting switches it
 * on at a deployment, a command at any time; the command's word is in the secret document.
 */

/** What a person decided. */
export interface CaptureDecision {
  /** Until when requests are captured; ISO 8601 in UTC. A time that is over ends it. */
  readonly until: string;
  /** What the setting said then: a deployment that changes it decides anew. */
  readonly setting: string;
}

/** Requests of a capture, as instances of ingest report them; those of the last seconds may be missing. */
export interface CaptureCount {
  readonly captured: number;
  /** Those that were refused all the same: too large, or more than an instance keeps. */
  readonly leftOut: number;
}

/**
 * Until when requests are captured; ISO 8601 in UTC, or empty.
 *
 * @param setting the same by the setting
 */
export function captureEnd(decision: CaptureDecision | undefined, setting: string): string {
  return decision?.setting === setting ? decision.until : setting;
}

/** How capturing stands. Times are ISO 8601 in UTC. */
export interface CaptureReport {
  /** Null where requests are not captured. */
  readonly capture:
    | ({ readonly until: string; readonly decidedBy: 'setting' | 'command' } & CaptureCount)
    | null;
  /** What the setting says; null where it says nothing. */
  readonly setting: string | null;
}
