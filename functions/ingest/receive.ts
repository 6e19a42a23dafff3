import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { EventQueue } from '../adapters/event-queue.ts';
import type { Clock } from '../core/clock.ts';
import type { Envelope } from '../core/envelope.ts';
import type { RejectionReason, Verifier } from '../core/signature/webhook-request.ts';
import type { IngestLog } from '../runtime/log-catalogue.ts';
import type { Count, MetricName } from '../runtime/metric-catalogue.ts';
import * as answer from './answers.ts';
import type { Capture } from './capture.ts';
import { checkSignature, type SecretChecks, type SignatureCheck } from './check-signature.ts';
import type { MismatchReporter } from './mismatch-reporter.ts';

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
