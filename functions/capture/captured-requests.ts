import type { WebhookMethod } from '../../contract/schema/signed-template.ts';
import { hideValues, type TokenReader } from '../../contract/signature/hidden-values.ts';
import {
  maskCredential,
  maskedPrefix,
  type WebhookRequest,
} from '../../contract/signature/webhook-request.ts';
import type { CapturedRequest } from '../webhook/envelope.ts';
import { captureEnd, type SecretDocument } from '../webhook/secret-document.ts';
import type { SecretCache } from '../webhook/webhook-secret-store.ts';

/** The facts that decide which headers carry a credential. */
export interface HeaderKnowledge {
  /** The headers that carry the secret itself, by the contract; in lower case. */
  readonly credentials: readonly string[];
  /** The headers that carry signatures and the values these cover, by the contract; in lower case. */
  readonly signatures: readonly string[];
  /** Secrets that are or were in use. */
  readonly secrets: readonly string[];
}

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
 * Returns the headers of a request as they may be kept, by name in lower case. Signatures and signed tokens are kept as received. A
 * value that a reader could use to impersonate the service is masked.
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
    // A value that looks masked was sent so, and must not pass for a credential that was masked here.
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
    Object.entries(headers).map(([header, value = '']) => {
      const name = header.toLowerCase();
      return [name, isCredential(name, value) ? maskCredential(value, salt) : value];
    }),
  );
}

function isSignature(value: string): boolean {
  return signatureValue.test(value) || holdsJwt(value);
}

/**
 * Returns whether a value is a JSON Web Token in compact form (RFC 7515, section 7.1) that is bound to one request or expires. A token
 * that does neither is a password.
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

/** What is kept of a request. A token in its URL or its body is masked like one in a header. */
interface KeptRequest {
  readonly request: CapturedRequest;
  readonly body: Uint8Array;
}

/** Decides what is kept of requests that are not verified. It keeps nothing while the capture is off, or beyond its limits. Never throws. */
export interface Capture {
  /**
   * Returns what to keep of a request that is about to be rejected; undefined where nothing is kept.
   *
   * @param sourceIp the sender's address, as API Gateway sees it
   * @param receivedAt milliseconds since the epoch
   */
  keepRejected(
    request: WebhookRequest,
    sourceIp: string,
    receivedAt: number,
  ): Promise<KeptRequest | undefined>;
  /** Returns how many requests were rejected during a capture since the last call, because of its limits. */
  takeLeftOut(): number;
  /**
   * Returns what to keep of a request that is parked. The limits do not apply: the request is queued anyway.
   *
   * @param document the secrets that did not match
   */
  keepParked(
    request: WebhookRequest,
    receivedAt: number,
    document: SecretDocument,
  ): CapturedRequest | undefined;
}

export interface CaptureSettings {
  /** Limits how often the store is read. */
  readonly cache: Pick<SecretCache, 'reread'>;
  /** The end of the capture by the setting; ISO 8601 in UTC, or empty. */
  readonly until: string;
  /** The headers that carry the secret itself, and those that signatures need; in lower case. */
  readonly credentials: readonly string[];
  readonly signatures: readonly string[];
  /** The method by which the service calls the webhook, POST by default. */
  readonly method?: WebhookMethod;
  /** Undefined where no token is in the URL or the body. */
  readonly tokenIn?: TokenReader | undefined;
  /** Returns random text. */
  readonly newSalt: () => string;
}

const maxBodyBytes = 64 * 1024;
const hourMs = 3_600_000;

/**
 * The limits of one instance: `size` requests at once, then `perHour`. When the reserve is reached, a sender's requests are kept only
 * within its own share, so that a flood from one address leaves room for others. No count ends a capture.
 */
const all = { size: 200, perHour: 500 };
const reserve = 100;
const share = { size: 20, perHour: 100 };
const maxSenders = 1_000;

export function createCapture({
  cache,
  until,
  method = 'POST',
  tokenIn,
  newSalt,
  ...headerKinds
}: CaptureSettings): Capture {
  const budget = createBudget(all);
  const shares = new Map<string, Budget>();
  let leftOut = 0;

  function shareOf(sender: string): Budget {
    const sendersShare = shares.get(sender) ?? createBudget(share);
    shares.set(sender, sendersShare);
    // The first key of a map is the oldest.
    const [oldest] = shares.keys();
    if (shares.size > maxSenders && oldest !== undefined) shares.delete(oldest);
    return sendersShare;
  }

  /** Takes room for one request; returns whether there was any. */
  function takeRoom(sender: string, now: number): boolean {
    const sendersShare = shareOf(sender);
    const left = budget.left(now);
    const isWithinShare = sendersShare.left(now) >= 1;
    if (left < 1 || (left < reserve + 1 && !isWithinShare)) return false;
    budget.take();
    if (isWithinShare) sendersShare.take();
    return true;
  }

  function keep(request: WebhookRequest, document: SecretDocument | undefined): KeptRequest {
    const { current = [], previous = [], retired = [] } = document ?? {};
    const secrets = [current, previous, retired].flat().map(({ secret }) => secret);
    const salt = newSalt();
    const token = tokenIn?.(request);
    const isSecret = (value: string) =>
      value === token || value.startsWith(maskedPrefix) || secrets.some((secret) => value.includes(secret));
    const { url, body } = hideValues(request, isSecret, (value) => maskCredential(value, salt));
    const headers = maskCredentials(request.headers, { ...headerKinds, secrets }, salt);
    return { request: { method, url, headers }, body };
  }

  const endOf = (document: SecretDocument | undefined) => captureEnd(document?.capture, until);

  return {
    keepParked: (request, receivedAt, document) =>
      receivedAt < Date.parse(endOf(document)) ? keep(request, document).request : undefined,

    takeLeftOut() {
      const count = leftOut;
      leftOut = 0;
      return count;
    },

    async keepRejected(request, sourceIp, receivedAt) {
      try {
        // A cached document may be a minute old, and an operator who switched the capture on waits for its effect.
        const document = await cache.reread();
        if (!(receivedAt < Date.parse(endOf(document)))) return undefined;
        if (request.body.length <= maxBodyBytes && takeRoom(networkOf(sourceIp), receivedAt))
          return keep(request, document);
        leftOut += 1;
        return undefined;
      } catch {
        // Without the document neither the operator's decision nor the secrets to mask are known.
        return undefined;
      }
    },
  };
}

interface Budget {
  /** @param now milliseconds since the epoch */
  left(now: number): number;
  take(): void;
}

/** Makes a budget that starts full and fills up again. */
function createBudget({ size, perHour }: { readonly size: number; readonly perHour: number }): Budget {
  let left = size;
  let filledAt = 0;
  return {
    left(now) {
      // A clock that is set back does not reduce the budget.
      left = Math.min(size, left + (Math.max(0, now - filledAt) * perHour) / hourMs);
      filledAt = now;
      return left;
    },
    take() {
      left -= 1;
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
