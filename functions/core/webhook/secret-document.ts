/**
 * What the webhook's secret holds in Secrets Manager. Times are ISO 8601 in UTC, so that a person can read them.
 */
export interface SecretDocument {
  readonly version: 1;
  readonly current: { readonly secret: string; readonly since: string };
  /** The secret before this one; requests signed with it are accepted until `validUntil`. */
  readonly previous?: { readonly secret: string; readonly validUntil: string };
  readonly rotating?: RotationMark;
}

/** Stands while the service may sign with a secret that is not stored yet; it is also the lock of a rotation. */
export interface RotationMark {
  readonly since: string;
  /** Who rotates, in words. */
  readonly by: string;
  /** How long the secret that is current now stays accepted afterwards, in milliseconds. */
  readonly overlapMs: number;
}

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
  if (problems.length > 0 || current === undefined) return { ok: false, problems };
  return {
    ok: true,
    document: {
      version: 1,
      current: { secret: current.text, since: current.time },
      ...(previous && { previous: { secret: previous.text, validUntil: previous.time } }),
      ...(rotating && { rotating: { since: rotating.time, by: rotating.text, overlapMs } }),
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
  const current = { secret, since: new Date(now).toISOString() };
  if (document === undefined || overlapMs <= 0) return { version: 1, current };
  const validUntil = new Date(now + overlapMs).toISOString();
  return { version: 1, current, previous: { secret: document.current.secret, validUntil } };
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

/** An object of one text that is not empty and one time; undefined where it is absent or, with a problem added, bad. */
function pair(
  value: unknown,
  path: string,
  textName: string,
  timeName: string,
  problems: string[],
): { text: string; time: string } | undefined {
  if (value === undefined) return undefined;
  const found = record(value, path, problems);
  if (found === undefined) return undefined;
  const { [textName]: text, [timeName]: time } = found;
  const textIsGood = typeof text === 'string' && text !== '';
  const timeIsGood = typeof time === 'string' && isUtcTime(time);
  if (!textIsGood) problems.push(`${path}.${textName}: expected a text that is not empty`);
  if (!timeIsGood) problems.push(`${path}.${timeName}: expected a time like 2026-01-15T12:00:00.000Z`);
  return textIsGood && timeIsGood ? { text, time } : undefined;
}

function isUtcTime(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/.test(text) && !Number.isNaN(Date.parse(text));
}
