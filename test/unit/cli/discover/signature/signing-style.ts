/** What is not as it was signed; nothing by default. */
export type Change = 'body' | 'timestamp' | 'id' | 'nonce' | 'url' | 'token';

/** How one service signs. */
export interface SigningStyle {
  /** For the name of a test. */
  readonly name: string;
  readonly secret: string;
  readonly wrongSecret: string;
  /** What a signature covers, or a token is. */
  readonly covers: readonly Change[];
  readonly isForm: boolean;
  readonly masked: boolean;
  readonly sign: (request: Unsigned, change: Change | undefined) => Readonly<Record<string, string>>;
}

export interface Unsigned {
  readonly body: Buffer;
  readonly url: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly id: string;
  readonly nonce: string;
}
