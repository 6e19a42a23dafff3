/**
 * Every metric the functions count or measure. No dimensions but the service (the function's name): what tells kinds apart is in
 * the name, and is a word of ours, so that nobody outside decides how many metrics there are.
 */
export const metricNames = {
  /** All answers of 401, whatever the reason. */
  rejected: 'RequestsRejected',
  rejectedSignatureMissing: 'RejectedSignatureMissing',
  rejectedSignatureMismatch: 'RejectedSignatureMismatch',
  rejectedTimestamp: 'RejectedTimestamp',
  rejectedTooLarge: 'RejectedTooLarge',
  /** Answers of 403: not from an allowed address. */
  rejectedSource: 'RejectedSource',
  /** Queued unverified: a rotation is under way, or everything that does not fit is parked. */
  parked: 'RequestsParked',
  /** Queued for people to look at, while a capture is on: they would have been answered with 401 or 503. */
  captured: 'RequestsCaptured',
  unavailable: 'Unavailable',
  /**
   * Requests that ingest acknowledged, parked and captured ones too, counted by the worker when it gets them first: ingest says only what is
   * wrong. Redriven and replayed ones count again.
   */
  accepted: 'RequestsAccepted',
  stored: 'EventsStored',
  repeated: 'EventsRepeated',
  quarantined: 'EventsQuarantined',
  /** Captured requests put into quarantine. */
  capturedKept: 'CapturedKept',
  unmappedStatus: 'UnmappedStatus',
  /** How often events showed something that differs from the contract and its samples. */
  contractDrift: 'ContractDrift',
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
  /** New delivery reports by their canonical status, from the stream: each once, whatever was repeated on the way. */
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
  /** Of any word that the contract does not list. */
  reportsUnmapped: 'ReportsUnmapped',
  /** New reports that came after one that decides more, and messages that became contradictory: failed and delivered. */
  superseded: 'ReportsSuperseded',
  conflicting: 'MessagesConflicting',
  /** From an event's own time until it was stored or published: the longest of an invocation, in milliseconds. */
  lagToStored: 'LagToStored',
  lagToPublished: 'LagToPublished',
  /** How long ago the oldest queue message whose work failed just now, and comes again, was first received, in milliseconds. */
  failingFor: 'FailingFor',
  /** Failed messages that notices were sent about. */
  failuresAlerted: 'FailuresAlerted',
} as const;

export type MetricName = keyof typeof metricNames;

/** Metrics of which the largest value of an invocation counts, in milliseconds; of all others the sum does. */
export const lagMetrics: readonly MetricName[] = ['lagToStored', 'lagToPublished', 'failingFor'];

/** Adds to a metric, or gives it a value it may not be below. */
export type Count = (metric: MetricName, by?: number) => void;

/** Whose metrics they are. */
export interface MetricSource {
  /** The namespace in CloudWatch. */
  readonly namespace: string;
  /** The function's service name, the only dimension. */
  readonly service: string;
}

/**
 * A line of the log that CloudWatch reads metrics from (CloudWatch user guide, "Specification: Embedded metric format").
 *
 * @param values a value a metric; at most 100 of them, which is what one line may hold
 * @param at Unix time in milliseconds
 */
export function metricLine(
  { namespace, service }: MetricSource,
  values: readonly (readonly [MetricName, number])[],
  at: number,
): string {
  const Metrics = values.map(([metric]) => ({
    Name: metricNames[metric],
    Unit: lagMetrics.includes(metric) ? 'Milliseconds' : 'Count',
  }));
  return JSON.stringify({
    _aws: {
      Timestamp: at,
      CloudWatchMetrics: [{ Namespace: namespace, Dimensions: [['service']], Metrics }],
    },
    service,
    ...Object.fromEntries(values.map(([metric, value]) => [metricNames[metric], value])),
  });
}

/** What one invocation counted: one value a metric, however often it was counted, so that it fits into one line of the log. */
export interface Tally {
  /** Adds to a count, or raises a lag. */
  add(metric: MetricName, value: number): void;
  /** What was counted, without zeros, and begins anew. */
  take(): readonly (readonly [MetricName, number])[];
}

export function createTally(): Tally {
  const values = new Map<MetricName, number>();
  return {
    add: (metric, value) => {
      const known = values.get(metric) ?? 0;
      // No lag is below zero: the clock of whoever sent an event may be ahead.
      values.set(metric, lagMetrics.includes(metric) ? Math.max(known, value) : known + value);
    },
    take: () => {
      const taken = [...values].filter(([metric, value]) => value !== 0 || lagMetrics.includes(metric));
      values.clear();
      return taken;
    },
  };
}
