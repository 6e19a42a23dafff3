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

/** A message as it was read, with the version that a write can be conditional on. */
export interface StoredMessage extends Message {
  readonly version: ItemVersion;
}

/** Makes a value that no item had before. */
export type NewGeneration = () => string;

/** 72 random bits, as 12 characters: every item is billed for them. */
export const randomGeneration: NewGeneration = () => randomBytes(9).toString('base64url');

export function versionOf({ generation, eventCount }: Readonly<Record<string, AttributeValue>>): ItemVersion {
  return {
    ...(generation?.S === undefined ? {} : { generation: generation.S }),
    eventCount: Number(eventCount?.N ?? 0),
  };
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
