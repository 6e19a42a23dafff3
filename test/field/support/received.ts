import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { receivingHalf } from '../../promises/support/receiving-half.ts';
import { atSecond, noon } from '../../support/field-contract.ts';

/** A request that ingest has verified. */
export interface FieldRequest {
  readonly body: string | Uint8Array;
  /** Seconds after noon. */
  readonly second: number;
}

/** Lets the worker store requests, in one batch or in a batch each. */
async function storeRequests(
  tables: HistoryTables,
  contract: Contract,
  requests: readonly FieldRequest[],
  batchSize = 1,
) {
  const pipeline = receivingHalf(tables, { contract, now: noon });
  for (const [index, { body, second }] of requests.entries())
    pipeline.enqueue({
      requestId: `request-${index}`,
      receivedAt: atSecond(second),
      body: Buffer.from(body),
    });
  await pipeline.work(batchSize);
  const items = await pipeline.history();
  const ofKind = (kind: string) => items.filter(({ pk }) => pk.startsWith(`${kind}#`));
  return {
    messages: ofKind('message'),
    /** In the order of their receipt. */
    replies: ofKind('reply').sort((a, b) => (a.receivedAt < b.receivedAt ? -1 : 1)),
    optOuts: ofKind('optout'),
    quarantined: await pipeline.quarantine(),
  };
}

/** Gives the tests of a module tables of their own, which are empty before each test. */
export function useHistoryTables() {
  let tables: HistoryTables;
  beforeAll(async () => {
    tables = await startHistoryTables();
  });
  const forget = () => receivingHalf(tables).forget();
  beforeEach(forget);
  afterAll(() => tables.stop());
  return {
    tables: () => tables,
    /** Empties the tables within a test. */
    forget,
    /** Stores requests as {@link storeRequests}. */
    storeRequests: (contract: Contract, requests: readonly FieldRequest[], batchSize?: number) =>
      storeRequests(tables, contract, requests, batchSize),
  };
}
