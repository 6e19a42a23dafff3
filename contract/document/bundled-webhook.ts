import shipped from '../../contract.json' with { type: 'json' };
import { contractHash } from '../events/identity.ts';
import type { BundledWebhook } from '../schema/contract-schema.ts';
import { parseContract } from './parse.ts';

const contract = parseContract(shipped);

/** What `#webhook` is where ingest runs from its sources; its bundle has that of its settings' contract, and nothing of this. */
const webhook: BundledWebhook = { ...contract.webhook, hash: contractHash(contract) };
export default webhook;
