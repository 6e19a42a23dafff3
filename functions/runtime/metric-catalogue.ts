/** Every metric the functions count; no dimensions but the service (the function's name). */
export const metricNames = {
  /** All answers of 401, whatever the reason. */
  rejected: 'RequestsRejected',
  rejectedSignatureMissing: 'RejectedSignatureMissing',
  rejectedSignatureMismatch: 'RejectedSignatureMismatch',
  rejectedTimestamp: 'RejectedTimestamp',
  rejectedTooLarge: 'RejectedTooLarge',
  unavailable: 'Unavailable',
  stored: 'EventsStored',
  repeated: 'EventsRepeated',
  quarantined: 'EventsQuarantined',
  unmappedStatus: 'UnmappedStatus',
  storeFailures: 'StoreFailures',
} as const;

export type MetricName = keyof typeof metricNames;

/** Adds to a metric. */
export type Count = (metric: MetricName, by?: number) => void;
