import { costOf } from './prices.ts';

/** Reports of a message, as in the other figures of docs/reference/cost.md. */
const eventsPerMessage = 3;
/** Each message is listed twice, and read with half a read unit each time: eventually consistent, up to 4 KB. */
const lists = 2;
const readUnits = 0.5;
/** The share of messages that a look-up writes, and the write units of such a write: the table and two indexes. */
const lostShare = 0.01;
const writeUnits = 3;
/** A page holds so many messages, and takes about a second of 512 MB. */
const pageSize = 500;
const gigabyteSeconds = 0.5;

/** Computes what look-ups cost at AWS, in US dollars, for so many events of messages. */
export function lookupsCost(events: number) {
  const messages = events / eventsPerMessage;
  const reads = costOf('dynamoDbReadUnits', messages * lists * readUnits);
  const writes = costOf('dynamoDbWriteUnits', messages * lostShare * writeUnits);
  const lambda = costOf('lambdaGbSeconds', ((messages * lists) / pageSize) * gigabyteSeconds);
  return { reads, writes, lambda, all: reads + writes + lambda };
}
