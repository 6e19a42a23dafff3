import { unsignedParts } from '../../../contract/checks/unsigned-parts.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { ok, skipped, type Verdict, warn } from '../../../functions/query/index.ts';

/** Judges whether the signature covers all that is read of a request. */
export function judgeSignature(contract: Pick<Contract, 'webhook'>): Verdict {
  if (contract.webhook.signature.scheme === 'none') return skipped('the contract has no signature');
  const parts = unsignedParts(contract);
  if (parts.length === 0) return ok('nothing that is read can be changed by one who has seen a request');
  return warn(
    `not signed: ${parts.map(({ id }) => id.replaceAll('-', ' ')).join(', ')}`,
    [...parts.map(({ sentence }) => sentence), 'docs/concepts/security.md explains it.'].join('\n'),
  );
}
