import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import {
  type Condition,
  ContentionError,
  type HistorySettings,
  type Item,
  latestExpiry,
  messagePrefix,
  type NewGeneration,
  quietAttribute,
  randomGeneration,
  replyPrefix,
  stateOf,
  UnreadableItemError,
  unchangedCondition,
} from './item-keys.ts';
import { messageWithoutImport, replyWithoutImport, versionsOf } from './message.ts';
import { importedByAttribute, messageFromItem, messageItem } from './message-item.ts';
import { joinStatements, optOutPrefix, statementsFromItem } from './opt-out/opt-out.ts';
import { type OptOutSettings, optOutItem } from './opt-out/opt-out-item.ts';
import { sameStatements } from './opt-out/opt-out-store.ts';
import { replyFromItem, replyItem } from './reply-item.ts';

/** What an undo removes, or would remove. */
export interface UndoneItems {
  /** Messages that only the import had. */
  readonly messagesDeleted: number;
  /** Messages that other reports still are of. */
  readonly messagesKept: number;
  readonly repliesDeleted: number;
  readonly repliesKept: number;
  /** Statements about opt-outs. */
  readonly statements: number;
  /** Items of the import that cannot be read, and stay as they are. */
  readonly unreadable: number;
}

export const nothingUndone: UndoneItems = {
  messagesDeleted: 0,
  messagesKept: 0,
  repliesDeleted: 0,
  repliesKept: 0,
  statements: 0,
  unreadable: 0,
};

export interface UndoOptions {
  readonly isDryRun: boolean;
  /** Is called with the number of items that were read. */
  readonly onRead: (items: number) => void;
}

/** The table is scanned in this many parts at the same time. */
const segments = 4;
const concurrentWrites = 8;
const maxAttempts = 8;

/**
 * Removes what one import added to the history: messages, replies and opt-outs become as if the import had never been. Each write is
 * conditional on the state that was read, and is quiet. So an undo may be interrupted, and be repeated.
 *
 * @throws ContentionError if other writers keep changing an item
 */
export async function undoImport(
  client: DynamoDBClient,
  tableName: string,
  settings: HistorySettings & OptOutSettings,
  importId: string,
  { isDryRun, onRead }: UndoOptions,
  newGeneration: NewGeneration = randomGeneration,
): Promise<UndoneItems> {
  const total = { ...nothingUndone };

  async function undo(found: Item): Promise<void> {
    let item: Item | undefined = found;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const change = item && readRemoval(item, importId, settings, newGeneration);
      if (change === 'unreadable') total.unreadable += 1;
      if (change === undefined || change === 'unreadable') return;
      try {
        if (!isDryRun) await write(change);
        for (const [name, count] of Object.entries(change.undone) as [keyof UndoneItems, number][])
          total[name] += count;
        return;
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        item = error.Item;
      }
    }
    throw new ContentionError(maxAttempts);
  }

  async function write({ pk, item, condition }: Removal): Promise<void> {
    const target = { TableName: tableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
    await (item === undefined
      ? client.send(new DeleteItemCommand({ ...target, Key: { pk }, ...condition }))
      : client.send(
          new PutItemCommand({
            ...target,
            Item: { ...item, pk, [quietAttribute]: { BOOL: true } },
            ...condition,
          }),
        ));
  }

  async function scan(Segment: number): Promise<void> {
    const pages = paginateScan(
      { client },
      {
        TableName: tableName,
        ConsistentRead: true,
        Segment,
        TotalSegments: segments,
        FilterExpression: 'attribute_exists(#importedBy.#id)',
        ExpressionAttributeNames: { '#importedBy': importedByAttribute, '#id': importId },
      },
    );
    for await (const { Items = [], ScannedCount = 0 } of pages) {
      await pMap(Items, undo, { concurrency: concurrentWrites });
      onRead(ScannedCount);
    }
  }

  await Promise.all(Array.from({ length: segments }, (_, segment) => scan(segment)));
  return total;
}

/** A write that removes an import from an item. */
interface Removal {
  readonly pk: NonNullable<Item['pk']>;
  /** Undefined if nothing is left, so that the item is deleted. */
  readonly item: Item | undefined;
  readonly condition: Partial<Condition>;
  readonly undone: Partial<UndoneItems>;
}

function readRemoval(...args: Parameters<typeof removalFrom>): Removal | 'unreadable' | undefined {
  try {
    return removalFrom(...args);
  } catch (error) {
    if (error instanceof UnreadableItemError) return 'unreadable';
    throw error;
  }
}

/** @returns undefined if the import is not in the item @throws UnreadableItemError */
function removalFrom(
  item: Item,
  importId: string,
  settings: HistorySettings & OptOutSettings,
  newGeneration: NewGeneration,
): Removal | undefined {
  const pk = item.pk ?? { S: '' };
  if (item[importedByAttribute]?.M?.[importId] === undefined) return undefined;
  if (pk.S?.startsWith(messagePrefix)) {
    const left = messageWithoutImport(messageFromItem(item), importId);
    const expiresAt = latestExpiry([...(left?.events.values() ?? [])], settings, stateOf(item));
    return {
      pk,
      item: left && messageItem(left, newGeneration(), expiresAt, settings),
      condition: unchangedCondition(stateOf(item)),
      undone: left === undefined ? { messagesDeleted: 1 } : { messagesKept: 1 },
    };
  }
  if (pk.S?.startsWith(replyPrefix)) {
    const left = replyWithoutImport(replyFromItem(item), importId);
    const versions = [...(left === undefined ? [] : versionsOf(left).values())];
    const expiresAt = latestExpiry(versions, settings, stateOf(item));
    return {
      pk,
      item: left && replyItem(left, newGeneration(), expiresAt, settings),
      condition: unchangedCondition(stateOf(item)),
      undone: left === undefined ? { repliesDeleted: 1 } : { repliesKept: 1 },
    };
  }
  if (!pk.S?.startsWith(optOutPrefix)) return undefined;
  const statements = statementsFromItem(item);
  const left = statements.filter((one) => one.importId !== importId);
  return {
    pk,
    item: left.length === 0 ? undefined : optOutItem(joinStatements([], left), settings),
    condition: sameStatements(item),
    undone: { statements: statements.length - left.length },
  };
}
