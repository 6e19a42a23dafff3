import shipped from '../../contract.json' with { type: 'json' };
import type { BundledContract } from '../schema/contract-schema.ts';
import { parseContract } from './parse.ts';

/** What `#contract` is where a function runs from its sources; bundles have the contract of their settings, and nothing of this. */
const contract: BundledContract = parseContract(shipped);
export default contract;
