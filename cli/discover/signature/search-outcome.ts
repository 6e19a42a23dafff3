import type { SignatureContract } from '../../../functions/core/contract/contract.ts';

export interface FoundSignature {
  readonly found: true;
  /** Complete, as contract.json takes it. */
  readonly scheme: SignatureContract;
  /** How many of the captures it verifies. */
  readonly fits: number;
  /** How many candidates were checked: signatures computed or verified, tokens compared. */
  readonly tried: number;
  /** What the captures leave open, in sentences; never with values of headers or secrets. */
  readonly ambiguities?: readonly string[];
}

interface MissedSignature {
  readonly found: false;
  readonly tried: number;
  /** What was looked at, in words. */
  readonly searched: readonly string[];
  /** What was seen and what would help, in sentences; never with values of headers or secrets. */
  readonly missing: readonly string[];
}

export type SearchOutcome = FoundSignature | MissedSignature;
