import type { DynamoDBRecord } from 'aws-lambda';
import {
  itemOfImage,
  messageFromItem,
  messagePrefix,
  replyFromItem,
  replyPrefix,
  UnreadableItemError,
} from '../../history/index.ts';
import type { HistoryChange } from '../counters/deltas.ts';

/** The beginnings of the keys of what is counted: the filter of the table's stream. */
export const countedPrefixes = [messagePrefix, replyPrefix] as const;

/**
 * Reads a record of the history table's stream, which must hold new and old images. A state that cannot be read counts as no state, before the change
 * and after it, so that it is neither added nor subtracted.
 *
 * @returns undefined for what is not counted: deletions by erasure or age, items of other kinds, and unreadable items
 */
export function countedChange({ eventName, dynamodb }: DynamoDBRecord): HistoryChange | undefined {
  if (eventName !== 'INSERT' && eventName !== 'MODIFY') return undefined;
  const key = dynamodb?.Keys?.pk?.S ?? '';
  const { OldImage, NewImage } = dynamodb ?? {};
  if (key.startsWith(messagePrefix)) {
    const after = readable(NewImage, messageFromItem);
    return after && { kind: 'message', before: readable(OldImage, messageFromItem), after };
  }
  if (key.startsWith(replyPrefix)) {
    const after = readable(NewImage, replyFromItem);
    return after && { kind: 'reply', before: readable(OldImage, replyFromItem), after };
  }
  return undefined;
}

type Image = NonNullable<DynamoDBRecord['dynamodb']>['NewImage'];

function readable<T>(image: Image, read: (item: ReturnType<typeof itemOfImage>) => T): T | undefined {
  if (image === undefined) return undefined;
  try {
    return read(itemOfImage(image));
  } catch (error) {
    if (error instanceof UnreadableItemError) return undefined;
    throw error;
  }
}
