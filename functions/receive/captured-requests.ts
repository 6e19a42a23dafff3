import { createHash } from 'node:crypto';
import { hideInUrl, hideValues, type TokenReader } from '../../contract/signature/hidden-values.ts';
import {
  maskCredential,
  maskedPrefix,
  type WebhookRequest,
} from '../../contract/signature/webhook-request.ts';
import { createSecretSearch } from '../base/sms-service/secret-search.ts';
import type { SecretDocument } from '../registration/index.ts';
import type { CapturedRequest } from './envelope.ts';

/** The facts that decide which headers carry a credential. */
export interface HeaderKnowledge {
  /** The headers that carry the secret itself, by the contract; in lower case. */
  readonly credentials: readonly string[];
  /** The headers that carry signatures and the values these cover, by the contract; in lower case. */
  readonly signatures: readonly string[];
  /** Secrets that are or were in use. */
  readonly secrets: readonly string[];
}

/** A request whose headers are masked. */
export interface MaskedRequest extends WebhookRequest {
  /** Identifies the request; without a colon. */
  readonly requestId: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** Services sign a token for one request. One that is valid for longer is a password, and so is one that a service sends although it expired. */
const longestTokenSeconds = 3600;

/** These headers carry a credential, unless the value is a signature of the request. */
const authorization = /^(?:proxy-)?(?:authorization|authentication)$/;

/** Other names of headers that carry a credential: the first pattern whatever the value is, the others unless it is a signature. */
const secretName = /cookie|secret|passw|passphrase|pwd|api[-_]?key/;
const credentialName = /token|credential|bearer|session|jwt|(?:^|[-_])key(?:[-_]|$)|(?:^|[-_])auth$/;
/** Matches words of authentication, and not `author`. Headers that a signature covers have such names too. */
const authName = /auth(?!or(?!i[sz]))/;
const signedName = /(?:^|[-_])(?:time(?:stamp)?|date|nonce|version|algorithm|id)$/;
const signatureName = /signature|hmac|digest|hash|(?:^|[-_])sign(?:[-_]|$)/;

/** Matches the value of a signature, which is valid for this request alone, by its beginning or by the name of an entry. */
const signatureValue =
  /^(?:hmac|signature|digest)\b|(?:^|[,; ])(?:sig|signature|hmac|hash|digest|mac|v\d|[sh])=[^=\s]/i;

/** Matches the beginning of a credential, whatever the name of its header is (RFC 7235, section 2.1). */
const credentialValue = /^(?:bearer|basic|token|api[-_]?key)[ :=]/i;

/**
 * Returns the headers of a request as they may be kept, by name in lower case. Signatures are kept as received, and so are JSON Web Tokens that
 * are of this request or expire within an hour. Another value that a reader could use to impersonate the service is masked, with the request's id
 * as salt.
 */
export function maskCredentials(
  request: MaskedRequest,
  { credentials, signatures, secrets }: HeaderKnowledge,
): Record<string, string> {
  const isOfRequest = tokenJudge(request);
  const texts = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('base64')]);
  const isCredential = (name: string, value: string) => {
    const claims = claimsOf(value);
    const isToken = claims !== undefined;
    const isSignature = isToken ? isOfRequest(claims) : signatureValue.test(value);
    return (
      // A value that looks masked was sent so, and must not pass for a credential that was masked here.
      value.startsWith(maskedPrefix) ||
      texts.some((text) => value.includes(text)) ||
      credentials.includes(name) ||
      ((isToken || authorization.test(name)) && !isSignature) ||
      (!signatures.includes(name) &&
        !signatureName.test(name) &&
        !authorization.test(name) &&
        (secretName.test(name) ||
          (!isSignature &&
            (credentialName.test(name) ||
              (authName.test(name) && !signedName.test(name)) ||
              credentialValue.test(value)))))
    );
  };
  return Object.fromEntries(
    Object.entries(request.headers).map(([header, value = '']) => {
      const name = header.toLowerCase();
      return [name, isCredential(name, value) ? maskCredential(value, request.requestId) : value];
    }),
  );
}

/**
 * Judges whether the claims of a token are of this request: they have a hash of its body, or of its URL for a GET, or expire about now. The URL
 * alone is the same for all requests with a body.
 */
function tokenJudge({ method, url, body, receivedAt }: MaskedRequest) {
  const content = method === 'GET' ? url : body;
  const hashes = content.length === 0 ? [] : hashesOf(content);
  return ({ exp, ...claims }: Readonly<Record<string, unknown>>) =>
    (typeof exp === 'number' && Math.abs(exp - receivedAt / 1000) <= longestTokenSeconds) ||
    Object.values(claims).some((claim) => hashes.includes(String(claim)));
}

/** Returns the claims of a JSON Web Token in compact form (RFC 7515, section 7.1); undefined for any other value. */
function claimsOf(value: string): Readonly<Record<string, unknown>> | undefined {
  const [token = '', ...scheme] = value.split(' ').reverse();
  const parts = token.split('.');
  if (scheme.length > 1 || parts.length !== 3 || !parts.every((part) => /^[\w-]+$/.test(part)))
    return undefined;
  try {
    const [head, claims] = parts
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
    return 'alg' in head ? Object(claims) : undefined;
  } catch {
    return undefined;
  }
}

