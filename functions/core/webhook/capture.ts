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

/** So many requests, about, end a capture. */
export const mostCaptured = 5_000;

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
  readonly capture: {
    readonly until: string;
    readonly decidedBy: 'setting' | 'command';
    /** Requests that instances have told of; a few more may be under way. */
    readonly captured: number;
    /** So many end it. */
    readonly limit: number;
  } | null;
  /** What the setting says; null where it says nothing. */
  readonly setting: string | null;
}
