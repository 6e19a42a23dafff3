import type { Contract } from '../../../contract/schema/contract-schema.ts';
import type { HistoryTables } from '../../../tools/support/history-tables.ts';
import { receivingHalf } from '../../promises/support/receiving-half.ts';
import { atSecond, fieldContract, noon } from '../../support/field-contract.ts';

/** A request that ingest has verified. */
export interface FieldRequest {
  readonly body: string | Uint8Array;
  /** Seconds after noon. */
  readonly second: number;
}

/** Lets the worker store requests, in one batch or in a batch each. */
export async function storeRequests(
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

/** Empties the tables. */
export const forget = (tables: HistoryTables): Promise<void> => receivingHalf(tables).forget();

export { fieldContract };
