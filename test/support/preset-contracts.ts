import { contractFiles } from '../../contract/document/contract-file-store.ts';
import {
  describesEvents,
  extendContract,
  presetNames,
  presetPath,
  readExtended,
} from '../../contract/document/extend.ts';
import { parseRules } from '../../contract/document/parse.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { shippedContract, shippedContractJson } from '../../tools/support/contracts.ts';

/** The contract that ships and every preset, each completed so that it can be used: a preset that says no more than where the event id is has the events of the contract that ships. */
export const presetContracts: readonly { readonly name: string; readonly contract: Contract }[] = [
  { name: 'contract.json', contract: shippedContract },
  ...presetNames(contractFiles).map((name) => ({
    name: `${name}.json`,
    contract: completed(readExtended(presetPath(name, contractFiles), contractFiles).document),
  })),
];

/** The contract of a preset. @param name without ".json" */
export function presetContract(name: string): Contract {
  const found = presetContracts.find((preset) => preset.name === `${name}.json`);
  if (found === undefined) throw new Error(`there is no preset ${name}`);
  return found.contract;
}

function completed(preset: unknown): Contract {
  if (describesEvents(preset))
    return parseRules(extendContract(preset, { service: shippedContract.service }));
  // Samples of its own may show a signature alone.
  return { ...parseRules(extendContract(shippedContractJson, preset)), samples: shippedContract.samples };
}
