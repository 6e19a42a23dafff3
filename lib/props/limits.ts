/** What a number may be, and what it is by default. */
export interface Limit {
  readonly preset: number;
  readonly min: number;
  readonly max: number;
  readonly unit: string;
  /** Also allowed, although it is below the minimum: never, or none. */
  readonly never?: number;
}

const limit = (preset: number, min: number, max: number, unit: string, never?: number): Limit => ({
  preset,
  min,
  max,
  unit,
  ...(never === undefined ? {} : { never }),
});

/** Says what a number may be, for messages. */
export function expectationOf({ min, max, unit, never }: Limit): string {
  const above = `expected a whole number of ${unit} from ${min} to ${max}`;
  return never === undefined ? above : `${above}, or ${never} for none`;
}

/** A rotation whose run died is settled within 8 minutes; this many receives of a parked request take 9 minutes. */
export const minReceives = 13;

/** The limits of every number that a pipeline can be given, by the construct's props and by the settings of the stand-alone app. */
export const limits = {
  retention: limit(400, 1, 3650, 'days'),
  quarantineRetention: limit(90, 1, 3650, 'days'),
  exportRetention: limit(400, 1, 3650, 'days'),
  insightsRetention: limit(400, 1, 3650, 'days'),
  // The same hours of the weeks before are compared with, so it is several weeks.
  insightsHourRetention: limit(70, 1, 3650, 'days'),
  staleAfter: limit(72, 1, 8760, 'hours', 0),
  recovery: limit(35, 1, 35, 'days', 0),
  listShards: limit(1, 1, 256, 'shards'),
  // No more than an account has in every region: 1,250 in some ("Amazon API Gateway quotas", developer guide).
  burst: limit(1000, 1, 100_000, 'requests'),
  ratePerSecond: limit(1000, 1, 100_000, 'requests a second'),
  // None by default: an account whose limit is 10 has nothing to reserve, and Lambda rejects the deployment. Lambda lets an account
  // reserve 900 of its 1,000 concurrent invocations; two functions share them.
  reservedConcurrency: limit(0, 1, 400, 'concurrent invocations', 0),
  secretOverlap: limit(24, 1, 168, 'hours'),
  rotateAfter: limit(0, 1, 365, 'days', 0),
  // With a window of a second: docs/adr/0015.
  batchSize: limit(6, 1, 10_000, 'queue messages'),
  batchWindow: limit(1, 0, 300, 'seconds'),
  // The worker starts no write in its last five seconds, so that writes in progress can end.
  workerTimeout: limit(20, 10, 900, 'seconds'),
  maximumConcurrency: limit(50, 2, 1000, 'concurrent invocations'),
  maxReceiveCount: limit(20, minReceives, 1000, 'receives'),
  parallelism: limit(2, 1, 10, 'batches of a shard at once'),
  archive: limit(30, 1, 3650, 'days', 0),
  contactSyncPeriod: limit(24, 1, 8760, 'hours'),
  failureAlertPeriod: limit(15, 5, 1440, 'minutes'),
  billingWatch: limit(30, 1, 365, 'days'),
  requestsNotAccepted: limit(1, 1, 1_000_000, 'requests in a minute'),
  requestsRejected: limit(10, 1, 1_000_000, 'requests in five minutes'),
  eventsQuarantined: limit(1, 1, 1_000_000, 'events in five minutes'),
  queueBehind: limit(300, 60, 86_400, 'seconds'),
  // The publisher gives up on a change after 23 hours.
  publisherBehind: limit(300_000, 60_000, 79_200_000, 'milliseconds'),
  queriesFailed: limit(3, 1, 1_000_000, 'queries in five minutes'),
} as const;
