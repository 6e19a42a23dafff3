import { BlockList, isIPv6 } from 'node:net';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { WebhookMethod } from '../../../contract/schema/signed-template.ts';
import type { AnswerContract, WebhookContract } from '../../../contract/schema/webhook-schema.ts';
import { hideToken, type TokenReader } from '../../../contract/signature/hidden-values.ts';
import { maxParameters } from '../../../contract/signature/request-reader.ts';
import type { Verifier } from '../../../contract/signature/webhook-request.ts';
import { percentEncode } from '../../../contract/text/percent-encode.ts';
import { type Clock, errorName } from '../../base/basics.ts';
import type { IngestLog } from '../../base/log-catalogue.ts';
import type { Count, MetricName } from '../../base/metrics.ts';
import type { QueueSender } from '../../base/sqs-queue.ts';
import { acceptedSecrets, type SecretCache, type SecretDocument } from '../../registration/index.ts';
import { type Envelope, encodeEnvelope } from '../envelope.ts';
import type { Decision, IncomingRequest, RejectionPolicy } from './rejection-policy.ts';

/** The checks of a contract whose scheme has a secret. */
export interface SecretChecks {
  readonly cache: Pick<SecretCache, 'read'>;
  readonly policy: RejectionPolicy;
}

export interface ReceiveDependencies {
  /** Returns whether an address may send at all; undefined if any address may. */
  readonly allowsSource?: ((address: string) => boolean) | undefined;
  readonly verify: Verifier;
  /** Undefined if no token is in the URL or the body. */
  readonly tokenIn?: TokenReader | undefined;
  /** Undefined if the contract's scheme has no secret. */
  readonly secrets: SecretChecks | undefined;
  /** The queue of the worker. */
  readonly queue: QueueSender;
  readonly clock: Clock;
  readonly log: IngestLog;
  readonly count: Count;
  /** The URL that is registered at the service. */
  readonly webhookUrl: string;
  /** The methods by which the service calls the webhook, POST by default. The query of a GET is read as its body. */
  readonly methods?: readonly WebhookMethod[];
  /** The answer that the service reads as an acknowledgement. */
  readonly acknowledge: AnswerContract;
  /** The empty request with which the service tests the URL, and its answer. */
  readonly probe?: WebhookContract['probe'];
  /** The name of the parameter of the query that carries the token, which a probe has too. */
  readonly tokenParameter?: string | undefined;
  /** What the contract reads beside the body. */
  readonly reads?: WebhookContract['reads'];
  /** Hash of the contract. */
  readonly contract: string;
}

/** The limit of a body, in bytes after base64 decoding. */
export const maxBodyBytes = 256 * 1024;

/**
 * Receives one webhook request: checks source and size, verifies the signature, and queues the request. A request is acknowledged only
 * once the queue has confirmed it. Never throws.
 */
