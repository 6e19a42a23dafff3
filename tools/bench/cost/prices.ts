import { readFileSync } from 'node:fs';
import * as z from 'zod';

const billableNames = [
  ...(['httpApiRequests', 'dataOut', 'lambdaRequests', 'lambdaGbSeconds', 'sqsRequests'] as const),
  ...(['dynamoDbWriteUnits', 'dynamoDbReadUnits', 'dynamoDbStorage', 'dynamoDbBackup'] as const),
  ...(['eventBridgeEvents', 'eventBridgeArchived', 'eventBridgeArchive'] as const),
  ...(['logsIngested', 'logsStorage', 'customMetrics', 'alarms', 'dashboards', 'traces'] as const),
  ...(['secrets', 'secretCalls', 'keys', 'keyRequests'] as const),
] as const;

export type Billable = (typeof billableNames)[number];

/** Everything that is billed, as the tables call it. */
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
  alarms: 'CloudWatch: alarms',
  dashboards: 'CloudWatch: dashboards',
  traces: 'X-Ray: traces',
  secrets: 'Secrets Manager: secrets',
  secretCalls: 'Secrets Manager: calls',
  keys: 'KMS: keys',
  keyRequests: 'KMS: requests',
};

/** In the order of the tables. */
export const allBillables: readonly Billable[] = billableNames;

const amount = z.number().min(0);
const price = z.strictObject({
  /** The price of `per` units. */
  amount,
  per: z.number().positive(),
  /** In words. */
  unit: z.string().min(1),
  /** Other amounts for what a month has beyond so many units, the fewest first. */
  above: z
    .array(z.strictObject({ over: z.number().positive(), amount }))
    .refine(
      (tiers) => tiers.every(({ over }, index) => index === 0 || over > (tiers[index - 1]?.over ?? 0)),
      {
        message: 'expected the fewest units first',
      },
    )
    .optional(),
  /** AWS's public page of it. */
  url: z.url({ protocol: /^https$/ }),
  /** When the copy that was read was made: of that page, or of one that quotes it. */
  date: z.iso.date(),
  /** A page that quotes the amount, where the copy of AWS's own has none. */
  quotedBy: z.url({ protocol: /^https$/ }).optional(),
});

const schema = z.strictObject({
  region: z.string().min(1),
  currency: z.literal('USD'),
  note: z.string().optional(),
  prices: z.record(z.enum(billableNames), price),
});

export type PriceFile = z.output<typeof schema>;
type Price = z.output<typeof price>;

/** Thrown for a price file that is none; the message has a line for each problem. */
export class PriceFileError extends Error {
  override readonly name = 'PriceFileError';
}

/** @throws PriceFileError if the file cannot be read, or is none of these */
export function readPriceFile(file: string): PriceFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new PriceFileError(`--price-file ${file}: ${error instanceof Error ? error.message : error}`);
  }
  return parsePrices(text, file);
}

/** @throws PriceFileError */
export function parsePrices(text: string, file: string): PriceFile {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new PriceFileError(`--price-file ${file}: not JSON`);
  }
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const problems = result.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'the file'}: ${message}`,
  );
  throw new PriceFileError([`--price-file ${file}:`, ...problems].join('\n  '));
}

/** Returns the monthly cost of so many units, in dollars. */
export function costOf({ amount, per, above = [] }: Price, units: number): number {
  const tiers = [{ over: 0, amount }, ...above];
  return tiers.reduce((sum, { over, amount }, index) => {
    const end = tiers[index + 1]?.over ?? Number.POSITIVE_INFINITY;
    return sum + (Math.max(0, Math.min(units, end) - over) / per) * amount;
  }, 0);
}
