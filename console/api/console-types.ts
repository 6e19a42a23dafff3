// The answers of the console's own server; those of the query API are in client/types.ts.

import type { ProofContract } from '../../client/proof.ts';

export type Role = 'viewer' | 'support' | 'operator';

/** Who uses the console, and what they may do. */
export interface Session {
  readonly pipeline: string;
  /** The names of its sources: `main`, and further ones. */
  readonly sources: readonly string[];
  /** By which the reports of each source are read. */
  readonly contracts: readonly (ProofContract & { readonly source: string })[];
  readonly role: Role;
  readonly place: 'local' | 'loopback' | 'deployed';
  /** Whether the server masks numbers until a request asks for whole ones. */
  readonly masked: boolean;
  /** Whether whole numbers may be shown and downloaded. */
  readonly canReveal: boolean;
  readonly canReplay: boolean;
  /** How many events of a sample a local run has stored. Only while it fills its tables. */
  readonly fill?: { readonly sent: number; readonly all: number };
}

/** The query of the page after a sign-out that leaves the session of the provider. */
export const elsewhereIn = 'provider=signed-in';
