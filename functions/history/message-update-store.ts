import type { AttributeValue, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { phoneKey } from '../../contract/phone/phone-key.ts';
import {
  entryValue,
  eventAttribute,
  type HistorySettings,
  type ItemState,
  latestExpiry,
  messageAttributes,
  messageKey,
  nextVersion,
  unchangedCondition,
} from './history-item-store.ts';
import { type Changes, type Message, maxEventsPerMessage, type StatusEntry } from './message.ts';

/** The parts of an UpdateItem that depend on the message. */
export type MessageUpdate = Pick<
  UpdateItemCommandInput,
  | 'Key'
  | 'UpdateExpression'
  | 'ConditionExpression'
  | 'ExpressionAttributeNames'
  | 'ExpressionAttributeValues'
>;

/** With more events in one write, the condition would exceed the 4 KB of an expression. */
const maxBlindEvents = 20;

/**
 * Returns a write of a message that was not read before. It creates the message, or replaces the state of a message that the new events
 * decide. The condition fails where they do not decide, where one of them is stored already, where the message has no room, where the phone
 * (its key or its spelling) or the send differs, and where the item would expire earlier. Then {@link joinMessage} writes with the item known.
 *
 * @param newGeneration for an item that has none: a new one, or one that an earlier version of the pipeline wrote
 */
export function upsertMessage(
  message: Message,
  newGeneration: string,
  settings: HistorySettings,
): MessageUpdate {
  const entries = [...message.events.values()];
  const update = write(
    message,
    entries,
    settings,
    [
      '#eventCount = if_not_exists(#eventCount, :none) + :added',
      '#generation = if_not_exists(#generation, :generation)',
    ],
    {
      ':generation': { S: newGeneration },
      ':none': { N: '0' },
      ':added': { N: String(entries.length) },
    },
  );
  const isNew = 'attribute_not_exists(#pk)';
  const names = {
    ...update.ExpressionAttributeNames,
    ...{ '#pk': 'pk', '#eventCount': 'eventCount', '#generation': 'generation' },
  };
  if (entries.length > maxBlindEvents)
    return { ...update, ConditionExpression: isNew, ExpressionAttributeNames: names };

  const wins =
    '(#rank < :rank OR (#rank = :rank AND (#statusAt < :statusAt OR (#statusAt = :statusAt AND #statusEventId < :statusEventId))))';
  const conditions = [
    wins,
    '#eventCount <= :room',
    '#expiresAt <= :expiresAt',
    ...entries.map((_, index) => `attribute_not_exists(#e${index})`),
    ...(message.phone === undefined
      ? []
      : [
          `(attribute_not_exists(#phone) OR (#phone = :phone AND ${
            isSpelledAsKey(message) ? 'attribute_not_exists(#number)' : '#number = :number'
          }))`,
        ]),
    ...(message.sendId === undefined ? [] : ['(attribute_not_exists(#sendId) OR #sendId = :sendId)']),
  ];
  return {
    ...update,
    ConditionExpression: `${isNew} OR (${conditions.join(' AND ')})`,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: {
      ...update.ExpressionAttributeValues,
      ':room': { N: String(maxEventsPerMessage - entries.length) },
    },
  };
}

/**
 * Returns a write of a message whose item is known. The condition fails where the item has changed since.
 *
 * @param merged the known message joined with the new events
 * @param read the state of the known message's item
 * @param newGeneration for an item that has none, and for a write that adds no event
 */
export function joinMessage(
  merged: Message,
  { added, replaced }: Changes<StatusEntry>,
  read: ItemState,
  newGeneration: string,
  settings: HistorySettings,
): MessageUpdate {
  const assignments = ['#eventCount = :eventCount', '#generation = :generation'];
  const version = nextVersion(read.version, added.length, newGeneration);
  const values = {
    ':eventCount': { N: String(version.eventCount) },
    ':generation': { S: version.generation },
  };
  const update = write(merged, [...added, ...replaced], settings, assignments, values, read);
  const { ConditionExpression, ...condition } = unchangedCondition(read.version);
  return {
    ...update,
    ConditionExpression,
    ExpressionAttributeNames: { ...update.ExpressionAttributeNames, ...condition.ExpressionAttributeNames },
    ExpressionAttributeValues: {
      ...update.ExpressionAttributeValues,
      ...condition.ExpressionAttributeValues,
    },
  };
}

function write(
  message: Message,
  entries: readonly StatusEntry[],
  settings: HistorySettings,
  assignments: readonly string[],
  values: Record<string, AttributeValue>,
  read?: ItemState,
): MessageUpdate {
  const attributes = {
    ...messageAttributes(message, settings),
    expiresAt: latestExpiry([...message.events.values()], settings, read),
  };
  const isPending = 'worklist' in attributes && !('listedAt' in attributes);
  const set = [
    ...Object.keys(attributes).map((name) => `#${name} = :${name}`),
    // Index keys that never change after the first write add no cost to later writes.
    '#firstSeenAt = if_not_exists(#firstSeenAt, :firstSeenAt)',
    '#at = if_not_exists(#at, :firstSeenAt)',
    ...(isPending ? ['#listedAt = if_not_exists(#at, :firstSeenAt)'] : []),
    ...assignments,
    ...entries.map((_, index) => `#e${index} = :e${index}`),
  ];
  const remove = [
    ...('worklist' in attributes ? [] : ['#worklist', '#listedAt']),
    ...(isSpelledAsKey(message) ? ['#number'] : []),
  ];
  return {
    Key: { pk: { S: messageKey(message.messageId) } },
    UpdateExpression: `SET ${set.join(', ')}${remove.length === 0 ? '' : ` REMOVE ${remove.join(', ')}`}`,
    ExpressionAttributeNames: Object.fromEntries([
      ...[
        ...Object.keys(attributes),
        ...['firstSeenAt', 'at', 'worklist', 'listedAt'],
        ...(isSpelledAsKey(message) ? ['number'] : []),
      ].map((name) => [`#${name}`, name]),
      ...entries.map((entry, index) => [`#e${index}`, eventAttribute(entry.eventId)]),
    ]),
    ExpressionAttributeValues: {
      ...marshall(Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`:${name}`, value]))),
      ':firstSeenAt': { S: message.firstSeenAt },
      ...values,
      ...Object.fromEntries(entries.map((entry, index) => [`:e${index}`, entryValue(entry)])),
    },
  };
}

/** Returns whether the number is its own key, so that it needs no attribute for its spelling. */
function isSpelledAsKey({ phone }: Message): boolean {
  return phone !== undefined && phone === phoneKey(phone);
}
