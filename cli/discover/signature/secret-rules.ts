import type { HmacSignatureContract } from '../../../functions/core/contract/contract.ts';
import { readPublicKey } from '../../../functions/core/signature/public-key.ts';
import { signingKey } from '../../../functions/core/signature/signing-key.ts';

type SecretRule = HmacSignatureContract['secret'];

export interface CandidateKey {
  readonly rule: SecretRule;
  readonly bytes: Uint8Array;
}

/** The keys that the secrets may stand for, each with the simplest rule that gives it. */
export function candidateKeys(all: readonly string[]): readonly CandidateKey[] {
  const secrets = all.filter((secret) => !isPublicKey(secret));
  const prefixes = new Set(['', ...secrets.flatMap(prefixesOf)]);
  const rules = [...prefixes].flatMap((prefix) =>
    (['utf8', 'base64', 'hex'] as const).map((encoding) => ({ encoding, prefix })),
  );
  const keys = new Map<string, CandidateKey>();
  for (const rule of rules)
    for (const secret of secrets) {
      const bytes = signingKey(rule, secret);
      const name = bytes && Buffer.from(bytes).toString('hex');
      if (bytes !== undefined && name !== undefined && !keys.has(name)) keys.set(name, { rule, bytes });
    }
  return [...keys.values()];
}

/** Such as "whsec_", or "sk_" and "sk_live_". */
function prefixesOf(secret: string): readonly string[] {
  const short = /^[A-Za-z][A-Za-z0-9]{0,15}_(?=.)/.exec(secret)?.[0];
  const long = /^(?:[A-Za-z][A-Za-z0-9]{0,15}_){2}(?=.)/.exec(secret)?.[0];
  return [short, long].filter((prefix) => prefix !== undefined);
}

/** Whether a secret is a public key and nothing else; 32 bytes may be either. */
function isPublicKey(secret: string): boolean {
  return secret.length > 64 && readPublicKey(secret) !== undefined;
}
