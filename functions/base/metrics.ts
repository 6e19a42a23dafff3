import type { CanonicalStatus } from '../../contract/schema/sms-event.ts';

/**
 * Every metric the functions count or measure. The only dimension is the service, which is the function's name. Kinds are separate
 * metrics with names of the pipeline, so that no sender can create metrics. docs/reference/metrics.md is made from these comments; each
 * begins with the functions that emit the metric.
 */
export const metricNames = {
  /** ingest: requests that the webhook answered with 401 or 413, and those with values that it answered with 405. */
  rejected: 'RequestsRejected',
  /** ingest: requests answered with 401, because they had no signature, or a value that holds the text beside it in what is signed. */
  rejectedSignatureMissing: 'RejectedSignatureMissing',
  /** ingest: requests answered with 401, because the signature did not match. */
  rejectedSignatureMismatch: 'RejectedSignatureMismatch',
  /** ingest: requests answered with 401, because their signed time was too old or too new. */
  rejectedTimestamp: 'RejectedTimestamp',
  /** ingest: requests answered with 413, because the body was too large or had over 1,000 parameters. */
  rejectedTooLarge: 'RejectedTooLarge',
  /** ingest: requests answered with 403, because their address is not allowed. */
  rejectedSource: 'RejectedSource',
  /** ingest: requests that were queued before their signature could be verified. */
  parked: 'RequestsParked',
  /** ingest: requests that were queued for a capture, and not rejected. */
  captured: 'RequestsCaptured',
  /** ingest: requests answered with 503. */
  unavailable: 'Unavailable',
  // The worker counts these at their first receive, because ingest counts only problems.
  /** worker: requests that were verified, parked ones once they are, and again those that were redriven; not the test events of `sms doctor`. */
  accepted: 'RequestsAccepted',
  /** worker: events that were stored for the first time. */
  stored: 'EventsStored',
  /** worker: events that were stored already, so nothing changed. */
  repeated: 'EventsRepeated',
  /** worker: events that could not be read, and went into quarantine. */
  quarantined: 'EventsQuarantined',
  /** worker: captured requests that went into quarantine. */
  capturedKept: 'CapturedKept',
  /** worker: events whose status the contract does not list. */
  unmappedStatus: 'UnmappedStatus',
  /** worker: differences between events and the contract. */
  contractDrift: 'ContractDrift',
  /** worker: numbers that could not be read, or may be two, and were kept as received. */
  unreadNumbers: 'UnreadNumbers',
  /** worker: times that are missing, or whose zone is unknown. */
  unreadTimes: 'UnreadTimes',
  /** worker: other values that could not be read, such as prices, and were kept as received. */
  unreadOthers: 'UnreadOthers',
  /** worker: parked requests whose signature was verified later. */
  parkedVerified: 'ParkedVerified',
  /** worker: parked requests whose signature matched no secret, so they went into quarantine. */
  parkedRefused: 'ParkedRefused',
  /** setup: rotations of the secret. */
  secretRotated: 'SecretRotated',
  /** setup: changes of the webhook by another actor. */
  webhookDrifted: 'WebhookDrifted',
  /** setup: runs that could not compare the webhook at the service. */
  reconcileFailed: 'ReconcileFailed',
  /** lookups: requests to the SMS service. */
  lookupRequests: 'LookupRequests',
  /** lookups: messages about which the webhook had received nothing. */
  lookupMissing: 'LookupMissing',
  /** lookups: messages that a lookup gave another state. */
  lookupChanged: 'LookupChanged',
  /** lookups: runs that ended early, because the time was over or the service asked to wait. */
  lookupsUnfinished: 'LookupsUnfinished',
  /** lookups: runs that the service refused. */
  lookupsFailed: 'LookupsFailed',
  /** sweep: messages that were marked `unknown`. */
  staleMarked: 'MessagesStale',
  /** sweep: runs that ended early. */
  sweepUnfinished: 'SweepsUnfinished',
  /** query, console: queries answered with 5xx. */
  queryFailed: 'QueryFailed',
  /** exporter: days whose export failed. */
  exportFailed: 'ExportFailed',
  /** delivery-watch: countries, reasons and sources that are degraded, counted again at each run. */
  subjectsDegraded: 'SubjectsDegraded',
  /** worker, sweep: writes that failed. */
  storeFailures: 'StoreFailures',
  /** publisher: events that the bus accepted. */
  published: 'EventsPublished',
  /** publisher: attempts to publish that failed and are retried. */
  publishFailures: 'PublishFailures',
  /** publisher: events that the bus will never accept. */
  publishRefused: 'PublishRefused',
  // From the stream: each counts once, however often it was repeated.
  /** publisher: new reports, by the status that they report. */
  reportsAccepted: 'ReportsAccepted',
  /** publisher: new reports, by the status that they report. */
  reportsQueued: 'ReportsQueued',
  /** publisher: new reports, by the status that they report. */
  reportsSent: 'ReportsSent',
  /** publisher: new reports, by the status that they report. */
  reportsUnknown: 'ReportsUnknown',
  /** publisher: new reports, by the status that they report. */
  reportsExpired: 'ReportsExpired',
  /** publisher: new reports, by the status that they report. */
  reportsRejected: 'ReportsRejected',
  /** publisher: new reports, by the status that they report. */
  reportsFailed: 'ReportsFailed',
  /** publisher: new reports, by the status that they report. */
  reportsUndelivered: 'ReportsUndelivered',
  /** publisher: new reports, by the status that they report. */
  reportsDelivered: 'ReportsDelivered',
  /** publisher: new reports, by the status that they report. */
  reportsRead: 'ReportsRead',
  /** publisher: new reports whose status the contract does not list. */
  reportsUnmapped: 'ReportsUnmapped',
  /** publisher: new reports that did not change the status, because another one outranks them. */
  superseded: 'ReportsSuperseded',
  /** publisher: messages with contradictory reports. */
  conflicting: 'MessagesConflicting',
  /** worker: the time from an event until it was stored. */
  lagToStored: 'LagToStored',
  /** publisher: the time from an event until it was published. */
  lagToPublished: 'LagToPublished',
  /** worker, opt-out, contact-sync, forward: the age of the oldest message in the queue that has failed and is retried. */
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
