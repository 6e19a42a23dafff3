import type { HistoryImport } from '../../../../cli/stores/history-import.ts';
import type { Terminal } from '../../../../cli/target/context.ts';
import type { Message, Reply } from '../../../../functions/history/message.ts';
import { nothingUndone, type UndoneItems } from '../../../../functions/history/undo-import-store.ts';
import { memoryHistory } from '../../../support/fakes/history.ts';
import { commandLine } from './harness.ts';

export interface ImportFaults {
  /** After so many writes the database fails. */
  readonly failsAfter?: number;
  readonly retentionDays?: number;
  /** Whether the command is interrupted after the first chunk. */
  readonly ends?: boolean;
  readonly sources?: readonly string[];
  /** What an undo removes, by the id of the import. */
  readonly undone?: ReadonlyMap<string, UndoneItems>;
}

/** A pipeline in memory whose import may fail, or be interrupted between chunks. */
export function importPipeline(
  mapping: string,
  {
    failsAfter = Number.POSITIVE_INFINITY,
    retentionDays = 400,
    ends = false,
    sources = ['main'],
    undone = new Map(),
  }: ImportFaults = {},
) {
  const memory = memoryHistory();
  let writes = 0;
  const repliesWritten: { replyId: string; isQuiet: boolean }[] = [];
  const access: HistoryImport = {
    tableName: 'table',
    retentionDays,
    history: {
      async storeMessage(message) {
        writes += 1;
        if (writes > failsAfter) throw new Error('the machine lost its power');
        return memory.storeMessage(message);
      },
      async storeReply(reply, _copyIds, isQuiet = false) {
        repliesWritten.push({ replyId: reply.replyId, isQuiet });
        return memory.storeReply(reply);
      },
    },
    optOuts: memory.register,
    undo: async (id, { onRead }) => {
      onRead(1);
      return undone.get(id) ?? nothingUndone;
    },
    async readReplies(ids) {
      const found = new Map<string, Reply>();
      for (const id of ids) {
        const reply = await memory.reply(id);
        if (reply !== undefined) found.set(id, reply);
      }
      return found;
    },
    async readMessages(ids) {
      const found = new Map<string, Message>();
      for (const id of ids) {
        const message = await memory.message(id);
        if (message !== undefined) found.set(id, message);
      }
      return found;
    },
  };
  const connection = { historyImport: async () => access, sources: async () => sources };
  const cli = (interrupted: boolean) => commandLine({ connection, wait: async () => !interrupted });
  const run = (path: string, ...options: string[]) =>
    cli(ends).sms('message', 'import', path, '--mapping', mapping, '--json', ...options);
  return {
    memory,
    /** The replies that were written, and whether without an event. */
    writes: repliesWritten,
    run,
    /** Runs until the first checkpoint. */
    interrupted: (path: string, ...options: string[]) =>
      cli(true).sms('message', 'import', path, '--mapping', mapping, ...options),
    stopFailing: () => {
      writes = Number.NEGATIVE_INFINITY;
    },
    sms: cli(false).sms,
    /** Runs on a terminal that answers. */
    ask: (terminal: Partial<Terminal>, path: string) =>
      commandLine({ connection, terminal }).sms('message', 'import', path, '--mapping', mapping),
  };
}
