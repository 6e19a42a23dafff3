import shipped from '../../contract.json' with { type: 'json' };
import { contractHash } from '../events/body.ts';
import type { BundledWebhook } from '../schema/contract-schema.ts';
import { parseContract } from './parse.ts';

const contract = parseContract(shipped);

/** Stands in for `#webhook` when ingest runs from its sources. The bundler replaces it by that of the settings' contract. */
const webhook: BundledWebhook = { ...contract.webhook, hash: contractHash(contract) };
export default webhook;
