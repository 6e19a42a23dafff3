/**
 * Capturing: for a while, requests that would be refused are kept, so that the contract can be found from them. A setting switches it
 * on at a deployment, a command at any time; the command's word is in the secret document.
 */

/** What a person decided. */
export interface CaptureDecision {
  /** Until when requests are captured; ISO 8601 in UTC. A time that is over ends it. */
  readonly until: string;
  /** What the setting said then: a deployment that changes it decides anew. */
  readonly setting: string;
}

/** Requests of a capture, as instances of ingest report them; those of the last seconds may be missing. */
export interface CaptureCount {
  readonly captured: number;
  /** Those that were refused all the same: too large, or more than an instance keeps. */
  readonly leftOut: number;
}

/**
 * Until when requests are captured; ISO 8601 in UTC, or empty.
 *
 * @param setting the same by the setting
 */
export function captureEnd(decision: CaptureDecision | undefined, setting: string): string {
  return decision?.setting === setting ? decision.until : setting;
}

/** How capturing stands. Times are ISO 8601 in UTC. */
export interface CaptureReport {
  /** Null where requests are not captured. */
  readonly capture:
    | ({ readonly until: string; readonly decidedBy: 'setting' | 'command' } & CaptureCount)
    | null;
  /** What the setting says; null where it says nothing. */
  readonly setting: string | null;
}

/** The shortest time between the beginnings of two readings of the secret in one instance of ingest. */
export const rereadIntervalMs = 500;

/** How long after a write Secrets Manager may still answer with the version before. AWS documents no bound. */
const storeLagMs = 2_500;

/**
 * How long a rotation's mark stands before the service is asked for a new secret. An instance of ingest refuses a request only by
 * a reading that began less than {@link rereadIntervalMs} before, by both of its clocks. A request with the new secret arrives after the
 * service was asked, so that reading began at least {@link storeLagMs} after the mark was stored, however long any process stalls.
 */
export const markLeadMs = rereadIntervalMs + storeLagMs;

/**
 * How long a mark stands, at most, if its own run does not remove it. A run can ask the service until its invocation ends, which
 * is {@link invocationLimitMs} after it began at the latest. What is left is for the service, which may apply a change that it
 * did not confirm, and for clocks that differ: only then is it sure that no other secret comes of it.
 */
export const rotationLimitMs = 180_000;

/** The longest an invocation of the setup function lasts: Lambda ends its process then, however slow it is. */
export const invocationLimitMs = 90_000;

/**
 * A signature that fits nothing is refused only if the service was asked for its secret this long after the request came. Both
 * times are taken before what they stand for, so stalls do not matter: this is for the difference between the clocks of two machines.
 */
export const confirmationMarginMs = 5_000;

/**
 * What the webhook's secret holds in Secrets Manager. Times are ISO 8601 in UTC, so that a person can read them.
 */
export interface SecretDocument {
  readonly version: 1;
  readonly current: { readonly secret: string; readonly since: string };
  /** The secret before this one; requests signed with it are accepted until `validUntil`. */
  readonly previous?: { readonly secret: string; readonly validUntil: string };
  readonly rotating?: RotationMark;
  /** Secrets that are accepted no more; what was received before and could not be verified yet is judged by them too. */
  readonly retired?: readonly RetiredSecret[];
  /** Here because ingest reads it anyway. */
  readonly capture?: CaptureDecision;
}

interface RetiredSecret {
  readonly secret: string;
  /** Requests received before were accepted. */
  readonly until: string;
}

/** Stands while the service may sign with a secret that is not stored yet; it is also the lock of a rotation. */
export interface RotationMark {
  readonly since: string;
  /** Who rotates, in words. */
  readonly by: string;
  /** How long the secret that is current now stays accepted afterwards, in milliseconds. */
  readonly overlapMs: number;
}

/** As long as a queue keeps what could not be verified. */
const retiredForMs = 14 * 24 * 3_600_000;
/** So many rotations in that time are no mistake of this pipeline. */
const mostRetired = 20;

export type ParsedSecretDocument =
  | { readonly ok: true; readonly document: SecretDocument }
  /** Each problem names a path and what was expected there, never what was found. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads a document from parsed JSON. Written by hand: ingest's bundle carries it, and no schema library. */
