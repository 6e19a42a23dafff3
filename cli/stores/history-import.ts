import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import {
  type HistorySettings,
  type HistoryWriter,
  type Message,
  type OptOutRegister,
  type OptOutSettings,
  type Reply,
  replyFromItem,
  replyKey,
  type UndoneItems,
  type UndoOptions,
} from '../../functions/history/index.ts';
import {
  createHistoryWriter,
  createOptOutRegister,
  readItems,
  readMessages,
  undoImport,
} from '../../functions/history/io.ts';

/** What an import of history reads and writes. */
export interface HistoryImport {
  /** Identifies the pipeline. */
  readonly tableName: string;
  readonly retentionDays: number;
  /** Reads messages by their ids. Messages that do not exist are missing in the result. */
  readMessages(ids: readonly string[]): Promise<ReadonlyMap<string, Message>>;
  /** Reads replies by their ids. Replies that do not exist are missing in the result. */
  readReplies(ids: readonly string[]): Promise<ReadonlyMap<string, Reply>>;
  readonly history: Pick<HistoryWriter, 'storeMessage' | 'storeReply'>;
  readonly optOuts: OptOutRegister;
  /** Removes what an import added. */
  undo(importId: string, options: UndoOptions): Promise<UndoneItems>;
}

/** One call reads this many. */
const batchSize = 100;
const concurrentReads = 4;

export function createHistoryImport(
  client: DynamoDBClient,
  tableName: string,
  settings: HistorySettings & OptOutSettings,
): HistoryImport {
  return {
    tableName,
    retentionDays: settings.retentionDays,
    async readMessages(ids) {
      const batches = Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, index) =>
        ids.slice(index * batchSize, (index + 1) * batchSize),
      );
      const found = await pMap(batches, (batch) => readMessages(client, tableName, batch), {
        concurrency: concurrentReads,
      });
      return new Map(found.flatMap((messages) => [...messages]));
    },
    async readReplies(ids) {
      const items = await readItems(client, tableName, ids.map(replyKey));
      return new Map(
        ids.flatMap((id) => {
          const item = items.get(replyKey(id));
          return item === undefined ? [] : [[id, replyFromItem(item)] as const];
        }),
      );
    },
    history: createHistoryWriter(client, tableName, settings),
    optOuts: createOptOutRegister(client, tableName, settings),
    undo: (importId, options) => undoImport(client, tableName, settings, importId, options),
  };
}
