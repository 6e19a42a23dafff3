import { BlockList, isIPv6 } from 'node:net';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type {
  RejectionReason,
  Verdict,
  Verifier,
  WebhookRequest,
} from '../../contract/signature/webhook-request.ts';
import type { Capture } from '../capture/captured-requests.ts';
import type { Clock } from '../runtime/clock.ts';
import type { IngestLog } from '../runtime/log-catalogue.ts';
import type { Count, MetricName } from '../runtime/metrics.ts';
import { type Envelope, type UnverifiedRequest, unverifiedRequest } from '../webhook/envelope.ts';
import { acceptedSecrets, type SecretDocument } from '../webhook/secret-document.ts';
import type { SecretCache } from '../webhook/webhook-secret-store.ts';
import * as answer from './answers.ts';
import type { EventQueue, MismatchReporter } from './ingest-queue.ts';

/**
 * Whether requests from an address are taken.
 *
 * @param ranges as CIDR, of IPv4 or IPv6
 * @returns undefined where there are no ranges: then any address may send
 */
export function createSourceCheck(ranges: readonly string[]): ((address: string) => boolean) | undefined {
  if (ranges.length === 0) return undefined;
  const allowed = new BlockList();
  for (const range of ranges) {
    const [network = '', length] = range.split('/');
    allowed.addSubnet(network, Number(length), familyOf(network));
  }
  return (address) => allowed.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

/** What is known of a request's signature. */
export type SignatureCheck =
  | { readonly outcome: 'verified'; readonly signedId: string | undefined }
  /** It fits no known secret, but the service may have one that is not known yet. */
  | {
      readonly outcome: 'parked';
      readonly unverified: UnverifiedRequest;
      /** What it does not fit. */
      readonly document: SecretDocument;
      /** Whether a rotation's mark stands. */
      readonly isRotating: boolean;
    }
  | { readonly outcome: 'refused'; readonly reason: RejectionReason }
  | { readonly outcome: 'not-registered' };

/** What checking signatures against stored secrets needs. */
export interface SecretChecks {
  readonly cache: Pick<SecretCache, 'known' | 'reread'>;
  /** When a request that fits no secret is parked: while a rotation's mark stands, or whatever is known. */
  readonly park: 'rotating' | 'always';
  /** The headers the scheme reads, in lower case. */
  readonly headersRead: readonly string[];
}

/**
 * Verifies a request with the cached secrets, and once more with the stored ones where those do not fit.
 *
 * @param secrets undefined where the scheme has no secret
 * @param receivedAt milliseconds since the epoch
 * @throws what the secret store throws, where the outcome depends on its answer
 */
export async function checkSignature(
  request: WebhookRequest,
  receivedAt: number,
  verify: Verifier,
  secrets: SecretChecks | undefined,
): Promise<SignatureCheck> {
  // Without any secret: for a request that no secret could verify none is read here.
  const unproven = verify(request, [], receivedAt);
  if (secrets === undefined || !isMismatch(unproven)) return checkOf(unproven);

  const verifyWith = (document: SecretDocument) =>
    verify(request, acceptedSecrets(document, receivedAt), receivedAt);
  const parksBy = (document: SecretDocument) => secrets.park === 'always' || document.rotating !== undefined;

  const known = await secrets.cache.known();
  if (known === undefined) return { outcome: 'not-registered' };
  const verdict = verifyWith(known);
  if (!isMismatch(verdict)) return checkOf(verdict);

  let newest: SecretDocument | undefined;
  try {
    newest = await secrets.cache.reread();
  } catch (error) {
    // What is parked needs no answer of the store now: the worker will ask it.
    if (!parksBy(known)) throw error;
    newest = known;
  }
  if (newest === undefined) return { outcome: 'not-registered' };
  const newestVerdict = newest === known ? verdict : verifyWith(newest);
  if (!isMismatch(newestVerdict) || !parksBy(newest)) return checkOf(newestVerdict);
  const unverified = unverifiedRequest(request, secrets.headersRead);
  return { outcome: 'parked', unverified, document: newest, isRotating: newest.rotating !== undefined };
}

function isMismatch(verdict: Verdict): boolean {
  return verdict.kind === 'rejected' && verdict.reason === 'signature-mismatch';
}

function checkOf(verdict: Verdict): SignatureCheck {
  return verdict.kind === 'verified'
    ? { outcome: 'verified', signedId: verdict.signedId }
    : { outcome: 'refused', reason: verdict.reason };
}

/** What receiving a request needs. */
export interface ReceiveDependencies {
  readonly verify: Verifier;
  /** Whether an address may send at all; undefined where any may. */
  readonly allowsSource?: ((address: string) => boolean) | undefined;
  /** Undefined where the contract's scheme has no secret. */
  readonly secrets:
    | (SecretChecks & { readonly reporter: MismatchReporter; readonly capture: Capture })
    | undefined;
  readonly queue: EventQueue;
  readonly clock: Clock;
  readonly log: IngestLog;
  readonly count: Count;
  /** The URL the service was given. */
  readonly webhookUrl: string;
  /** The status the service takes for an acknowledgement. */
  readonly acknowledgeStatus: number;
  /** Hash of the contract. */
  readonly contract: string;
}

/** The largest body taken, in bytes after base64 decoding. */
export const maximumBodyBytes = 256 * 1024;

const rejectionMetrics: Readonly<Record<RejectionReason, MetricName>> = {
  'signature-missing': 'rejectedSignatureMissing',
  'signature-mismatch': 'rejectedSignatureMismatch',
  'timestamp-invalid': 'rejectedTimestamp',
  'timestamp-outside-window': 'rejectedTimestamp',
};

/** Verifies, parks or captures one webhook request and queues it; acknowledges only what the queue has confirmed. Never throws. */
export async function receive(
  event: APIGatewayProxyEventV2,
  dependencies: ReceiveDependencies,
): Promise<APIGatewayProxyStructuredResultV2> {
  const { allowsSource, verify, secrets, clock, log, count } = dependencies;
  if (allowsSource?.(event.requestContext.http.sourceIp) === false) {
    count('rejectedSource');
    log('REQUEST_REJECTED', { reason: 'source-address' });
    return answer.forbidden();
  }
  if (event.requestContext.http.method !== 'POST') return answer.methodNotAllowed();

  const body = decodeBody(event);
  if (body === 'too-large') {
    count('rejectedTooLarge');
    log('REQUEST_REJECTED', { reason: 'too-large' });
    return answer.tooLarge(maximumBodyBytes);
  }

  // One time for everything: the worker verifies what is parked as of the time in the envelope.
  const receivedAt = clock();
  const query = event.rawQueryString === '' ? '' : `?${event.rawQueryString}`;
  const request = { headers: event.headers ?? {}, body, url: dependencies.webhookUrl + query };
  let check: SignatureCheck;
  try {
    check = await checkSignature(request, receivedAt, verify, secrets);
  } catch (error) {
    count('unavailable');
    log('SECRET_UNAVAILABLE', { error: nameOf(error) });
    return answer.unavailable();
  }

  const { requestId } = event.requestContext;
  const { contract } = dependencies;
  const envelope = { requestId, receivedAt: new Date(receivedAt).toISOString(), body, contract };
  if (secrets !== undefined && (check.outcome === 'not-registered' || check.outcome === 'refused')) {
    const captured = await secrets.capture.refused(request, event.requestContext.http.sourceIp, receivedAt);
    if (captured !== undefined) {
      const reason = check.outcome === 'refused' ? check.reason : check.outcome;
      const [given] = await Promise.all([
        enqueue({ ...envelope, captured }, dependencies),
        secrets.reporter.captured(reason === 'signature-mismatch'),
      ]);
      if (given.statusCode === dependencies.acknowledgeStatus) log('REQUEST_CAPTURED', { reason });
      return given;
    }
  }
  switch (check.outcome) {
    case 'not-registered':
      count('unavailable');
      log('SECRET_NOT_REGISTERED');
      return answer.unavailable();
    case 'refused':
      count('rejected');
      count(rejectionMetrics[check.reason]);
      log('REQUEST_REJECTED', { reason: check.reason });
      if (check.reason === 'signature-mismatch') await secrets?.reporter.mismatched(false);
      return answer.unauthorized();
    case 'parked': {
      const { document, isRotating } = check;
      // By the contract some headers are enough; while requests are captured, nobody is sure of the contract.
      const whole = secrets?.capture.parked(request, receivedAt, document);
      const unverified = { ...check.unverified, ...(whole === undefined ? {} : { whole }) };
      const [given] = await Promise.all([
        enqueue({ ...envelope, unverified }, dependencies),
        secrets?.reporter.mismatched(isRotating),
      ]);
      return given;
    }
    case 'verified': {
      const { signedId } = check;
      secrets?.reporter.verified();
      return enqueue({ ...envelope, ...(signedId === undefined ? {} : { signedId }) }, dependencies);
    }
  }
}

async function enqueue(
  envelope: Envelope,
  { queue, log, count, acknowledgeStatus }: ReceiveDependencies,
): Promise<APIGatewayProxyStructuredResultV2> {
  try {
    await queue.send(envelope);
  } catch (error) {
    count('unavailable');
    log('QUEUE_UNAVAILABLE', { error: nameOf(error) });
    return answer.unavailable();
  }
  if (envelope.unverified !== undefined) count('parked');
  if (envelope.captured !== undefined) count('captured');
  return answer.acknowledged(acknowledgeStatus, envelope.requestId);
}

/** The raw bytes; text flagged as base64 that is none has no bytes anyone could have signed. */
function decodeBody({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): Uint8Array | 'too-large' {
  if (body.length > Math.ceil(maximumBodyBytes / 3) * 4) return 'too-large';
  const bytes = Buffer.from(body, isBase64Encoded && isBase64(body) ? 'base64' : 'utf8');
  return bytes.length > maximumBodyBytes ? 'too-large' : bytes;
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