export function parseSecretDocument(value: unknown): ParsedSecretDocument {
  const problems: string[] = [];
  const root = record(value, 'document', problems);
  if (root === undefined) return { ok: false, problems };
  if (root.version !== 1) problems.push('version: expected 1');
  const current = pair(root.current ?? null, 'current', 'secret', 'since', problems);
  const previous = pair(root.previous, 'previous', 'secret', 'validUntil', problems);
  const rotating = pair(root.rotating, 'rotating', 'by', 'since', problems);
  const overlapMs = rotating && isRecord(root.rotating) ? root.rotating.overlapMs : 0;
  if (typeof overlapMs !== 'number' || !Number.isFinite(overlapMs) || overlapMs < 0) {
    problems.push('rotating.overlapMs: expected a number of milliseconds');
    return { ok: false, problems };
  }
  const retired = retiredSecrets(root.retired, problems);
  const capture = pair(root.capture, 'capture', 'setting', 'until', problems, 0);
  if (problems.length > 0 || current === undefined) return { ok: false, problems };
  return {
    ok: true,
    document: {
      version: 1,
      current: { secret: current.text, since: current.time },
      ...(previous && { previous: { secret: previous.text, validUntil: previous.time } }),
      ...(rotating && { rotating: { since: rotating.time, by: rotating.text, overlapMs } }),
      ...(retired.length > 0 && { retired }),
      ...(capture && { capture: { until: capture.time, setting: capture.text } }),
    },
  };
}

/**
 * The secrets a request may be signed with, the current one first.
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
 * The secrets that a request may be signed with which was received at a time and is verified only now.
 *
 * @param receivedAt milliseconds since the epoch
 */
export function secretsAcceptedAt(document: SecretDocument, receivedAt: number): string[] {
  const since = (document.retired ?? []).filter(({ until }) => receivedAt < Date.parse(until));
  return [...acceptedSecrets(document, receivedAt), ...since.map(({ secret }) => secret)];
}

/**
 * Whether a secret is known to have been replaced by another one. The service makes secrets and never returns to an old one, so
 * an answer that shows such a secret is out of date, or comes from an earlier account. A replaced secret stays in the document until the next rotation, and then
 * for {@link retiredForMs} after it was last accepted; of the retired ones the newest {@link mostRetired}.
 */
export function wasReplaced({ current, previous, retired = [] }: SecretDocument, secret: string): boolean {
  return (
    secret !== current.secret &&
    (previous?.secret === secret || retired.some((replaced) => replaced.secret === secret))
  );
}

/**
 * The document once the service's secret is known to be `secret`. The same secret changes nothing; another one becomes
 * current, the one it replaces stays accepted for the overlap, and a rotation that was under way is over.
 *
 * @param document what is stored, or undefined where nothing is
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
    ...(retired.length > 0 && { retired: retired.slice(-mostRetired) }),
    ...(document.capture && { capture: document.capture }),
  };
}

function retire({ secret, validUntil }: { secret: string; validUntil: string }, at: string): RetiredSecret {
  return { secret, until: Date.parse(validUntil) < Date.parse(at) ? validUntil : at };
}

/** The document with a rotation begun. */
export function withMark(document: SecretDocument, rotating: RotationMark): SecretDocument {
  return { ...document, rotating };
}

/** The document with its rotation given up; the secrets stay. */
export function withoutMark({ rotating: _, ...document }: SecretDocument): SecretDocument {
  return document;
}

function record(value: unknown, path: string, problems: string[]): Record<string, unknown> | undefined {
  if (isRecord(value)) return value;
  problems.push(`${path}: expected an object`);
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object of one text, not empty unless it may be, and one time; undefined where it is absent or, with a problem added, bad. */
function pair(
  value: unknown,
  path: string,
  textName: string,
  timeName: string,
  problems: string[],
  leastText = 1,
): { text: string; time: string } | undefined {
  if (value === undefined) return undefined;
  const found = record(value, path, problems);
  if (found === undefined) return undefined;
  const { [textName]: text, [timeName]: time } = found;
  const textIsGood = typeof text === 'string' && text.length >= leastText;
  const timeIsGood = typeof time === 'string' && isUtcTime(time);
  if (!textIsGood)
    problems.push(`${path}.${textName}: expected a text${leastText > 0 ? ' that is not empty' : ''}`);
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
    const found = pair(entry ?? null, `retired.${index}`, 'secret', 'until', problems);
    return found === undefined ? [] : [{ secret: found.text, until: found.time }];
  });
}

function isUtcTime(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/.test(text) && !Number.isNaN(Date.parse(text));
}
