import type { CanonicalStatus } from '../../contract/schema/sms-event.ts';

/**
 * Every metric the functions count or measure. The only dimension is the service, which is the function's name. Kinds are separate
 * metrics with names of the pipeline, so that no sender can create metrics. docs/reference/metrics.md is made from these comments; each
 * begins with the functions that emit the metric.
 */
export const metricNames = {
  /** ingest: 401. */
  rejected: 'RequestsRejected',
  /** ingest: 401 by reason. */
  rejectedSignatureMissing: 'RejectedSignatureMissing',
  /** ingest: 401 by reason. */
  rejectedSignatureMismatch: 'RejectedSignatureMismatch',
  /** ingest: 401 by reason. */
  rejectedTimestamp: 'RejectedTimestamp',
  /** ingest: 413. */
  rejectedTooLarge: 'RejectedTooLarge',
  /** ingest: 403, the address is not allowed. */
  rejectedSource: 'RejectedSource',
  /** ingest: requests queued unverified. */
  parked: 'RequestsParked',
  /** ingest: requests queued for a capture. */
  captured: 'RequestsCaptured',
  /** ingest: 503. */
  unavailable: 'Unavailable',
  // The worker counts these at their first receive, because ingest counts only problems.
  /** worker: acknowledged requests, redriven ones again. */
  accepted: 'RequestsAccepted',
  /** worker: new events. */
  stored: 'EventsStored',
  /** worker: events stored before. */
  repeated: 'EventsRepeated',
  /** worker: events into quarantine. */
  quarantined: 'EventsQuarantined',
  /** worker: captured requests into quarantine. */
  capturedKept: 'CapturedKept',
  /** worker: events with an unlisted status. */
  unmappedStatus: 'UnmappedStatus',
  /** worker: differences from the contract. */
  contractDrift: 'ContractDrift',
  /** worker: parked requests that were verified. */
  parkedVerified: 'ParkedVerified',
  /** worker: parked requests into quarantine. */
  parkedRefused: 'ParkedRefused',
  /** setup: rotations. */
  secretRotated: 'SecretRotated',
  /** setup: changes of the webhook by another actor. */
  webhookDrifted: 'WebhookDrifted',
  /** setup: runs that failed. */
  reconcileFailed: 'ReconcileFailed',
  /** reconciler: requests to the SMS service. */
  lookupRequests: 'LookupRequests',
  /** reconciler: messages about which the webhook had received nothing. */
  lookupMissing: 'LookupMissing',
  /** reconciler: messages that a look-up gave another state. */
  lookupChanged: 'LookupChanged',
  /** reconciler: runs that ended early, because the time was over or the service asked to wait. */
  lookupsUnfinished: 'LookupsUnfinished',
  /** reconciler: runs that the service refused. */
  lookupsFailed: 'LookupsFailed',
  /** sweep: messages marked `unknown`. */
  staleMarked: 'MessagesStale',
  /** sweep: runs that ended early. */
  sweepUnfinished: 'SweepsUnfinished',
  /** query, console: 5xx. */
  queryFailed: 'QueryFailed',
  /** exporter: days that failed. */
  exportFailed: 'ExportFailed',
  /** delivery-watch: what is degraded, at each run. */
  subjectsDegraded: 'SubjectsDegraded',
  /** worker, sweep: writes that failed. */
  storeFailures: 'StoreFailures',
  /** publisher: events on the bus. */
  published: 'EventsPublished',
  /** publisher: attempts that are retried. */
  publishFailures: 'PublishFailures',
  /** publisher: events that can never be published. */
  publishRefused: 'PublishRefused',
  // From the stream: each counts once, however often it was repeated.
  /** publisher: new reports by canonical status. */
  reportsAccepted: 'ReportsAccepted',
  /** publisher: new reports by canonical status. */
  reportsQueued: 'ReportsQueued',
  /** publisher: new reports by canonical status. */
  reportsSent: 'ReportsSent',
  /** publisher: new reports by canonical status. */
  reportsUnknown: 'ReportsUnknown',
  /** publisher: new reports by canonical status. */
  reportsExpired: 'ReportsExpired',
  /** publisher: new reports by canonical status. */
  reportsRejected: 'ReportsRejected',
  /** publisher: new reports by canonical status. */
  reportsFailed: 'ReportsFailed',
  /** publisher: new reports by canonical status. */
  reportsUndelivered: 'ReportsUndelivered',
  /** publisher: new reports by canonical status. */
  reportsDelivered: 'ReportsDelivered',
  /** publisher: new reports by canonical status. */
  reportsRead: 'ReportsRead',
  /** publisher: new reports with an unlisted status. */
  reportsUnmapped: 'ReportsUnmapped',
  /** publisher: new reports that another one outranks. */
  superseded: 'ReportsSuperseded',
  /** publisher: messages with contradictory reports. */
  conflicting: 'MessagesConflicting',
  /** worker: time from event to storage. */
  lagToStored: 'LagToStored',
  /** publisher: time from event to publication. */
  lagToPublished: 'LagToPublished',
  /** worker, opt-out, contact-sync, forward: age of the oldest message that is retried. */
  failingFor: 'FailingFor',
  /** failure-alert: failed messages in notices. */
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
