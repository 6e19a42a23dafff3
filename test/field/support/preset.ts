import { createMapper } from '../../../contract/events/mapping.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import type { SmsEvent } from '../../../contract/schema/sms-event.ts';
import { optOutKey } from '../../../functions/history/opt-out/opt-out.ts';
import type { HistoryTables } from '../../../tools/support/history-tables.ts';
import { receivingHalf } from '../../promises/support/receiving-half.ts';
import { presetContracts } from '../../support/preset-contracts.ts';

/** The time at which all requests of a test are received, if the test does not say another one. */
export const receivedAt = '2026-11-28T18:15:00.000Z';

function contractOf(preset: string): Contract {
  const found = presetContracts.find(({ name }) => name === `${preset}.json`);
  if (found === undefined) throw new Error(`no preset ${preset}`);
  return found.contract;
}

/** Reads the events of a request's body as the worker does. @throws Error for one that goes to quarantine */
export function eventsOf(preset: string, body: string): SmsEvent[] {
  const mapped = createMapper(contractOf(preset))(Buffer.from(body), 'signed-id', receivedAt);
  return mapped.map((outcome) => {
    if (outcome.kind === 'event') return outcome.event;
    throw new Error(`${outcome.reason} ${outcome.field}`);
  });
}

/** Stores the requests by the real worker, one after the other. @returns what the tables hold then */
export async function stored(tables: HistoryTables, preset: string, bodies: readonly string[]) {
  const pipeline = receivingHalf(tables, { contract: contractOf(preset), now: Date.parse(receivedAt) });
  for (const [position, body] of bodies.entries()) {
    pipeline.enqueue({ requestId: `request-${position}`, receivedAt, body: Buffer.from(body) });
    await pipeline.work();
  }
  const items = await pipeline.history();
  return {
    /** The number's item in the register of opt-outs. */
    registered: (phone: string) => items.find(({ pk }) => pk === optOutKey(phone)),
    messages: items.filter(({ messageId, status }) => messageId !== undefined && status !== undefined),
    replies: items.filter(({ pk }) => String(pk).startsWith('reply#')),
    quarantine: await pipeline.quarantine(),
  };
}
