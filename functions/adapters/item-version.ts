import { randomBytes } from 'node:crypto';
import type { AttributeValue, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { Message } from '../core/history/message.ts';

/**
 * Tells one state of an item of the history from every other. Each write adds events, which raises `eventCount`, or gives the
 * item another generation. An item that was deleted and made again has another generation too, so nothing that was read
 * before an erasure can be written after it.
 */
export interface ItemVersion {
  /** Undefined where the version of the pipeline before wrote the item. */
  readonly generation?: string;
  readonly eventCount: number;
}

/** What a write needs to know of the item that it changes. */
export interface ItemState {
  readonly version: ItemVersion;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/** A message as it was read, with the state of its item. */
export interface StoredMessage extends Message, ItemState {}

/** Makes a value that no item had before. */
export type NewGeneration = () => string;

/** 72 random bits, as 12 characters: every item is billed for them. */
export const randomGeneration: NewGeneration = () => randomBytes(9).toString('base64url');

export function stateOf(item: Readonly<Record<string, AttributeValue>>): ItemState {
  const { generation, eventCount, expiresAt } = item;
  return {
    version: {
      ...(generation?.S === undefined ? {} : { generation: generation.S }),
      eventCount: Number(eventCount?.N ?? 0),
    },
    expiresAt: Number(expiresAt?.N ?? 0),
  };
}

/**
 * The version of an item after a write. A write that adds no event, because it replaces a content, gives the item a new
 * generation, so that no two states of it have one version.
 *
 * @param read undefined where the item is new
 * @param added how many events the write adds
 */
export function nextVersion(
  read: ItemVersion | undefined,
  added: number,
  newGeneration: string,
): Required<ItemVersion> {
  const { generation = newGeneration, eventCount = 0 } = read ?? {};
  return { generation: added === 0 ? newGeneration : generation, eventCount: eventCount + added };
}

type Condition = Required<
  Pick<
    UpdateItemCommandInput,
    'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
  >
>;

/** The condition of a write that the item still is as it was read. */
export function isStill({ generation, eventCount }: ItemVersion): Condition {
  const isSameGeneration =
    generation === undefined ? 'attribute_not_exists(#generation)' : '#generation = :readGeneration';
  return {
    ConditionExpression: `#eventCount = :readCount AND ${isSameGeneration}`,
    ExpressionAttributeNames: { '#eventCount': 'eventCount', '#generation': 'generation' },
    ExpressionAttributeValues: {
      ':readCount': { N: String(eventCount) },
      ...(generation === undefined ? {} : { ':readGeneration': { S: generation } }),
    },
  };
}
