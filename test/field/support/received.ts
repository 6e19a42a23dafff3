import { extendContract } from '../../../contract/document/extend.ts';
import { parseRules } from '../../../contract/document/parse.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { shippedContractJson } from '../../../tools/support/contracts.ts';
import type { HistoryTables } from '../../../tools/support/history-tables.ts';
import { receivingHalf } from '../../promises/support/receiving-half.ts';

/** A contract of a service without a preset. Its webhook has a token, which these tests have checked already. */
export function fieldContract(rules: object): Contract {
  const webhook = { signature: { scheme: 'token', header: 'x-token' }, acknowledge: { status: 200 } };
  const noFields = { sendId: null, recipient: null, errorCode: null, errorText: null };
  const base = {
    ...(shippedContractJson as object),
    webhook,
    lookups: null,
    events: { list: '[@]', timeFormat: 'iso8601', status: noFields, reply: { replyId: null, to: null } },
    statuses: {},
    samples: [],
  };
  return parseRules(extendContract(base, rules));
}

/** A request that ingest has verified. */
export interface FieldRequest {
  readonly body: string | Uint8Array;
  /** Seconds after noon. */
  readonly second: number;
}

const noon = Date.UTC(2026, 0, 15, 12);

/** The time so many seconds after noon, as the history writes it. */
export const atSecond = (second: number): string => new Date(noon + second * 1000).toISOString();

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
