/** List prices of us-east-1 in US dollars, first tier, without the free tier; read from AWS's pages on 2026-06-13. */
const prices = {
  httpApiRequests: { what: 'API Gateway: HTTP API requests', dollars: 1 / 1e6 },
  lambdaRequests: { what: 'Lambda: invocations', dollars: 0.2 / 1e6 },
  lambdaGbSeconds: { what: 'Lambda: GB-seconds, arm64', dollars: 1.33334e-5 },
  sqsRequests: { what: 'SQS: requests', dollars: 0.4 / 1e6 },
  dynamoDbReadUnits: { what: 'DynamoDB: read units', dollars: 0.125 / 1e6 },
  dynamoDbWriteUnits: { what: 'DynamoDB: write units', dollars: 0.625 / 1e6 },
  dynamoDbStorage: { what: 'DynamoDB: GB-months of storage', dollars: 0.25 },
  dynamoDbBackup: { what: 'DynamoDB: GB-months of backups', dollars: 0.2 },
  eventBridgeEvents: { what: 'EventBridge: events', dollars: 1 / 1e6 },
  logsIngested: { what: 'CloudWatch Logs: GB received', dollars: 0.5 },
} as const;

/** Something that AWS bills by the unit. */
export type Billable = keyof typeof prices;

/** Units of what is billed. */
export type Units = Partial<Record<Billable, number>>;

/** Returns the name of what is billed, as AWS's pages call it. */
export function nameOf(billable: Billable): string {
  return prices[billable].what;
}

/** Returns the price of so many units, in US dollars. */
export function costOf(billable: Billable, units: number): number {
  return prices[billable].dollars * units;
}
