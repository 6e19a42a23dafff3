import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { AttributeValue as StreamValue } from 'aws-lambda';
import { type Item, UnreadableItemError } from './item-keys.ts';

/** Thrown for a stream record that this pipeline did not write. The message names attributes, never their values. */
export class HistoryRecordError extends UnreadableItemError {
  override readonly name = 'HistoryRecordError';
}

/** Converts an image of a record of the history table's stream. @throws HistoryRecordError */
export function itemOfImage(image: Readonly<Record<string, StreamValue>>): Item {
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, attributeOf(value)]));
}

/** Converts a value of a stream record, which Lambda writes as the SDK does. */
function attributeOf({ S, N, BOOL, NULL, M, L }: StreamValue): AttributeValue {
  if (S !== undefined) return { S };
  if (N !== undefined) return { N };
  if (BOOL !== undefined) return { BOOL };
  if (M !== undefined) return { M: itemOfImage(M) };
  if (L !== undefined) return { L: L.map(attributeOf) };
  if (NULL !== undefined) return { NULL };
  throw new HistoryRecordError('a value of a kind the history does not use');
}

/** Returns the maps in attributes of names that begin like this. */
export function mapsUnder(item: Item, prefix: string): Item[] {
  return Object.entries(item)
    .filter(([name]) => name.startsWith(prefix))
    .map(([, value]) => value.M ?? {});
}

/** @throws HistoryRecordError */
export function requireTexts(item: Item, names: readonly string[], part: string): void {
  for (const name of names)
    if (item[name]?.S === undefined) throw new HistoryRecordError(`${part}: no text in ${name}`);
}