export async function receive(
  event: APIGatewayProxyEventV2,
  dependencies: ReceiveDependencies,
): Promise<APIGatewayProxyStructuredResultV2> {
  const { allowsSource, clock, log, count, contract, methods = ['POST'] } = dependencies;
  const { requestId, http } = event.requestContext;
  if (allowsSource?.(http.sourceIp) === false) {
    count('rejectedSource');
    log('REQUEST_REJECTED', { reason: 'source-address' });
    return forbidden;
  }
  if (dependencies.probe?.method === http.method && isEmpty(event, dependencies))
    return answer(dependencies.probe);
  const method = methods.find((accepted) => accepted === http.method);
  if (method === undefined) {
    // A request without values only looks whether the URL is there, and loses nothing.
    if (!isEmpty(event, dependencies)) {
      count('rejected');
      log('REQUEST_REJECTED', { reason: 'method' });
    }
    return methodNotAllowed(methods);
  }
  const body = decodeBody(method === 'GET' ? { body: event.rawQueryString } : event);
  if (body === 'too-large') {
    count('rejected');
    count('rejectedTooLarge');
    log('REQUEST_REJECTED', { reason: 'too-large' });
    return tooLarge;
  }

  // One time serves all checks: the worker verifies a parked request as of the time in its envelope.
  const receivedAt = clock();
  const query = event.rawQueryString === '' ? '' : `?${event.rawQueryString}`;
  const { reads } = dependencies;
  const path = reads?.path === undefined ? undefined : pathBehind(event);
  const url = dependencies.webhookUrl + (path ? `/${encodePath(path)}` : '') + query;
  const { sourceIp } = http;
  const ofPath = path !== undefined && { path };
  const headers = event.headers ?? {};
  const request = { requestId, headers, body, url, method, sourceIp, receivedAt, ...ofPath };
  let decision: Decision;
  try {
    decision = await checkSignature(request, dependencies);
  } catch (error) {
    count('unavailable');
    if (error instanceof VerifierError) log('VERIFIER_FAILED', { error: errorName(error.cause) });
    else log('SECRET_UNAVAILABLE', { error: errorName(error) });
    return unavailable;
  }

  const envelope = {
    requestId,
    receivedAt: new Date(receivedAt).toISOString(),
    body,
    contract,
    // A contract with one method needs no room for it.
    ...(methods.length > 1 && { method }),
    ...ofPath,
  };
  switch (decision.kind) {
    case 'verified': {
      const { signedId } = decision;
      const { body, url } = hideToken(request, dependencies.tokenIn);
      const ofQuery = reads?.query !== undefined && method === 'POST' && { query: queryIn(url) };
      return enqueue({ ...envelope, body, signedId, ...ofQuery }, dependencies);
    }
    case 'kept': {
      const [response] = await Promise.all([
        enqueue({ ...envelope, ...decision.addition }, dependencies, decision.onQueued),
        decision.reported,
      ]);
      return response;
    }
    case 'rejected': {
      const response = reject(decision, dependencies);
      await decision.reported;
      return response;
    }
  }
}

/** Thrown if a verifier throws, which is a bug: the sender is asked to send again, so that the request is not lost. */
class VerifierError extends Error {
  override readonly name = 'VerifierError';
}

/**
 * Verifies a request with the cached secrets. The rejection policy decides about a request that those do not verify.
 *
 * @throws VerifierError, and what the secret store throws, if the decision depends on its answer
 */
export async function checkSignature(
  request: IncomingRequest,
  { verify, secrets }: Pick<ReceiveDependencies, 'verify' | 'secrets'>,
): Promise<Decision> {
  const verdictWith = (accepted: readonly string[]) => {
    try {
      return verify(request, accepted, request.receivedAt);
    } catch (cause) {
      throw new VerifierError('the signature could not be checked', { cause });
    }
  };
  // The first verification uses no secret: only 'signature-mismatch' means that a secret could verify the request. All other requests
  // cause no read of the secrets.
  let verdict = verdictWith([]);
  if (secrets === undefined) return verdict;
  let document: SecretDocument | undefined;
  if (verdict.kind === 'rejected' && verdict.reason === 'signature-mismatch') {
    document = await secrets.cache.read();
    if (document === undefined) return secrets.policy.decide(request, 'not-registered');
    verdict = verdictWith(acceptedSecrets(document, request.receivedAt));
  }
  if (verdict.kind === 'rejected') return secrets.policy.decide(request, verdict.reason, document);
  secrets.policy.noteVerified();
  return verdict;
}

async function enqueue(
  envelope: Envelope,
  { queue, log, count, acknowledge }: ReceiveDependencies,
  onQueued?: () => void,
): Promise<APIGatewayProxyStructuredResultV2> {
  try {
    await queue.send(encodeEnvelope(envelope));
  } catch (error) {
    count('unavailable');
    log('QUEUE_UNAVAILABLE', { error: errorName(error) });
    return unavailable;
  }
  onQueued?.();
  return acknowledge.body === undefined && hasContent(acknowledge.status)
    ? json(acknowledge.status, { id: envelope.requestId })
    : answer(acknowledge);
}

/** Returns the path behind that of the webhook: the rest that the route `{proxy+}` matches, decoded by API Gateway. */
function pathBehind({ pathParameters }: APIGatewayProxyEventV2): string {
  return pathParameters?.proxy ?? '';
}

function encodePath(path: string): string {
  return path.split('/').map(percentEncode).join('/');
}

