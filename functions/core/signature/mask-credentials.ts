import { maskCredential, maskedPrefix } from './mask-credential.ts';

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
const authorization = /^(?:proxy-)?(?:authorization|authentication)$/;

/** What else headers are called that carry a credential: the first whatever is in them, the others unless it is a signature. */
const secretName = /cookie|secret|passw|passphrase|pwd|api[-_]?key/;
const credentialName = /token|credential|bearer|session|jwt|(?:^|[-_])key(?:[-_]|$)|(?:^|[-_])auth$/;
/** Any word of authentication, but no author. What a signature covers has such names too. */
const authName = /auth(?!or(?!i[sz]))/;
const signedName = /(?:^|[-_])(?:time(?:stamp)?|date|nonce|version|algorithm|id)$/;
const signatureName = /signature|hmac|digest|hash|(?:^|[-_])sign(?:[-_]|$)/;

/** How a value begins, or what one of its entries is called, where it is a signature: of this request alone. */
const signatureValue =
  /^(?:hmac|signature|digest)\b|(?:^|[,; ])(?:sig|signature|hmac|hash|digest|mac|v\d|[sh])=[^=\s]/i;

/** How a value begins that is a credential whatever its header is called (RFC 7235, section 2.1). */
const credentialValue = /^(?:bearer|basic|token|api[-_]?key)[ :=]/i;

/**
 * Returns the headers of a request, by name in lower case, as they may be kept: signatures and signed tokens as received, and masked
 * what a reader could use to pass for the service.
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
    value.startsWith(maskedPrefix) ||
    texts.some((text) => value.includes(text)) ||
    credentials.includes(name) ||
    (authorization.test(name) && !isSignature(value)) ||
    (!signatures.includes(name) &&
      !signatureName.test(name) &&
      !authorization.test(name) &&
      (secretName.test(name) ||
        (!isSignature(value) &&
          (credentialName.test(name) ||
            (authName.test(name) && !signedName.test(name)) ||
            credentialValue.test(value)))));
  return Object.fromEntries(
    Object.entries(headers).map(([given, value = '']) => {
      const name = given.toLowerCase();
      return [name, isCredential(name, value) ? maskCredential(value, salt) : value];
    }),
  );
}

function isSignature(value: string): boolean {
  return signatureValue.test(value) || holdsJwt(value);
}

/**
 * Whether it is a JSON Web Token in compact form (RFC 7515, section 7.1) that is of one request, or runs out: one that does neither
 * is a password.
 */
function holdsJwt(value: string): boolean {
  const [token = '', ...scheme] = value.split(' ').reverse();
  const parts = token.split('.');
  if (scheme.length > 1 || parts.length !== 3 || !parts.every((part) => /^[\w-]+$/.test(part))) return false;
  try {
    const [head, claims] = parts
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
    return 'alg' in head && Object.keys(claims).some((claim) => /^(?:exp|iat)$|hash/.test(claim));
  } catch {
    return false;
  }
}
