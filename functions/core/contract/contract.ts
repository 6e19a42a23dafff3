import type { z } from 'zod';
import type { contractSchema } from './schema.ts';

/** A validated contract: `contract.json` with every default filled in. */
export type Contract = z.output<typeof contractSchema>;

export type SignatureContract = Contract['webhook']['signature'];
export type HmacSignatureContract = Extract<SignatureContract, { scheme: 'hmac' }>;
export type PublicKeySignatureContract = Extract<SignatureContract, { scheme: 'public-key' }>;
export type JwtSignatureContract = Extract<SignatureContract, { scheme: 'jwt' }>;
export type TokenSignatureContract = Extract<SignatureContract, { scheme: 'token' }>;
/** Schemes that sign a text made of the request. */
export type SignedTextContract = HmacSignatureContract | PublicKeySignatureContract;
export type EventsContract = Contract['events'];

/** The contract a function was bundled with: validated, every default filled in, without what only the validation needs. */
export type BundledContract = Omit<Contract, '$schema' | 'about'>;

/** Of the contract what ingest needs: nothing else is loaded at its start. */
export type BundledWebhook = Contract['webhook'] & {
  /** As `contractHash` gives it. */
  readonly hash: string;
};
