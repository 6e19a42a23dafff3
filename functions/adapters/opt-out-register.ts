import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  type PutItemCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import {
  joinStatements,
  type OptOut,
  type OptOutChange,
  type OptOutStatement,
} from '../core/opt-out/opt-out.ts';
import { type Item, optOutKey, placesInRegister, shardOf } from './history-items.ts';

/** Which numbers want no more messages: an item a number in the history table, which does not expire. */
export interface OptOutRegister {
  /**
   * Records statements, all of one number. The order and the repetition of statements do not matter, and where they change nothing nothing
   * is written.
   *
   * @throws ContentionError where other writers keep changing the number's item; the caller tries again later
   */
  record(...statements: readonly OptOutStatement[]): Promise<void>;
}

/** Thrown where other writers keep changing the same item. */
class ContentionError extends Error {
  override readonly name = 'ContentionError';
}

const maxAttempts = 16;

export function createOptOutRegister(
  client: DynamoDBClient,
  tableName: string,
  worklistShards: number,
): OptOutRegister {
  /**
   * An update whose condition never holds writes nothing and gives the item, strongly consistent. So the worker needs no permission to
   * read the table.
   */
  async function read(key: string): Promise<Item | undefined> {
    try {
      await client.send(
        new UpdateItemCommand({
          TableName: tableName,
          Key: { pk: { S: key } },
          ConditionExpression: 'attribute_exists(#pk) AND attribute_not_exists(#pk)',
          ExpressionAttributeNames: { '#pk': 'pk' },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return undefined;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return error.Item;
      throw error;
    }
  }

  /** What versions before stored of a number under other keys than today's. */
  async function readOthers(phone: string): Promise<OptOutStatement[]> {
    const others = placesInRegister(phone).filter((key) => key !== optOutKey(phone));
    const items = await Promise.all(others.map(read));
    return items.flatMap((item) => (item === undefined ? [] : statementsFromItem(item)));
  }

  return {
    async record(...statements) {
      const [first] = statements;
      if (first === undefined) return;
      const key = optOutKey(first.phone);
      let stored = await read(key);
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const before = stored === undefined ? await readOthers(first.phone) : statementsFromItem(stored);
        const after = joinStatements(before, statements);
        const [standing] = after;
        if (standing === undefined || (stored !== undefined && isAsStored(stored, before, after))) return;
        try {
          await client.send(
            new PutItemCommand({
              TableName: tableName,
              Item: itemOf(key, standing, after, worklistShards),
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
              ...isUnchanged(stored),
            }),
          );
          return;
        } catch (error) {
          if (!(error instanceof ConditionalCheckFailedException)) throw error;
          stored = error.Item;
        }
      }
      throw new ContentionError(`an item changed ${maxAttempts} times while it was being written`);
    },
  };
}

function itemOf(
  key: string,
  standing: OptOutStatement,
  statements: readonly OptOutStatement[],
  shards: number,
): Item {
  const { phone, state, at, replyId } = standing;
  return marshall(
    {
      pk: key,
      number: phone,
      state,
      changedAt: at,
      replyId,
      ...(state === 'out' ? { worklist: `optout#${shardOf(phone, shards)}`, listedAt: at } : {}),
      statements,
    },
    { removeUndefinedValues: true },
  );
}

/** What decides over a number's next state: all of it is compared, so an item that was deleted and written again in between is safe. */
const decisive = ['state', 'changedAt', 'replyId', 'statements'] as const;

/** The condition that the item is still what was read, or still does not exist. */
function isUnchanged(
  stored: Item | undefined,
): Pick<
  PutItemCommandInput,
  'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
> {
  if (stored === undefined)
    return { ConditionExpression: 'attribute_not_exists(#pk)', ExpressionAttributeNames: { '#pk': 'pk' } };
  const values: Record<string, AttributeValue> = {};
  const conditions = decisive.map((name) => {
    const value = stored[name];
    if (value === undefined) return `attribute_not_exists(#${name})`;
    values[`:${name}`] = value;
    return `#${name} = :${name}`;
  });
  return {
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(decisive.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: values,
  };
}

function isAsStored(
  stored: Item,
  before: readonly OptOutStatement[],
  after: readonly OptOutStatement[],
): boolean {
  const isSame =
    after.length === before.length && after.every((statement, index) => statement === before[index]);
  return isSame && isStanding(optOutChangeFromItem(stored), after[0]);
}

/**
 * What a number said, the newest first.
 *
 * A version without statements keeps only what stands. It may also have written over an item that has statements, while two versions
 * run beside each other: what stands there and in no statement is one.
 */
export function statementsFromItem(item: Item): OptOutStatement[] {
  const standing = optOutChangeFromItem(item);
  const statements: OptOutStatement[] = item.statements === undefined ? [] : unmarshall(item).statements;
  return joinStatements(statements, isStanding(standing, statements[0]) ? [] : [standing]);
}

function isStanding({ state, at, replyId }: OptOutChange, newest: OptOutStatement | undefined): boolean {
  return newest?.state === state && newest.at === at && newest.replyId === replyId;
}

/** What an item of the register says of a number, whether it wants messages or not. */
export function optOutChangeFromItem(item: Item): OptOutChange {
  const { number: phone, state, changedAt: at, replyId } = unmarshall(item);
  return { phone, state, at, replyId };
}

/** @returns undefined for a number that wants messages again */
export function optOutFromItem(item: Item): OptOut | undefined {
  const { state, ...optOut } = optOutChangeFromItem(item);
  return state === 'out' ? optOut : undefined;
}
