import fc from 'fast-check';
import { expect } from 'vitest';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { optOutKey } from '../../../functions/history/opt-out/opt-out.ts';
import type { Envelope } from '../../../functions/receive/envelope.ts';
import type { HistoryTables } from '../../../tools/support/history-tables.ts';
import { envelopesOf, expectedState, minute, phone, saidReplies } from '../../support/opt-out-arrivals.ts';
import { assertProperty } from '../../support/property.ts';
import { receivingHalf } from './receiving-half.ts';

/** Stores requests that ingest has verified in one batch. */
export async function store(
  tables: HistoryTables,
  contract: Contract,
  envelopes: readonly Envelope[],
): Promise<void> {
  const pipeline = receivingHalf(tables, { contract, now: Date.parse(minute(0)) });
  envelopes.forEach(pipeline.enqueue);
  await pipeline.work();
}

/** The item of {@link phone} in the register. */
export async function registered(tables: HistoryTables) {
  const items = await receivingHalf(tables).history();
  return items.find(({ pk }) => pk === optOutKey(phone));
}

/** The register is the same for any order, batching and repetition of replies, as this contract writes them. */
export function sameInAnyOrder(tables: HistoryTables, contract: Contract): Promise<void> {
  return assertProperty(
    fc.asyncProperty(saidReplies, fc.infiniteStream(fc.nat(999)), async (replies, numbers) => {
      const items = [];
      for (let pass = 0; pass < 2; pass++) {
        await receivingHalf(tables).forget();
        const arrivals = replies
          .flatMap((reply) => envelopesOf(contract, reply))
          .map((arrival) => ({ arrival, rank: numbers.next().value }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ arrival }) => arrival);
        while (arrivals.length > 0)
          await store(tables, contract, arrivals.splice(0, 1 + (numbers.next().value % 4)));
        items.push(await registered(tables));
      }
      expect(items[1]).toEqual(items[0]);
      expect(items[0]).toMatchObject(expectedState(contract, replies));
    }),
    { numRuns: 4 },
  );
}
