import { type Item, messageKey, messagePrefix } from './history-item-store.ts';
import { decidingEntry, isFinal, type Message } from './message.ts';
import { isoOf, packId, UnreadableItemError, unpackId } from './packed.ts';

/**
 * The items of the table of open batches: for each batch of the worker the messages that it may leave without a final status. Items of an
 * hour are in partitions of their own, so that the sweep handles an hour and then forgets it as a whole.
 *
 * The sort key begins with the time at which the newest of its messages was first seen, so that the list of pending messages reads them in
 * its order. The messages of an item were seen within {@link maxSpanMs}, which limits how far before a time that list begins to read.
 */

/** A message of an open batch. The batch that first stored a message has it with the time that the message has. */
export interface OpenMessage {
  /** The key of its item. */
  readonly key: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly firstSeenAt: string;
}

/** One partition accepts 1,000 small items a second. */
const partitionsPerHour = 4;

/** DynamoDB deletes an open batch after so many days. The sweep has handled it long before, unless it did not run for so long. */
const openBatchDays = 30;

export const maxSpanMs = 15_000;
/** Ids have at most 2 KB, and an item 400 KB. */
const maxMessages = 100;

const hourLength = 'yyyy-mm-ddThh'.length;

/** Returns the hour of a time as yyyy-mm-ddThh, in UTC. */
export function hourOf(milliseconds: number): string {
  return isoOf(milliseconds).slice(0, hourLength);
}

/** Returns when an hour ends, in milliseconds since 1970. */
export function endOfHour(hour: string): number {
  return Date.parse(`${hour}:00:00.000Z`) + 3_600_000;
}

export function openPartitionsOf(hour: string): string[] {
  return Array.from({ length: partitionsPerHour }, (_, number) => partitionOf(hour, number));
}

const partitionOf = (hour: string, number: number) => `${hour}#${number}`;

/** The key of the partition that lists the hours with open batches. */
export const hoursPartition = 'hours';

/**
 * Returns the items for a batch: one, unless its messages were seen over a long time.
 *
 * @param messages of the batch, each as its events in the batch say
 * @param newId returns random bytes
 */
export function openBatchItems(messages: readonly Message[], now: number, newId: () => Uint8Array): Item[] {
  const open = messages
    .filter((message) => !isFinal(decidingEntry(message)))
    .sort((a, b) => Date.parse(b.firstSeenAt) - Date.parse(a.firstSeenAt));
  const batches: { readonly newestAt: string; readonly messages: Message[] }[] = [];
  for (const message of open) {
    const last = batches.at(-1);
    const isFull = last === undefined || last.messages.length === maxMessages;
    if (isFull || Date.parse(last.newestAt) - Date.parse(message.firstSeenAt) > maxSpanMs)
      batches.push({ newestAt: message.firstSeenAt, messages: [message] });
    else last.messages.push(message);
  }
  return batches.map(({ newestAt, messages }) => {
    const id = newId();
    return {
      pk: { S: partitionOf(hourOf(now), (id[0] ?? 0) % partitionsPerHour) },
      sk: { S: `${newestAt}#${Buffer.from(id).toString('base64url')}` },
      e: {
        L: messages.flatMap(({ messageId, firstSeenAt }) => [
          packMessage(messageId),
          { N: String(Date.parse(newestAt) - Date.parse(firstSeenAt)) },
        ]),
      },
      expiresAt: { N: String(Math.floor(now / 1000) + openBatchDays * 86_400) },
    };
  });
}

/** Packs an id; where the message is keyed by a hash of its id, that key. */
function packMessage(messageId: string): { B: Uint8Array } | { S: string } {
  const key = messageKey(messageId);
  return key === messagePrefix + messageId ? { B: packId(messageId) } : { S: key };
}

/** Returns the time in the sort key of an open batch. */
export function newestIn({ sk }: Item): string {
  const [newestAt] = sk?.S?.split('#') ?? [];
  if (newestAt === undefined) throw new UnreadableItemError('an open batch without its time');
  return newestAt;
}

/** Returns the messages of an open batch. @throws UnreadableItemError */
export function openMessagesOf(batch: Item): OpenMessage[] {
  const newestAt = Date.parse(newestIn(batch));
  const elements = batch.e?.L ?? [];
  return elements.flatMap(({ B, S }, index) => {
    if (index % 2 === 1) return [];
    const key = B === undefined ? S : messagePrefix + unpackId(B);
    const before = elements[index + 1]?.N;
    if (key === undefined || before === undefined)
      throw new UnreadableItemError('an open batch with half a message');
    return [{ key, firstSeenAt: isoOf(newestAt - Number(before)) }];
  });
}
