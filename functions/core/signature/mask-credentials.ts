import { maskCredential } from './mask-credential.ts';

/** What is known of the headers of a request. */
export interface HeaderKnowledge {
  /** In lower case: those that carry the secret itself, by the contract. */
  readonly credentials: readonly string[];
  /** In lower case: those that carry signatures and what these cover, by the contract. */
  readonly signatures: readonly string[];
  /** Secrets that are or were in use. */
  readonly secrets: readonly string[];
}

/** Headers that carry a credential, unless it is a signature of the request. */
const authorization = /^(?:proxy-)?(?:authorization|authentication)$|cookie/;

/** What else headers are called that carry a credential, and what those that carry a signature. */
const credentialName =
  /token|secret|passw|passphrase|pwd|credential|api[-_]?key|(?:^|[-_])key(?:[-_]|$)|(?:^|[-_])auth$/;
const signatureName = /sign|hmac|digest|hash/;

/** How a value begins, or what one of its entries is called, where it is a signature: of this request alone. */
const signatureValue = /^(?:hmac|sig|digest)|(?:sig|hmac|hash|digest|mac|signature|\bv\d|\b[sh])=[^=\s]/i;

/**
 * The headers of a request, by name in lower case, as they may be kept: signatures and signed tokens as they came, anything that
 * somebody could use to pass for the service masked.
 *
 * @param salt random; without a colon
 */
export function maskCredentials(
  headers: Readonly<Record<string, string | undefined>>,
  { credentials, signatures, secrets }: HeaderKnowledge,
  salt: string,
): Record<string, string> {
  const texts = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('base64')]);
  const isCredential = (name: string, value: string) =>
    // What looks masked came so from outside, and must not pass for a credential that was masked here.
    value.startsWith('masked:') ||
    texts.some((text) => value.includes(text)) ||
    credentials.includes(name) ||
    (!holdsJwt(value) &&
      (authorization.test(name)
        ? name.includes('cookie') || !signatureValue.test(value)
        : credentialName.test(name) &&
          !signatures.includes(name) &&
          !signatureName.test(name) &&
          !signatureValue.test(value)));
  return Object.fromEntries(
    Object.entries(headers).map(([given, value = '']) => {
      const name = given.toLowerCase();
      return [name, isCredential(name, value) ? maskCredential(value, salt) : value];
    }),
  );
}

/** Whether it is a JSON Web Token in compact form (RFC 7515, section 7.1), which says of what it is for and runs out. */
function holdsJwt(value: string): boolean {
  const [token = '', ...scheme] = value.split(' ').reverse();
  const parts = token.split('.');
  if (scheme.length > 1 || parts.length !== 3 || !parts.every((part) => /^[\w-]+$/.test(part))) return false;
  try {
    return 'alg' in JSON.parse(Buffer.from(parts[0] ?? '', 'base64url').toString());
  } catch {
    return false;
  }
}
