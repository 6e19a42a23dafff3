/** An event as EventBridge hands it on (EventBridge User Guide, "Events structure reference"). */
export interface Envelope {
  readonly version: '0';
  readonly id: string;
  readonly 'detail-type': string;
  readonly source: string;
  readonly account: string;
  /** ISO 8601 in UTC, to the second. */
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: Readonly<Record<string, unknown>>;
  /** The name of the replay, on an event that comes from an archive. */
  readonly 'replay-name'?: string;
}

/** A time as an envelope has it. */
export function envelopeTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
