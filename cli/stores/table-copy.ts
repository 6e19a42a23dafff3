import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describeTable, type ItemPage, scanSegment, segments } from './history-items.ts';

/** Another copy of a history: tables, or files with their items. */
export interface HistoryCopy {
  /** What the progress of a join is kept for: tables or files that are the same. */
  readonly identity: string;
  /** The ids of its tables. */
  readonly tableIds: readonly string[];
  /** About how many items it has, if that is known. */
  readonly total: number | undefined;
  /** The parts that can be read at the same time. */
  readonly parts: readonly string[];
  /** Reads a part, page by page. @param from `next` of a page, to continue after it */
  pages(part: string, from?: string): AsyncGenerator<ItemPage, void>;
}

/**
 * Opens tables as a copy: a history, a quarantine or both, in any order.
 *
 * @param names names, or ARNs for tables of another account
 */
export async function openTables(client: DynamoDBClient, names: readonly string[]): Promise<HistoryCopy> {
  const tables = await Promise.all(names.map((name) => describeTable(client, name)));
  const parts = tables.flatMap(({ name }) =>
    Array.from({ length: segments }, (_, segment) => `${segment} ${name}`),
  );
  return {
    identity: tables.map(({ id }) => id).join(' '),
    tableIds: tables.map(({ id }) => id),
    total: tables.reduce((sum, { items }) => sum + items, 0) || undefined,
    parts,
    pages(part, from) {
      const [segment = '', name = ''] = part.split(' ');
      return scanSegment(client, name, Number(segment), from);
    },
  };
}
