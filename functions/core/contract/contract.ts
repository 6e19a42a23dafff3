import type { z } from 'zod';
import type { contractSchema } from './schema.ts';

/** A validated contract: `contract.json` with every default filled in. */
export type Contract = z.output<typeof contractSchema>;

export type SignatureContract = Contract['webhook']['signature'];
export type HmacSignatureContract = Extract<SignatureContract, { scheme: 'hmac' }>;
export type EventsContract = Contract['events'];
