import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import {
  type Condition,
  ContentionError,
  type HistorySettings,
  type Item,
  listKey,
  optedOutList,
} from '../item-keys.ts';
import { phoneAttributes } from '../message-item.ts';
import { readByRefusedUpdate } from '../write-only-read-store.ts';
import {
  joinStatements,
  limitedToSource,
  type OptOutStatement,
  optOutKey,
  statementsFromItem,
  stateOfNumber,
} from './opt-out.ts';

/** Keeps which numbers want no more messages: one item for each number in the history table, which does not expire. */
export interface OptOutRegister {
  /**
   * Records statements of one number. Their order and repetition do not matter. It writes only if the item changes.
   *
   * @throws ContentionError if other writers keep changing the number's item; the caller retries later
   */
  record(...statements: readonly OptOutStatement[]): Promise<void>;
}

export interface OptOutSettings extends Pick<HistorySettings, 'listShards'> {
  /** Whether a statement that is recorded counts only for the source that it was said to. Statements of before keep what they are about. */
  readonly optOutsBySource?: boolean;
}

const maxAttempts = 16;

export function createOptOutRegister(
  client: DynamoDBClient,
  tableName: string,
  settings: OptOutSettings,
): OptOutRegister {
  return {
    async record(...said) {
      const statements = settings.optOutsBySource ? said.map(limitedToSource) : said;
      const [first] = statements;
      if (first === undefined) return;
      const key = optOutKey(first.phone);
      let stored = await readByRefusedUpdate(client, tableName, key);
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const before = stored === undefined ? [] : statementsFromItem(stored);
        const after = joinStatements(before, statements);
        if (isSameList(before, after)) return;
        try {
          await client.send(
            new PutItemCommand({
              TableName: tableName,
              Item: itemOf(key, after, settings),
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
      throw new ContentionError(maxAttempts);
    },
  };
}

function itemOf(key: string, statements: readonly OptOutStatement[], settings: OptOutSettings): Item {
  const change = stateOfNumber(statements, settings.optOutsBySource === true);
  if (change === undefined) throw new TypeError('no statements');
  const { phone, state, at, ...cause } = change;
  return marshall(
    {
      pk: key,
      ...phoneAttributes(phone),
      state,
      changedAt: at,
      ...cause,
      ...(state === 'out' ? { listName: listKey(optedOutList, key, settings), listedAt: at } : {}),
      statements,
    },
    { removeUndefinedValues: true },
  );
}

/** Returns the condition that the item has the statements that were read, or still does not exist. The other attributes follow from them. */
function isUnchanged(stored: Item | undefined): Partial<Condition> {
  if (stored?.statements === undefined)
    return { ConditionExpression: 'attribute_not_exists(#pk)', ExpressionAttributeNames: { '#pk': 'pk' } };
  return {
    ConditionExpression: '#statements = :read',
    ExpressionAttributeNames: { '#statements': 'statements' },
    ExpressionAttributeValues: { ':read': stored.statements },
  };
}

function isSameList(before: readonly OptOutStatement[], after: readonly OptOutStatement[]): boolean {
  return after.length === before.length && after.every((statement, index) => statement === before[index]);
}
