import { isObject } from '../../../contract/text/json.ts';

/** The minimum time between the starts of two reads of the secret in one instance of ingest. */
export const rereadIntervalMs = 500;

/** How long after a write Secrets Manager may still return the previous version. AWS documents no bound. */
const storeLagMs = 2_500;

/**
 * How long a rotation's mark is stored before the service is asked for a new secret. An instance of ingest rejects a request only by
 * a read that began less than {@link rereadIntervalMs} before, by both of its clocks. A request with the new secret arrives after the
 * service was asked. So that read began at least {@link storeLagMs} after the mark was stored, however long any process stalls.
 */
export const markLeadMs = rereadIntervalMs + storeLagMs;

/**
 * The limit of the time for which a mark is kept, if its own run does not remove it. A run can ask the service until its invocation
 * ends, which is {@link invocationLimitMs} after its start at the latest. The rest of the time is for the service, which may apply a
 * change that it did not confirm, and for clocks that differ. Only then is it certain that the rotation produces no other secret.
 */
export const rotationLimitMs = 180_000;

/** The timeout of the setup function: Lambda ends its process then. */
export const invocationLimitMs = 90_000;

/**
 * A signature that matches no secret is rejected only if the service was asked for its secret this long after the request was received.
 * Both times are taken before the calls they stand for, so stalls do not matter. The margin covers the clock difference of two machines.
 */
export const confirmationMarginMs = 5_000;

/** The value of the webhook's secret in Secrets Manager. Times are ISO 8601 in UTC, so that a person can read them. */
export interface SecretDocument {
  readonly version: 1;
  readonly current: { readonly secret: string; readonly since: string };
  /** The secret before the current one. Requests signed with it are accepted until `validUntil`. */
  readonly previous?: { readonly secret: string; readonly validUntil: string };
  readonly rotating?: RotationMark;
  /** Expired secrets. They still verify requests that were received before they expired and are parked. */
  readonly retired?: readonly RetiredSecret[];
}

interface RetiredSecret {
  readonly secret: string;
  /** Requests that were received before this time were accepted. */
  readonly until: string;
}

/** A mark is stored while the service may sign with a secret that is not stored yet. It is also the lock of a rotation. */
export interface RotationMark {
  readonly since: string;
  /** The actor, in words. */
  readonly by: string;
  /** How long the current secret is accepted after the rotation, in milliseconds. */
  readonly overlapMs: number;
}

/** The retention of a queue, which may hold parked requests. */
const retiredForMs = 14 * 24 * 3_600_000;
/** The pipeline never rotates so often in that time, so more are not needed. */
const maxRetired = 20;

export type ParsedSecretDocument =
  | { readonly kind: 'ok'; readonly document: SecretDocument }
  /** Each problem names a path and the expected value, never the value found. */
  | { readonly kind: 'error'; readonly problems: readonly string[] };

/** Parses a document. The checks are written by hand, because a schema library would enlarge the bundle of ingest. */
export function parseSecretDocument(value: unknown): ParsedSecretDocument {
  const problems: string[] = [];
  const root = record(value, 'document', problems);
  if (root === undefined) return { kind: 'error', problems };
  if (root.version !== 1) problems.push('version: expected 1');
  const current = pair(root.current ?? null, 'current', 'secret', 'since', problems);
  const previous = pair(root.previous, 'previous', 'secret', 'validUntil', problems);
  const rotating = pair(root.rotating, 'rotating', 'by', 'since', problems);
  const overlapMs = rotating && isObject(root.rotating) ? root.rotating.overlapMs : 0;
  if (typeof overlapMs !== 'number' || !Number.isFinite(overlapMs) || overlapMs < 0) {
    problems.push('rotating.overlapMs: expected a number of milliseconds');
    return { kind: 'error', problems };
  }
  const retired = retiredSecrets(root.retired, problems);
  if (problems.length > 0 || current === undefined) return { kind: 'error', problems };
  return {
    kind: 'ok',
    document: {
      version: 1,
      current: { secret: current.text, since: current.time },
      ...(previous && { previous: { secret: previous.text, validUntil: previous.time } }),
      ...(rotating && { rotating: { since: rotating.time, by: rotating.text, overlapMs } }),
      ...(retired.length > 0 && { retired }),
    },
  };
}

/**
 * Returns the secrets that a request may be signed with, the current one first.
 *
 * @param now milliseconds since the epoch
 */
export function acceptedSecrets(document: SecretDocument, now: number): string[] {
  const { current, previous } = document;
  return previous !== undefined && now < Date.parse(previous.validUntil)
    ? [current.secret, previous.secret]
    : [current.secret];
}

/**
 * Returns the secrets that a parked request may be signed with.
 *
 * @param receivedAt milliseconds since the epoch
 */
