import { createHash, createHmac } from 'node:crypto';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { isObject } from '../../contract/text/json.ts';
import { type ErasedPersons, type Item, numberKey } from '../../functions/history/index.ts';
import type { QuarantinedEntry } from '../../functions/receive/shapes.ts';
import { digitsIn, digitsOf, minNationalDigits, nationalSpellings } from './number-finder.ts';
import { textsOf } from './sources.ts';

/**
 * What an erasure remembers of a person, so that a join of an older copy does not bring the data back. There are so few numbers that each can be hashed
 * and compared, so the hashes have a key, which is a secret.
 */
export interface PersonMark {
  /** The keyed hash of the number. Only by it an opt-out is recognised: other spellings may be of another person. */
  readonly number: string;
  /** Keyed hashes of the spellings under which an erasure finds the number in messages, replies and the quarantine. */
  readonly spellings: readonly string[];
  /** Identifies the key. */
  readonly key: string;
}

/** @param phone E.164, or a text that is no number @param key the text of the secret */
export function markOf(phone: string, key: string): PersonMark {
  // An erasure finds a text with fewer digits only as it is.
  const digits = digitsOf(phone).filter(({ length }) => length >= minNationalDigits);
  const spellings = new Set([...nationalSpellings(phone), ...digits]);
  return {
    number: hashOf(numberKey(phone), key),
    spellings: [...spellings].map((spelling) => hashOf(spelling, key)).sort(),
    key: idOf(key),
  };
}

/** Returns whether a mark is of a number; undefined if none of the keys has made it. */
export function isMarkOf(mark: PersonMark, phone: string, keys: readonly string[]): boolean | undefined {
  const key = keys.find((one) => idOf(one) === mark.key);
  return key === undefined ? undefined : mark.number === hashOf(numberKey(phone), key);
}

/** Returns the keys in the text of the secret, the one for new marks first. Several are separated by blanks. */
export function keysIn(secret: string): readonly string[] {
  return secret.split(/\s+/).filter((key) => key !== '');
}

const hashOf = (text: string, key: string): string =>
  createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);

const idOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 8);

/** The persons who were erased, as the receipts of their erasures say. */
export interface KnownErasures extends ErasedPersons {
  /**
   * Returns whether an entry of the quarantine mentions a person who was erased after it was received; undefined if it has more in it than could
   * be searched.
   */
  mentionedIn(entry: QuarantinedEntry): boolean | undefined;
  /** The receipts whose persons are known by none of the keys. */
  readonly unknown: readonly string[];
  /** The receipts of erasures that are not complete. */
  readonly running: readonly string[];
  /** The ids of all receipts. */
  readonly ids: readonly string[];
}

/** An erasure as its receipt has it. */
interface Erasure {
  readonly pk: string;
  readonly state: string;
  readonly finishedAt?: string;
  readonly keepOptOut: boolean;
  /** A receipt that a script changed may have none, or another value. */
  readonly person?: unknown;
}

/** Reports whether a receipt remembers a person. One that a script changed may not. */
export const isMark = (value: unknown): value is PersonMark =>
  isObject(value) && typeof value.number === 'string' && Array.isArray(value.spellings);

/**
 * How many hashes are made for an entry, one for each key and each text of digits. An uncompressed request of 256 KiB whose digits are all
 * separate needs 1.2 million with one key. A hash takes about 4 microseconds, so an entry takes at most some 15 seconds.
 */
export const maxHashesOfEntry = 1_500_000;

/** So many digits are remembered as looked up, because the readings of a text have mostly the same ones. */
const maxRemembered = 100_000;

/**
 * @param receipts the items of receipts
 * @param now ISO 8601 in UTC: until when an erasure that is running erases
 * @param maxHashes the limit for an entry of the quarantine
 */
export function erasedPersons(
  receipts: readonly Item[],
  keys: readonly string[],
  now: string,
  maxHashes = maxHashesOfEntry,
): KnownErasures {
  const history = new Map<string, string>();
  const optOuts = new Map<string, string>();
  const keysById = new Map(keys.map((key) => [idOf(key), key]));
  const unknown = new Set<string>();
  const known = new Set<string>();
  const running: string[] = [];
  for (const receipt of receipts) {
    const { pk, state, finishedAt, keepOptOut, person } = unmarshall(receipt) as Erasure;
    if (state !== 'done') running.push(pk);
    if (!isMark(person) || !keysById.has(person.key)) {
      unknown.add(pk);
      continue;
    }
    known.add(pk);
    const until = finishedAt ?? now;
    for (const hash of [person.number, ...person.spellings])
      history.set(hash, later(history.get(hash), until));
    if (!keepOptOut) optOuts.set(person.number, later(optOuts.get(person.number), until));
  }
  const used = [...keysById.values()];
  const lookUp = (map: ReadonlyMap<string, string>, texts: Iterable<string>): string | undefined => {
    if (map.size === 0) return undefined;
    let until: string | undefined;
    for (const text of texts)
      for (const key of used) {
        const found = map.get(hashOf(text, key));
        if (found !== undefined) until = later(until, found);
      }
    return until;
  };
  const mentionedIn = (entry: QuarantinedEntry): boolean | undefined => {
    if (history.size === 0) return false;
    const { texts, isWhole } = textsOf(entry);
    const lookedUp = new Set<string>();
    let left = maxHashes;
    for (const text of texts)
      for (const digits of digitsIn(text)) {
        if (lookedUp.has(digits)) continue;
        if (lookedUp.size === maxRemembered) lookedUp.clear();
        lookedUp.add(digits);
        left -= used.length;
        if (left < 0) return undefined;
        if (entry.receivedAt <= (lookUp(history, [digits]) ?? '')) return true;
      }
    return isWhole ? false : undefined;
  };
  return {
    until: (number, kind) =>
      kind === 'opt-out'
        ? lookUp(optOuts, [numberKey(number)])
        : lookUp(history, new Set([numberKey(number), number])),
    mentionedIn,
    unknown: [...unknown].filter((pk) => !known.has(pk)),
    running,
    ids: receipts.map(({ pk }) => pk?.S ?? ''),
  };
}

function later(a: string | undefined, b: string): string {
  return a !== undefined && a > b ? a : b;
}
