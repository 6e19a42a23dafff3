import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { EventQueue } from '../adapters/event-queue.ts';
import type { Clock } from '../core/clock.ts';
import type { RejectionReason, Verdict, Verifier, WebhookRequest } from '../core/signature/verify.ts';
import type { Log } from '../runtime/log-catalogue.ts';
import type { Count, MetricName } from '../runtime/metric-catalogue.ts';
import * as answer from './answers.ts';
import type { SecretCache } from './secret-cache.ts';

/** What receiving a request needs. */
export interface ReceiveDependencies {
  readonly verify: Verifier;
  /** Undefined where the contract's scheme has no secret. */
  readonly secrets: SecretCache | undefined;
  readonly queue: EventQueue;
  readonly clock: Clock;
  readonly log: Log;
  readonly count: Count;
  /** The URL the service was given. */
  readonly webhookUrl: string;
  /** The status the service takes for an acknowledgement. */
  readonly acknowledgeStatus: number;
}

/** The largest body taken, in bytes after base64 decoding. */
export const maximumBodyBytes = 256 * 1024;

const rejectionMetrics: Readonly<Record<RejectionReason, MetricName>> = {
  'signature-missing': 'rejectedSignatureMissing',
  'signature-mismatch': 'rejectedSignatureMismatch',
  'timestamp-invalid': 'rejectedTimestamp',
  'timestamp-outside-window': 'rejectedTimestamp',
};

/** Verifies one webhook request and queues it; acknowledges only what the queue has confirmed. Never throws. */
export async function receive(
  event: APIGatewayProxyEventV2,
  dependencies: ReceiveDependencies,
): Promise<APIGatewayProxyStructuredResultV2> {
  const { queue, clock, log, count } = dependencies;
  if (event.requestContext.http.method !== 'POST') return answer.methodNotAllowed();

  const body = decodeBody(event);
  if (body === 'too-large') {
    count('rejectedTooLarge');
    log('REQUEST_REJECTED', { reason: 'too-large' });
    return answer.tooLarge(maximumBodyBytes);
  }

  const query = event.rawQueryString === '' ? '' : `?${event.rawQueryString}`;
  const request = { headers: event.headers, body, url: dependencies.webhookUrl + query };
  let verdict: Verdict | 'not-registered';
  try {
    verdict = await verifyRequest(request, dependencies);
  } catch (error) {
    count('unavailable');
    log('SECRET_UNAVAILABLE', { error: nameOf(error) });
    return answer.unavailable();
  }
  if (verdict === 'not-registered') {
    count('unavailable');
    log('SECRET_NOT_REGISTERED');
    return answer.unavailable();
  }
  if (!verdict.verified) {
    count('rejected');
    count(rejectionMetrics[verdict.reason]);
    log('REQUEST_REJECTED', { reason: verdict.reason });
    return answer.unauthorized();
  }

  const { requestId } = event.requestContext;
  const { signedId } = verdict;
  try {
    const receivedAt = new Date(clock()).toISOString();
    await queue.send({ requestId, receivedAt, ...(signedId === undefined ? {} : { signedId }), body });
  } catch (error) {
    count('unavailable');
    log('QUEUE_UNAVAILABLE', { error: nameOf(error) });
    return answer.unavailable();
  }
  return answer.acknowledged(dependencies.acknowledgeStatus, requestId);
}

/** Verifies with the cached secrets, and once more with the stored ones where those do not fit. */
async function verifyRequest(
  request: WebhookRequest,
  { verify, secrets, clock }: ReceiveDependencies,
): Promise<Verdict | 'not-registered'> {
  // Without any secret: a request that no secret could verify costs no reading of one.
  const unproven = verify(request, [], clock());
  if (secrets === undefined || (!unproven.verified && unproven.reason !== 'signature-mismatch'))
    return unproven;
  const accepted = await secrets.accepted();
  if (accepted === undefined) return 'not-registered';
  const verdict = verify(request, accepted, clock());
  if (verdict.verified || verdict.reason !== 'signature-mismatch') return verdict;
  const newest = await secrets.reread();
  return newest === undefined ? verdict : verify(request, newest, clock());
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
