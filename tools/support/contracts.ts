import { parseContract } from '../../contract/document/parse.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import shipped from '../../contract.json' with { type: 'json' };
import form from './contracts/form.json' with { type: 'json' };
import nested from './contracts/nested.json' with { type: 'json' };

/** The contract that ships, as it stands in the file. */
export const shippedContractJson: unknown = shipped;

/** The contract that ships: Standard Webhooks, JSON, ISO 8601. */
export const shippedContract: Contract = parseContract(shipped);

/** GitHub-style signature over the body alone, form-encoded events, words of its own, an event id in the body. */
export const formContractJson = { ...shipped, ...form };
export const formContract: Contract = parseContract(formContractJson);

/** A static token in a header, events nested two levels deep, Unix milliseconds, identity by content. */
export const nestedContractJson = { ...shipped, ...nested };
export const nestedContract: Contract = parseContract(nestedContractJson);

/** A secret as its owner writes it, for each of the contracts. */
export const contracts = [
  { name: 'shipped', contract: shippedContract, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  { name: 'form', contract: formContract, secret: 'a secret of text' },
  { name: 'nested', contract: nestedContract, secret: 'a-static-token' },
] as const;