export function secretsAcceptedAt(document: SecretDocument, receivedAt: number): string[] {
  const since = (document.retired ?? []).filter(({ until }) => receivedAt < Date.parse(until));
  return [...acceptedSecrets(document, receivedAt), ...since.map(({ secret }) => secret)];
}

/**
 * Returns whether a secret was replaced by another one. The service makes secrets and never returns to an old one. So an answer with
 * such a secret is out of date, or comes from an earlier account. A replaced secret stays in the document until the next rotation, and then
 * for {@link retiredForMs} after it was last accepted. Of the retired secrets the newest {@link maxRetired} are kept.
 */
export function wasReplaced({ current, previous, retired = [] }: SecretDocument, secret: string): boolean {
  return (
    secret !== current.secret &&
    (previous?.secret === secret || retired.some((replaced) => replaced.secret === secret))
  );
}

/**
 * Returns the document with the service's secret. The same secret changes nothing. Another one becomes current, the secret that it
 * replaces is accepted for the overlap, and a rotation that was under way ends.
 *
 * @param document the stored document, or undefined if none is stored
 * @param now milliseconds since the epoch
 * @param overlapMs how long the replaced secret stays accepted; 0 drops it at once
 */
export function withNewSecret(
  document: SecretDocument | undefined,
  secret: string,
  now: number,
  overlapMs: number,
): SecretDocument {
  if (document?.current.secret === secret) return document;
  const at = new Date(now).toISOString();
  const current = { secret, since: at };
  if (document === undefined) return { version: 1, current };
  const replaced = document.current.secret;
  const retired = [
    ...(document.retired ?? []),
    ...(document.previous === undefined ? [] : [retire(document.previous, at)]),
    ...(overlapMs > 0 ? [] : [{ secret: replaced, until: at }]),
  ].filter(({ until }) => now - Date.parse(until) < retiredForMs);
  const validUntil = new Date(now + overlapMs).toISOString();
  return {
    version: 1,
    current,
    ...(overlapMs > 0 && { previous: { secret: replaced, validUntil } }),
    ...(retired.length > 0 && { retired: retired.slice(-maxRetired) }),
  };
}

/**
 * Returns the document with its previous secret dropped at once. One that is no longer accepted changes nothing.
 *
 * @param now milliseconds since the epoch
 */
export function withoutPrevious(document: SecretDocument, now: number): SecretDocument {
  const { previous, ...rest } = document;
  if (previous === undefined || now >= Date.parse(previous.validUntil)) return document;
  const at = new Date(now).toISOString();
  return { ...rest, retired: [...(document.retired ?? []), retire(previous, at)].slice(-maxRetired) };
}

function retire({ secret, validUntil }: { secret: string; validUntil: string }, at: string): RetiredSecret {
  return { secret, until: Date.parse(validUntil) < Date.parse(at) ? validUntil : at };
}

/** Returns the document with the mark of a rotation that starts. */
export function withMark(document: SecretDocument, rotating: RotationMark): SecretDocument {
  return { ...document, rotating };
}

/** Returns the document with its rotation abandoned; the secrets stay. */
export function withoutMark({ rotating: _, ...document }: SecretDocument): SecretDocument {
  return document;
}

function record(value: unknown, path: string, problems: string[]): Record<string, unknown> | undefined {
  if (isObject(value)) return value;
  problems.push(`${path}: expected an object`);
  return undefined;
}

/** Parses an object of one text and one time. Returns undefined if it is absent, or if it is invalid; then it adds a problem. */
function pair(
  value: unknown,
  path: string,
  textName: string,
  timeName: string,
  problems: string[],
): { text: string; time: string } | undefined {
  if (value === undefined) return undefined;
  const fields = record(value, path, problems);
  if (fields === undefined) return undefined;
  const { [textName]: text, [timeName]: time } = fields;
  const textIsGood = typeof text === 'string' && text !== '';
  const timeIsGood = typeof time === 'string' && isUtcTime(time);
  if (!textIsGood) problems.push(`${path}.${textName}: expected a text that is not empty`);
  if (!timeIsGood) problems.push(`${path}.${timeName}: expected a time like 2026-01-15T12:00:00.000Z`);
  return textIsGood && timeIsGood ? { text, time } : undefined;
}

function retiredSecrets(value: unknown, problems: string[]): RetiredSecret[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    problems.push('retired: expected a list');
    return [];
  }
  return value.flatMap((entry: unknown, index) => {
    const secret = pair(entry ?? null, `retired.${index}`, 'secret', 'until', problems);
    return secret === undefined ? [] : [{ secret: secret.text, until: secret.time }];
  });
}

function isUtcTime(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** Thrown when the secret could not be read or written. The message holds no part of it. */
export class WebhookSecretError extends Error {
  override readonly name = 'WebhookSecretError';
}
