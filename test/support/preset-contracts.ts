import { readdirSync, readFileSync } from 'node:fs';
import { extendContract } from '../../contract/document/extend.ts';
import { parseRules } from '../../contract/document/parse.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { shippedContract, shippedContractJson } from '../../tools/support/contracts.ts';

const folder = new URL('../../contract/presets/', import.meta.url);

/** The contract that ships and every preset, each completed so that it can be used: a preset that says no more than where the event id is has the events of the contract that ships. */
export const presetContracts: readonly { readonly name: string; readonly contract: Contract }[] = [
  { name: 'contract.json', contract: shippedContract },
  ...readdirSync(folder)
    .sort()
    .map((file) => ({
      name: file,
      contract: completed(JSON.parse(readFileSync(new URL(file, folder), 'utf8'))),
    })),
];

/** The contract of a preset. @param name without ".json" */
export function presetContract(name: string): Contract {
  const found = presetContracts.find((preset) => preset.name === `${name}.json`);
  if (found === undefined) throw new Error(`there is no preset ${name}`);
  return found.contract;
}

function completed(preset: { readonly events?: { readonly reply?: unknown } }): Contract {
  if (preset.events?.reply !== undefined)
    return parseRules(extendContract(preset, { service: shippedContract.service }));
  // Samples of its own may show a signature alone.
  return { ...parseRules(extendContract(shippedContractJson, preset)), samples: shippedContract.samples };
}
