/** List prices of us-east-1 in US dollars, first tier, without the free tier; read from AWS's pages on 2026-06-13. */
export const prices = {
  httpApiRequests: { what: 'API Gateway: HTTP API requests', dollars: 1 / 1e6 },
  lambdaRequests: { what: 'Lambda: invocations', dollars: 0.2 / 1e6 },
  lambdaGbSeconds: { what: 'Lambda: GB-seconds, arm64', dollars: 1.33334e-5 },
  sqsRequests: { what: 'SQS: requests', dollars: 0.4 / 1e6 },
  dynamoDbReadUnits: { what: 'DynamoDB: read units', dollars: 0.125 / 1e6 },
  dynamoDbWriteUnits: { what: 'DynamoDB: write units', dollars: 0.625 / 1e6 },
  dynamoDbInfrequentWriteUnits: { what: 'DynamoDB: write units, Standard-IA', dollars: 0.78 / 1e6 },
  dynamoDbStorage: { what: 'DynamoDB: GB-months of storage', dollars: 0.25 },
  dynamoDbInfrequentStorage: { what: 'DynamoDB: GB-months of storage, Standard-IA', dollars: 0.1 },
  dynamoDbBackup: { what: 'DynamoDB: GB-months of backups', dollars: 0.2 },
  eventBridgeEvents: { what: 'EventBridge: events', dollars: 1 / 1e6 },
  logsIngested: { what: 'CloudWatch Logs: GB received', dollars: 0.5 },
  customMetrics: { what: 'CloudWatch: custom metrics, a month', dollars: 0.3 },
  alarmMetrics: { what: 'CloudWatch: metrics of alarms, a month', dollars: 0.1 },
  compositeAlarms: { what: 'CloudWatch: composite alarms, a month', dollars: 0.5 },
  dashboards: { what: 'CloudWatch: dashboards, a month', dollars: 3 },
  secrets: { what: 'Secrets Manager: secrets, a month', dollars: 0.4 },
  secretCalls: { what: 'Secrets Manager: calls', dollars: 0.05 / 1e4 },
  keys: { what: 'KMS: keys, a month', dollars: 1 },
  keyRequests: { what: 'KMS: requests', dollars: 0.03 / 1e4 },
  traces: { what: 'X-Ray: traces recorded', dollars: 5 / 1e6 },
} as const;

/**
 * What an account has free each month, for good: "always free" on the pricing pages of CloudWatch, DynamoDB, Lambda, SQS and KMS, read on 2026-11-29.
 * All pipelines of an account share it.
 */
const alwaysFree: Partial<Record<Billable, number>> = {
  lambdaRequests: 1e6,
  lambdaGbSeconds: 400_000,
  sqsRequests: 1e6,
  dynamoDbStorage: 25,
  logsIngested: 5,
  customMetrics: 10,
  alarmMetrics: 10,
  dashboards: 3,
  keyRequests: 20_000,
};

/** Something that AWS bills by the unit. */
export type Billable = keyof typeof prices;

/** Returns the name of what is billed, as AWS's pages call it. */
export function nameOf(billable: Billable): string {
  return prices[billable].what;
}

/** Returns the price of what is free of so many units in an account without other use, in US dollars. */
export function freeOf(billable: Billable, units: number): number {
  return costOf(billable, Math.min(units, alwaysFree[billable] ?? 0));
}

/** Returns the price of so many units, in US dollars. */
export function costOf(billable: Billable, units: number): number {
  return prices[billable].dollars * units;
}
