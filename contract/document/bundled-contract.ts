import shipped from '../../contract.json' with { type: 'json' };
import type { BundledContract } from '../schema/contract-schema.ts';
import { parseContract } from './parse.ts';

/** Stands in for `#contract` when a function runs from its sources. The bundler replaces it by the contract of the settings. */
const contract: BundledContract = parseContract(shipped);
export default contract;
