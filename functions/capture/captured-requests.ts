import {
  maskCredential,
  maskedPrefix,
  type WebhookRequest,
} from '../../contract/signature/webhook-request.ts';
import type { CapturedRequest } from '../webhook/envelope.ts';
import { captureEnd, type SecretDocument } from '../webhook/secret-document.ts';
import type { SecretCache } from '../webhook/webhook-secret-store.ts';

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

/** What is kept of requests that do not fit; undefined where that is not wanted, or would be too much. Never throws. */
export interface Capture {
  /**
   * Returns what to keep of a request that is about to be rejected.
   *
   * @param sourceIp the sender's address, as API Gateway sees it
   * @param receivedAt milliseconds since the epoch
   */
  keepRejected(
    request: WebhookRequest,
    sourceIp: string,
    receivedAt: number,
  ): Promise<CapturedRequest | undefined>;
  /** Gives how many requests were left out while capturing was on, since the last call. */
  takeLeftOut(): number;
  /** Of one that is parked anyway, so that no limit counts it. @param document what it was parked by */
  keepParked(
    request: WebhookRequest,
    receivedAt: number,
    document: SecretDocument,
  ): CapturedRequest | undefined;
}

export interface CaptureSettings {
  /** Asks the store no more often than mismatches have it asked. */
  readonly cache: Pick<SecretCache, 'reread'>;
  /** Until when, by the setting; ISO 8601 in UTC, or empty. */
  readonly until: string;
  /** The headers that carry the secret itself, and those that signatures need; in lower case. */
  readonly credentials: readonly string[];
  readonly signatures: readonly string[];
  /** Random. */
  readonly newSalt: () => string;
}

const largestBodyBytes = 64 * 1024;
const hourMs = 3_600_000;

/**
 * What one instance keeps: so many requests at once, then so many an hour. Below the reserve a sender is kept only within a share of
 * its own, so that a flood from one address leaves room for others. No count ends a capture.
 */
const all = { size: 200, perHour: 500 };
const reserve = 100;
const share = { size: 20, perHour: 100 };
const maxSenders = 1_000;

export function createCapture({ cache, until, newSalt, ...headerKinds }: CaptureSettings): Capture {
  const budget = createBudget(all);
  const shares = new Map<string, Budget>();
  let leftOut = 0;

  function shareOf(sender: string): Budget {
    const sendersShare = shares.get(sender) ?? createBudget(share);
    shares.set(sender, sendersShare);
    // The first one of a map is the oldest.
    const [oldest] = shares.keys();
    if (shares.size > maxSenders && oldest !== undefined) shares.delete(oldest);
    return sendersShare;
  }

  /** Whether there is room for a request, which takes it. */
  function takeRoom(sender: string, now: number): boolean {
    const sendersShare = shareOf(sender);
    const left = budget.left(now);
    const isWithinShare = sendersShare.left(now) >= 1;
    if (left < 1 || (left < reserve + 1 && !isWithinShare)) return false;
    budget.take();
    if (isWithinShare) sendersShare.take();
    return true;
  }

  function keep({ headers, url }: WebhookRequest, document: SecretDocument | undefined): CapturedRequest {
    const { current = [], previous = [], retired = [] } = document ?? {};
    const secrets = [current, previous, retired].flat().map(({ secret }) => secret);
    return {
      method: 'POST',
      url,
      headers: maskCredentials(headers, { ...headerKinds, secrets }, newSalt()),
    };
  }

  /** Until when requests are captured. */
  const endOf = (document: SecretDocument | undefined) => captureEnd(document?.capture, until);

  return {
    keepParked: (request, receivedAt, document) =>
      receivedAt < Date.parse(endOf(document)) ? keep(request, document) : undefined,

    takeLeftOut() {
      const count = leftOut;
      leftOut = 0;
      return count;
    },

    async keepRejected(request, sourceIp, receivedAt) {
      try {
        // What is known may be a minute old, and somebody waits for what was decided since.
        const document = await cache.reread();
        if (!(receivedAt < Date.parse(endOf(document)))) return undefined;
        if (request.body.length <= largestBodyBytes && takeRoom(networkOf(sourceIp), receivedAt))
          return keep(request, document);
        leftOut += 1;
        return undefined;
      } catch {
        // Nobody knows what is wanted now, or which credentials there are.
        return undefined;
      }
    },
  };
}

interface Budget {
  /** How many are left at a time, in milliseconds since the epoch. */
  left(now: number): number;
  take(): void;
}

/** A budget that begins full and fills up again. */
function createBudget({ size, perHour }: { readonly size: number; readonly perHour: number }): Budget {
  let left = size;
  let filledAt = 0;
  return {
    left(now) {
      // A clock that is set back takes nothing away.
      left = Math.min(size, left + (Math.max(0, now - filledAt) * perHour) / hourMs);
      filledAt = now;
      return left;
    },
    take() {
      left -= 1;
    },
  };
}

/** The address itself, or the network of an address of IPv6. */
function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  // A sender has a whole network of 64 bits; "::" stands for groups of zeros.
  const [groups = ''] = address.split('::');
  return [...groups.split(':'), 0, 0, 0].slice(0, 4).join(':');
}
