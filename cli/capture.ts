/** One request of the SMS service as it came, from a file or out of quarantine. */
export interface Capture {
  /** For people: the file and its place there, or the id of the quarantine entry. */
  readonly name: string;
  readonly method: string;
  /** In full, as it was posted to; from a request line alone it is put together with the header Host. */
  readonly url: string;
  /** By name in any case; a header that was given several times is joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** The raw bytes, never re-serialised. */
  readonly body: Uint8Array;
  /** When it was received; ISO 8601 in UTC. Undefined where nobody kept that. */
  readonly receivedAt?: string;
  /** Whether headers that carry credentials were replaced by maskCredential. */
  readonly masked?: boolean;
  /** Of its quarantine entry. */
  readonly id?: string;
}
