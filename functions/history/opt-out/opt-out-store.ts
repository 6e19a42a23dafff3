import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { type Condition, ContentionError, type Item } from '../item-keys.ts';
import { readByRefusedUpdate } from '../write-only-read-store.ts';
import {
  joinStatements,
  limitedToSource,
  type OptOutStatement,
  optOutKey,
  statementsFromItem,
} from './opt-out.ts';
import { type OptOutSettings, optOutItem } from './opt-out-item.ts';

/** Keeps which numbers want no more messages: one item for each number in the history table, which does not expire. */
export interface OptOutRegister {
  /**
   * Records statements of one number. Their order and repetition do not matter. It writes only if the item changes.
   *
   * @throws ContentionError if other writers keep changing the number's item; the caller retries later
   */
  record(...statements: readonly OptOutStatement[]): Promise<void>;
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
              Item: optOutItem(after, settings),
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
              ...sameStatements(stored),
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

/** Returns the condition that the item has the statements that were read, or still does not exist. The other attributes follow from them. */
export function sameStatements(stored: Item | undefined): Partial<Condition> {
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
