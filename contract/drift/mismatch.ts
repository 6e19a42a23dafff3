/** The ways in which events differ from the contract and its samples. */
export const mismatchKinds = ['status', 'kind', 'field-missing', 'format', 'unread'] as const;

/** One difference between events and the contract or its samples. It holds no value of an event. */
export interface ContractMismatch {
  /** The source whose events differ; left out for `main`. */
  readonly source?: string;
  readonly kind: (typeof mismatchKinds)[number];
  /** The place in the contract, for example `events.status.recipient`. */
  readonly field: string;
  /** The expected value, for example `string`, `phone number`, `iso8601`. */
  readonly expected: string;
  /** The JSON type of the actual value, or `nothing` if it is missing; of a value that was kept as received, why it could not be read. */
  readonly found: string;
  /** The service's word for a status or kind, if it looks like a word and not like personal data. */
  readonly word?: string;
  /** What a value that was kept as received looks like, masked. */
  readonly example?: string;
}
