import { costOf } from './prices.ts';

/** A message has three reports, and one in twenty messages is answered. */
export const eventsPerMessage = 3.05;
/** Each message is listed twice, and read with half a read unit each time: eventually consistent, up to 4 KB. */
const lists = 2;
const readUnits = 0.5;
/** The share of messages that a lookup writes, and the write units of such a write: the table and two indexes. */
const lostShare = 0.01;
const writeUnits = 3;
/** A request takes about a second, or as long as the contract makes the next one wait. */
const requestSeconds = 1;
const memoryGb = 0.25;
/** The state is written after each page. It is larger than 1 KB while it has the place in a list. */
const stateUnits = 2;
/** A price has the rank of the stored report, so the write without a read fails, and a second one follows. Both cost a unit. */
const priceUnits = 2;

const runsPerMonth = (4 * 24 * 365) / 12;
/** Two lists, and six ages of pending messages with the default of `sms:staleAfterHours`. */
const passes = 8;

/** How a service lists messages. */
export interface Lists {
  /** Messages of a page. */
  readonly pageSize: number;
  readonly requestsPerSecond: number;
}

/** Computes what lookups cost at AWS, in US dollars, for so many events of messages. */
export function lookupsCost(events: number, { pageSize, requestsPerSecond }: Lists) {
  const messages = events / eventsPerMessage;
  const pages = (messages * lists) / pageSize;
  const seconds = Math.max(requestSeconds, 1 / requestsPerSecond);
  const reads = costOf('dynamoDbReadUnits', messages * lists * readUnits);
  const writes = costOf('dynamoDbWriteUnits', messages * lostShare * writeUnits);
  const state = costOf('dynamoDbWriteUnits', pages * stateUnits);
  const lambda = costOf('lambdaGbSeconds', pages * seconds * memoryGb);
  return { reads, writes, state, lambda, all: reads + writes + state + lambda };
}

/** Computes what `sms:lookupPrices` costs more, in US dollars, if the webhook never has the price. */
export function lookupPricesCost(events: number): number {
  return costOf('dynamoDbWriteUnits', (events / eventsPerMessage) * priceUnits);
}

/** Computes what lookups cost a month without any message, in US dollars: each run asks for two empty pages and writes the state of each pass. */
export function idleLookupsCost() {
  const runs =
    costOf('lambdaRequests', runsPerMonth) +
    costOf('lambdaGbSeconds', runsPerMonth * lists * requestSeconds * memoryGb) +
    costOf('dynamoDbWriteUnits', runsPerMonth * passes);
  return {
    runs,
    alarm: costOf('alarmMetrics', 2),
    metric: costOf('customMetrics', 1),
    secret: costOf('secrets', 1),
  };
}
