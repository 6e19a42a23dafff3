import { maskNumbers } from '../../contract/phone/mask.ts';
import type { LogFields } from './log-catalogue.ts';

/** Returns the current time in milliseconds since the epoch. */
export type Clock = () => number;

/** The time by which work has to end. */
export interface Deadline {
  /** Returns how many milliseconds are left for work; zero or less once the deadline has passed. */
  remainingMs(): number;
  /** Returns whether the deadline has passed. */
  isOver(): boolean;
}

/**
 * Returns the deadline of a Lambda invocation.
 *
 * @param reservedMs milliseconds kept back for ending the invocation
 */
export function invocationDeadline(
  invocation: { getRemainingTimeInMillis(): number },
  reservedMs: number,
): Deadline {
  return deadlineFrom(() => invocation.getRemainingTimeInMillis() - reservedMs);
}

/** Returns the deadline at a time. @param time milliseconds since the epoch */
export function deadlineAt(time: number, clock: Clock): Deadline {
  return deadlineFrom(() => time - clock());
}

function deadlineFrom(remainingMs: () => number): Deadline {
  return { remainingMs, isOver: () => remainingMs() <= 0 };
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Formats a duration in the units a person would name: `120 ms`, `2.1 s`, `3 min 5 s`, `2 d 4 h`; the sign is left out.
 *
 * @param milliseconds between two times
 */
export function formatDuration(milliseconds: number): string {
  const length = Math.abs(milliseconds);
  if (length < second) return `${Math.round(length)} ms`;
  if (length < 10 * second) return `${(Math.floor(length / 100) / 10).toFixed(1)} s`;
  if (length < minute) return `${Math.floor(length / second)} s`;
  if (length < hour) return inUnits(length, minute, 'min', second, 's');
  if (length < day) return inUnits(length, hour, 'h', minute, 'min');
  return inUnits(length, day, 'd', hour, 'h');
}

function inUnits(length: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((length % large) / small);
  return `${Math.floor(length / large)} ${largeName}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}

/** Returns the name of what was thrown, for logs and metrics: never its message, which may hold data. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Returns the object without its undefined properties, as `exactOptionalPropertyTypes` and DynamoDB require it. */
export function omitUndefined<T extends object>(properties: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(properties).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
}

/** Formats a count with its noun: `1 message`, `2 messages`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Fields that no sender of a message chooses, of the sign-in and of a request to AWS, and the ids of an audit, which are masked already. */
const ownIds: ReadonlySet<string> = new Set(['user', 'person', 'requestId', 'entries']);

/**
 * Masks what may be a phone number in the texts of a line. An SMS service, or the app that uses it, may make ids of a message, a send or an
 * event from a number.
 */
export function withoutNumbers(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' && !ownIds.has(name) ? maskNumbers(value) : value,
    ]),
  );
}