function queryIn(url: string): string {
  return url.slice(url.indexOf('?') + 1 || url.length);
}

/** Returns whether a request brings no values, as one that only tests the URL. HEAD never does. */
function isEmpty(
  { rawQueryString, body = '', pathParameters, requestContext: { http } }: APIGatewayProxyEventV2,
  { tokenParameter }: ReceiveDependencies,
): boolean {
  if (http.method === 'HEAD') return true;
  const names = rawQueryString.split('&').map((pair) => pair.split('=', 1)[0]);
  return (
    body === '' &&
    pathParameters === undefined &&
    names.every((name) => name === '' || name === tokenParameter)
  );
}

/** Returns whether answers with this status have a body (RFC 9110, sections 15.3.5 and 15.3.6). */
function hasContent(status: number): boolean {
  return status !== 204 && status !== 205;
}

/** Makes an answer with the body that the contract names, or without a body. */
function answer({ status, contentType, body }: AnswerContract): APIGatewayProxyStructuredResultV2 {
  if (body === undefined || !hasContent(status)) return { statusCode: status };
  return {
    statusCode: status,
    headers: { 'content-type': contentType ?? 'text/plain; charset=utf-8' },
    body,
  };
}

type RejectedReason = (Decision & { readonly kind: 'rejected' })['reason'];

const rejectionMetrics: Readonly<Record<Exclude<RejectedReason, 'not-registered'>, MetricName>> = {
  'signature-missing': 'rejectedSignatureMissing',
  'signature-mismatch': 'rejectedSignatureMismatch',
  'signed-content-ambiguous': 'rejectedSignatureMissing',
  'too-many-parameters': 'rejectedTooLarge',
  'timestamp-invalid': 'rejectedTimestamp',
  'timestamp-outside-window': 'rejectedTimestamp',
};

function reject(
  { reason, isCaptureFull }: Decision & { readonly kind: 'rejected' },
  { log, count }: ReceiveDependencies,
): APIGatewayProxyStructuredResultV2 {
  if (reason === 'not-registered') {
    count('unavailable');
    log('SECRET_NOT_REGISTERED');
    return unavailable;
  }
  count('rejected');
  count(rejectionMetrics[reason]);
  log('REQUEST_REJECTED', { reason, ...(isCaptureFull && { isCaptureFull }) });
  return reason === 'too-many-parameters' ? tooManyParameters : unauthorized;
}

/** Returns the raw bytes. Text flagged as base64 that is not base64 has no bytes that the service could have signed. */
function decodeBody({
  body = '',
  isBase64Encoded = false,
}: Partial<Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded'>>): Uint8Array | 'too-large' {
  if (body.length > Math.ceil(maxBodyBytes / 3) * 4) return 'too-large';
  const bytes = Buffer.from(body, isBase64Encoded && isBase64(body) ? 'base64' : 'utf8');
  return bytes.length > maxBodyBytes ? 'too-large' : bytes;
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/**
 * Makes the check of the sender's address.
 *
 * @param ranges as CIDR, of IPv4 or IPv6
 * @returns undefined if there are no ranges: then any address may send
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

function json(
  statusCode: number,
  body: object,
  headers: Record<string, string> = {},
): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** By this text `sms webhook test` and `sms doctor` know that they were refused rightly. */
export const addressNotAllowed = 'Source address not allowed';

const forbidden = json(403, { message: addressNotAllowed });
const methodNotAllowed = (methods: readonly WebhookMethod[]) =>
  json(
    405,
    { message: `Method not allowed: the webhook accepts ${methods.join(' and ')}` },
    { allow: methods.join(', ') },
  );
const tooLarge = json(413, { message: `The body is larger than ${maxBodyBytes} bytes` });
const tooManyParameters = json(413, { message: `The request has more than ${maxParameters} parameters` });

/** The response hides the reason, which would help an attacker. Metrics and logs have it. */
const unauthorized = json(401, { message: 'The signature could not be verified' });

/** How long a sender is asked to wait when the fault is ours, in seconds. */
const retryAfterSeconds = '5';

const unavailable = json(
  503,
  { message: 'The request could not be accepted now; please send it again' },
  { 'retry-after': retryAfterSeconds },
);
