/** What is to be signed. */
export interface UnsignedRequest {
  readonly body: Uint8Array;
  /** The event's id, for schemes that sign one. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly url: string;
  /** Headers the template names besides. */
  readonly headers?: Readonly<Record<string, string>>;
}
