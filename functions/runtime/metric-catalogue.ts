/** Every metric the functions count; no dimensions but the service (the function's name). */
export const metricNames = {
  /** All answers of 401, whatever the reason. */
  rejected: 'RequestsRejected',
  rejectedSignatureMissing: 'RejectedSignatureMissing',
  rejectedSignatureMismatch: 'RejectedSignatureMismatch',
  rejectedTimestamp: 'RejectedTimestamp',
  rejectedTooLarge: 'RejectedTooLarge',
  /** Queued unverified: a rotation is under way, or everything that does not fit is parked. */
  parked: 'RequestsParked',
  unavailable: 'Unavailable',
  stored: 'EventsStored',
  repeated: 'EventsRepeated',
  quarantined: 'EventsQuarantined',
  unmappedStatus: 'UnmappedStatus',
  /** Parked requests whose signature turned out genuine, and those put into quarantine. */
  parkedVerified: 'ParkedVerified',
  parkedRefused: 'ParkedRefused',
  secretRotated: 'SecretRotated',
  /** Runs of reconcile that found the webhook changed elsewhere, and runs that failed. */
  webhookDrifted: 'WebhookDrifted',
  reconcileFailed: 'ReconcileFailed',
  /** Messages the sweep marked, and answers of 5xx of the query function. */
  staleMarked: 'MessagesStale',
  sweepUnfinished: 'SweepsUnfinished',
  queryFailed: 'QueryFailed',
  exportFailed: 'ExportFailed',
  storeFailures: 'StoreFailures',
  /** Events on the bus, attempts that failed and come again, and events that can never be published. */
  published: 'EventsPublished',
  publishFailures: 'PublishFailures',
  publishRefused: 'PublishRefused',
  /** Failed messages that notices were sent about. */
  failuresAlerted: 'FailuresAlerted',
} as const;

export type MetricName = keyof typeof metricNames;

/** Adds to a metric. */
export type Count = (metric: MetricName, by?: number) => void;
