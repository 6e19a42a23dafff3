import type { CanonicalStatus } from '../../contract/schema/sms-event.ts';

/**
 * Every metric the functions count or measure. The only dimension is the service, which is the function's name. Kinds are separate
 * metrics with names of the pipeline, so that no sender can create metrics.
 */
export const metricNames = {
  /** All responses with 401, whatever the reason. */
  rejected: 'RequestsRejected',
  rejectedSignatureMissing: 'RejectedSignatureMissing',
  rejectedSignatureMismatch: 'RejectedSignatureMismatch',
  rejectedTimestamp: 'RejectedTimestamp',
  rejectedTooLarge: 'RejectedTooLarge',
  /** Responses with 403: the address is not allowed. */
  rejectedSource: 'RejectedSource',
  /** Requests that were queued unverified: a rotation is under way, or all mismatches are parked. */
  parked: 'RequestsParked',
  /** Requests that were queued for people to look at during a capture: the response would have been 401 or 503. */
  captured: 'RequestsCaptured',
  unavailable: 'Unavailable',
  /**
   * Requests that ingest acknowledged, parked and captured ones included. The worker counts them at their first receive, because ingest
   * counts only problems. Redriven and replayed requests count again.
   */
  accepted: 'RequestsAccepted',
  stored: 'EventsStored',
  repeated: 'EventsRepeated',
  quarantined: 'EventsQuarantined',
  /** Captured requests put into quarantine. */
  capturedKept: 'CapturedKept',
  unmappedStatus: 'UnmappedStatus',
  /** Occurrences of differences between events and the contract or its samples. */
  contractDrift: 'ContractDrift',
  /** Parked requests that the worker verified, and those it put into quarantine. */
  parkedVerified: 'ParkedVerified',
  parkedRefused: 'ParkedRefused',
  secretRotated: 'SecretRotated',
  /** Reconcile runs that found the webhook changed by another actor, and runs that failed. */
  webhookDrifted: 'WebhookDrifted',
  reconcileFailed: 'ReconcileFailed',
  /** Messages that the sweep marked, sweeps that ended early, and responses with 5xx of the query function. */
  staleMarked: 'MessagesStale',
  sweepUnfinished: 'SweepsUnfinished',
  archiveUnfinished: 'ArchiveUnfinished',
  queryFailed: 'QueryFailed',
  exportFailed: 'ExportFailed',
  /** All messages, countries and reasons that the delivery watch finds degraded, at each run. */
  subjectsDegraded: 'SubjectsDegraded',
  storeFailures: 'StoreFailures',
  /** Events on the bus, attempts that failed and are retried, and events that can never be published. */
  published: 'EventsPublished',
  publishFailures: 'PublishFailures',
  publishRefused: 'PublishRefused',
  /** New delivery reports by their canonical status, from the stream. Each counts once, however often it was repeated. */
  reportsAccepted: 'ReportsAccepted',
  reportsQueued: 'ReportsQueued',
  reportsSent: 'ReportsSent',
  reportsUnknown: 'ReportsUnknown',
  reportsExpired: 'ReportsExpired',
  reportsRejected: 'ReportsRejected',
  reportsFailed: 'ReportsFailed',
  reportsUndelivered: 'ReportsUndelivered',
  reportsDelivered: 'ReportsDelivered',
  reportsRead: 'ReportsRead',
  /** Reports with a status word that the contract does not list. */
  reportsUnmapped: 'ReportsUnmapped',
  /** New reports that another one outranks, and messages with contradictory reports: failed and delivered. */
  superseded: 'ReportsSuperseded',
  conflicting: 'MessagesConflicting',
  /** The time from an event until it was stored or published: the maximum of an invocation, in milliseconds. */
  lagToStored: 'LagToStored',
  lagToPublished: 'LagToPublished',
  /** The age, since its first receive, of the oldest queue message that failed and is retried, in milliseconds. */
  failingFor: 'FailingFor',
  /** Failed messages that were reported in notices. */
  failuresAlerted: 'FailuresAlerted',
} as const;

export type MetricName = keyof typeof metricNames;

/** Counts of new reports, by canonical status. */
export const reportMetrics: Readonly<Record<CanonicalStatus, MetricName>> = {
  accepted: 'reportsAccepted',
  queued: 'reportsQueued',
  sent: 'reportsSent',
  unknown: 'reportsUnknown',
  expired: 'reportsExpired',
  rejected: 'reportsRejected',
  failed: 'reportsFailed',
  undelivered: 'reportsUndelivered',
  delivered: 'reportsDelivered',
  read: 'reportsRead',
};

/** Metrics with the maximum of an invocation as their value, in milliseconds; all others have the sum. */
export const lagMetrics: readonly MetricName[] = ['lagToStored', 'lagToPublished', 'failingFor'];

/** Adds to a count, or raises a lag to a value. */
export type Count = (metric: MetricName, by?: number) => void;
