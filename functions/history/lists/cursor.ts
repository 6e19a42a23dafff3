import { createHash } from 'node:crypto';

/**
 * The end of a page. A list is ordered by time, newest first, then by partition, and within a partition in the order of the
 * database.
 */
export interface Position {
  /** ISO 8601 in UTC with milliseconds. */
  readonly at: string;
  /** Index of the partition of the last entry. */
  readonly partition: number;
  /** The last entry's key; null if everything from `at` on has been read in all partitions. */
  readonly key: string | null;
}

/** Thrown for a cursor that was changed, or made for another list. */
export class CursorError extends Error {
  override readonly name = 'CursorError';

  constructor() {
    super(
      'this cursor was changed, or made for another list or filter: repeat the query with the unchanged cursor, or begin without one',
    );
  }
}

/**
 * Makes the error of a read that begins behind a position: the key is in the cursor, whose checksum needs no secret, so the database may reject
 * it. Everything else in such a read is valid.
 */
export function errorBehind(position: unknown, error: unknown): unknown {
  const isRejected = error instanceof Error && error.name === 'ValidationException';
  return isRejected && position !== undefined ? new CursorError() : error;
}

/** The content of cursors may change. Cursors of another version are rejected. */
const version = 2;

/**
 * Makes a cursor: the position, with a checksum over it and the list. It needs no key, so it outlives deployments. It grants no access,
 * because the partitions that are read come from the query alone.
 *
 * @param list identifies the list: the cursor is valid for this list only. It must not hold a number, because a caller that has the cursor
 *   can try numbers until the checksum fits.
 */
export function encodeCursor({ at, partition, key }: Position, list: readonly string[]): string {
  const payload = Buffer.from(JSON.stringify([version, at, partition, key])).toString('base64url');
  return `${payload}.${checksum(payload, list)}`;
}

/** @throws CursorError */
export function decodeCursor(cursor: string, list: readonly string[]): Position {
  const [payload = '', sum, ...rest] = cursor.split('.');
  if (rest.length > 0 || sum !== checksum(payload, list)) throw new CursorError();
  const parts = parse(payload);
  if (parts.length !== 4) throw new CursorError();
  const [made, at, partition, key] = parts;
  const isPosition =
    made === version &&
    typeof at === 'string' &&
    isTime(at) &&
    Number.isInteger(partition) &&
    (key === null || (typeof key === 'string' && key !== '' && key.isWellFormed()));
  if (!isPosition) throw new CursorError();
  return { at, partition: Number(partition), key };
}

function isTime(text: string): boolean {
  const milliseconds = Date.parse(text);
  return /^\d{4}-/.test(text) && !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString() === text;
}

function parse(payload: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

function checksum(payload: string, list: readonly string[]): string {
  const text = JSON.stringify([version, payload, ...list]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
