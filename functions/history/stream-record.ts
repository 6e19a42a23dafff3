import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { AttributeValue as StreamValue } from 'aws-lambda';
import type { Item } from './history-item-store.ts';
import { UnreadableItemError } from './packed.ts';

/** Thrown for a stream record that this pipeline did not write. The message names attributes, never their values. */
export class HistoryRecordError extends UnreadableItemError {
  override readonly name = 'HistoryRecordError';
}

/** Converts an image of a record of the history table's stream. @throws HistoryRecordError */
export function itemOfImage(image: Readonly<Record<string, StreamValue>>): Item {
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, attributeOf(value)]));
}

/** Converts a value of a stream record. Lambda writes it as the SDK does, except binary values, which are base64. */
function attributeOf({ S, N, BOOL, NULL, M, L, B }: StreamValue): AttributeValue {
  if (S !== undefined) return { S };
  if (N !== undefined) return { N };
  if (B !== undefined) return { B: Buffer.from(B, 'base64') };
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
