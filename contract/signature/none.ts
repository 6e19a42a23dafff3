import type { Verifier } from './webhook-request.ts';

export function createVerifier(): Verifier {
  return () => ({ kind: 'verified', signedId: undefined });
}

export function headersRead(): string[] {
  return [];
}

export function isUsableSecret(): boolean {
  return true;
}

/** Requests of other schemes carry no secret outside of their headers. */
export function createTokenReader(): undefined {
  return undefined;
}
