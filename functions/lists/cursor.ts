import { createHash } from 'node:crypto';

/**
 * Where a page of a list ended. A list is ordered by time, newest first; of one time by partition; and within a partition as
 * the database keeps it.
 */
export interface Position {
  /** ISO 8601 in UTC with milliseconds. */
  readonly at: string;
  /** Number of the partition the last entry lies in. */
  readonly partition: number;
  /** The last entry's key; null where everything from `at` on has been read in all partitions. */
  readonly key: string | null;
}

/** Thrown for a cursor that was changed, or made for another list; the message says what to do. */
export class CursorError extends Error {
  override readonly name = 'CursorError';

  constructor() {
    super(
      'this cursor was not made for this list, or was changed on the way: give it back just as it came, with the same question, or begin without one',
    );
  }
}

/** What a cursor is made of may change; cursors of another version are refused. */
const version = 1;

/**
 * Makes a cursor: the position, and a checksum over it and the list. It is no secret and needs no key, so that it outlives
 * deployments; and it opens nothing, because the partitions that are read come from the question alone.
 *
 * @param list what the list is about: a cursor goes with this list only
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
    (key === null || (typeof key === 'string' && key !== ''));
  if (!isPosition) throw new CursorError();
  return { at, partition: Number(partition), key };
}

function isTime(text: string): boolean {
  const milliseconds = Date.parse(text);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString() === text;
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