/** The hashes of a URL or a body, as services write them into claims. */
function hashesOf(content: string | Uint8Array): string[] {
  return ['sha256', 'sha384', 'sha512'].flatMap((algorithm) => {
    const digest = createHash(algorithm).update(content).digest();
    return (['hex', 'base64', 'base64url'] as const).map((encoding) => digest.toString(encoding));
  });
}

/** The part of a request that a capture keeps. A token in its URL or its body is masked like one in a header. */
interface KeptRequest {
  readonly captured: CapturedRequest;
  readonly body: Uint8Array;
  readonly path?: string;
}

/** A request that is about to be rejected. */
interface RejectedRequest extends MaskedRequest {
  /** The sender's address, as API Gateway sees it. */
  readonly sourceIp: string;
  /** The path behind that of the webhook, decoded, if the contract reads it. */
  readonly path?: string;
}

/** Decides which rejected requests are kept, as evidence for the contract. */
export interface Capture {
  /** @param receivedAt milliseconds since the epoch */
  isOn(receivedAt: number): boolean;
  /**
   * Returns what to keep of a request that is about to be rejected; undefined beyond the limits.
   *
   * @param document the stored secrets, which are masked wherever they occur in any notation
   */
  keep(request: RejectedRequest, document: SecretDocument | undefined): KeptRequest | undefined;
}

export interface CaptureSettings {
  /** The end of the capture; ISO 8601 in UTC, or empty for no capture. */
  readonly until: string;
  /** The headers that carry the secret itself, and those that signatures need; in lower case. */
  readonly credentials: readonly string[];
  readonly signatures: readonly string[];
  /** Undefined if no token is in the URL or the body. */
  readonly tokenIn?: TokenReader | undefined;
}

/** A shorter secret is masked where it is a value, because it could be a part of any word. */
const minHidden = 8;

/** The limits of one instance of ingest. The limit of a sender leaves room for others while one address floods the webhook. */
export const captureLimits = { bodyBytes: 64 * 1024, requests: 1000, requestsOfOneSender: 500 };

/** Returns the parts of a secret that are enough to act as the service: the password of `user:password`, and the key behind a prefix such as `whsec_`. */
function enoughOf(secret: string): string[] {
  return [/^[^:]*:/, /^(?:[a-z]{1,16}_){1,3}/i].flatMap((before) => {
    const part = secret.replace(before, '');
    return part === '' || part === secret ? [] : [part];
  });
}

export function createCapture({ until, tokenIn, ...headerKinds }: CaptureSettings): Capture {
  const keptBySender = new Map<string, number>();
  let kept = 0;

  /** Takes room for one request; returns whether there was any. */
  function takeRoom(sender: string): boolean {
    const ofSender = keptBySender.get(sender) ?? 0;
    if (kept >= captureLimits.requests || ofSender >= captureLimits.requestsOfOneSender) return false;
    keptBySender.set(sender, ofSender + 1);
    kept += 1;
    return true;
  }

  return {
    isOn: (receivedAt) => receivedAt < Date.parse(until),

    keep(request, document) {
      if (request.body.length > captureLimits.bodyBytes || !takeRoom(networkOf(request.sourceIp)))
        return undefined;
      const { current = [], previous = [], retired = [] } = document ?? {};
      const secrets = [current, previous, retired]
        .flat()
        .flatMap(({ secret }) => [secret, Buffer.from(secret).toString('latin1')]);
      const token = tokenIn?.(request);
      const values = [...secrets.flatMap(enoughOf), ...(token === undefined ? [] : [token])];
      const isSecret = (value: string) =>
        values.includes(value) ||
        value.startsWith(maskedPrefix) ||
        secrets.some((secret) => value.includes(secret));
      const { requestId, method = 'POST', path } = request;
      const masked = (value: string) => (isSecret(value) ? maskCredential(value, requestId) : undefined);
      const hidden = hideValues(request, masked);
      const named = maskCredentials(request, { ...headerKinds, secrets });
      // Whatever is left of a secret, in any part and notation: some proxies repeat the path of the URL in a header.
      const hide = createSecretSearch(
        [...secrets, ...values].filter(({ length }) => length >= minHidden),
        'masked',
      );
      // Some proxies repeat the URL in a header.
      const headers = Object.fromEntries(
        Object.entries(named).map(([name, value]) => [name, hide(hideInUrl(value, masked) ?? value)]),
      );
      // Each byte is one character, so that bytes which are no text survive. So secrets are searched in this form too.
      const body = Buffer.from(hide(Buffer.from(hidden.body).toString('latin1')), 'latin1');
      const captured = { method, url: hide(hidden.url), headers };
      return { captured, body, ...(path !== undefined && { path: hide(path) }) };
    },
  };
}

/** Returns an address of IPv4, or the network of an address of IPv6. */
function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  // An IPv6 sender has a whole network of 64 bits; "::" stands for groups of zeros.
  const [groups = ''] = address.split('::');
  return [...groups.split(':'), 0, 0, 0].slice(0, 4).join(':');
}
