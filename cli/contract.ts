import type { Command } from 'commander';
import type { Context } from './context.ts';
import { addContractCapture } from './contract-capture.ts';
import { addContractDiff } from './contract-diff.ts';
import { addContractDiscover } from './contract-discover.ts';
import { addContractDrift } from './contract-drift.ts';
import { addContractTest } from './contract-test.ts';

/** `contract`: what the pipeline knows of the service's webhook, found out and checked. */
export function addContract(program: Command, context: Context): void {
  const contract = program
    .command('contract')
    .summary('find out, test and change what describes the SMS service')
    .description(
      "Looks after contract.json, which says how the SMS service signs its webhook's requests and where things are in a body.",
    );
  addContractCapture(contract, context);
  addContractDiscover(contract, context);
  addContractDiff(contract, context);
  addContractTest(contract, context);
  addContractDrift(contract, context);
}
