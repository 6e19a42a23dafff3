import priceFile from './prices-us-east-1.json' with { type: 'json' };

export type Billable = keyof typeof priceFile.prices;

/** Everything that is billed, as the tables call it, in their order. */
export const billables: Readonly<Record<Billable, string>> = {
  httpApiRequests: 'API Gateway: HTTP API requests',
  dataOut: 'Data transfer: GB of answers',
  lambdaRequests: 'Lambda: invocations',
  lambdaGbSeconds: 'Lambda: GB-seconds',
  sqsRequests: 'SQS: requests',
  dynamoDbWriteUnits: 'DynamoDB: write units',
  dynamoDbReadUnits: 'DynamoDB: read units',
  dynamoDbStorage: 'DynamoDB: GB-months of storage',
  dynamoDbBackup: 'DynamoDB: GB-months of point-in-time recovery',
  eventBridgeEvents: 'EventBridge: custom events',
  eventBridgeArchived: 'EventBridge: GB into the archive',
  eventBridgeArchive: 'EventBridge: GB-months of the archive',
  logsIngested: 'CloudWatch Logs: GB taken in',
  logsStorage: 'CloudWatch Logs: GB-months of storage',
  customMetrics: 'CloudWatch: custom metrics',
  alarms: 'CloudWatch: metrics of alarms',
  compositeAlarms: 'CloudWatch: composite alarms',
  dashboards: 'CloudWatch: dashboards',
  traces: 'X-Ray: traces',
  secrets: 'Secrets Manager: secrets',
  secretCalls: 'Secrets Manager: calls',
  keys: 'KMS: keys',
  keyRequests: 'KMS: requests',
};

export const allBillables = Object.keys(billables) as Billable[];

/** Returns the cost of so many units, in dollars, at the first tier's price. */
export function costOf(billable: Billable, units: number): number {
  const { amount, per } = priceFile.prices[billable];
  return (units / per) * amount;
}
