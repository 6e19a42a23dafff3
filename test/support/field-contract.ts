import { extendContract } from '../../contract/document/extend.ts';
import { parseRules } from '../../contract/document/parse.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { shippedContractJson } from '../../tools/support/contracts.ts';

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

export const noon = Date.UTC(2026, 0, 15, 12);

/** The time so many seconds after noon, as the history writes it. */
export const atSecond = (second: number): string => new Date(noon + second * 1000).toISOString();
