import { createHash } from 'node:crypto';
import { splitAddress } from '../phone/address.ts';
import { maskDigits } from '../phone/mask.ts';
import { e164 } from '../phone/phone-key.ts';
import type { EventsContract } from '../schema/contract-schema.ts';
import { type SmsEvent, unmappedRank } from '../schema/sms-event.ts';
import type { ContractMismatch } from './mismatch.ts';
import type { UnreadValue } from './unread-values.ts';

/** A mismatch in an event. Its shape is computed on demand. */
export interface DetectedMismatch extends ContractMismatch {
  /** The event's keys and types, as `shapeOf` writes them. */
  readonly shape: () => string;
}

/** A stored mismatch, with the shape of the event that showed it first on that day. */
export interface NotedMismatch extends ContractMismatch {
  /** The event's keys and types, as `shapeOf` writes them. */
  readonly shape: string;
  /** When it was detected; ISO 8601 in UTC. */
  readonly foundAt: string;
  /** How many events of the day showed it, at least. Left out until they are counted. */
  readonly events?: number;
}

/** The mismatches that were first seen on a day. */
export interface DriftDay {
  /** yyyy-mm-dd in UTC. */
  readonly day: string;
  /** By {@link mismatchId}. */
  readonly mismatches: ReadonlyMap<string, NotedMismatch>;
}

/** How many mismatches of a source are stored a day. Events that differ in more ways follow another contract altogether. */
export const maxMismatchesOfSource = 50;

/** How many mismatches of all sources are stored a day, in one item of the database. One source leaves at least ten for the others. */
export const maxMismatchesPerDay = 60;

/** Identifies a mismatch, whichever event shows it, in 32 hexadecimal digits. */
export function mismatchId({ source, kind, field, found, word }: ContractMismatch): string {
  const parts = [
    ...(source === undefined ? [] : [source]),
    kind,
    field,
    found,
    ...(word === undefined ? [] : [word]),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** The type of a JSON value, in the words of JSON Schema. */
type JsonType = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';

/** Returns the type of a value. A missing value counts as null, as in JMESPath. */
export function jsonTypeOf(value: unknown): JsonType {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' && value !== null ? 'object' : 'null';
}

/** The values that samples of a contract hold in one field of one kind of event. */
export interface ExpectedField {
  /** The types of its values. */
  readonly types: readonly JsonType[];
  /** Whether every sample has a value. */
  readonly always: boolean;
  /** Whether every value can be read as a phone number. */
  readonly phone: boolean;
}

/**
 * The expected fields of events by the samples of a contract, by kind. A kind without samples is left out. Functions are bundled with
 * this instead of the samples.
 */
export type Expected = Readonly<
  Partial<Record<'sms.status' | 'sms.reply', Readonly<Record<string, ExpectedField>>>>
>;

/** Reports whether an expression found a value. Only the text of a reply may be empty. */
export function isPresent(field: string, value: unknown): boolean {
  if (value === null || value === undefined) return false;
  return typeof value !== 'string' || field === 'text' || value.trim() !== '';
}

/** A single word. Several words may be a person's text, if an expression of the contract is wrong. */
const singleWord = /^[A-Za-z0-9._-]{1,40}$/;

/** A text with this many digits in a row may be a phone number or identify a person, whatever is between the digits. */
const minDigits = 4;

/** Reports whether a text reads like a service's own word, and not like personal data. */
export function looksLikeVocabulary(text: string): boolean {
  return singleWord.test(text) && maskDigits(text, minDigits) === text;
}

const maxDepth = 6;
const maxKeys = 200;
/** For all keys together, so that the shapes of a day fit into one item of the database. */
const maxCharacters = 4000;

/**
 * Describes an event's structure as JSON text: its keys with the types of their values, never a value. A list is described by its first
 * entry. A key that may be personal data becomes `*`. Parts that are too deep or too long become `...`.
 */
export function shapeOf(event: unknown): string {
  const left = { keys: maxKeys, characters: maxCharacters };

  function describe(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null) return jsonTypeOf(value);
    if (depth === maxDepth) return '...';
    if (Array.isArray(value)) return value.slice(0, 1).map((inner) => describe(inner, depth + 1));
    const described: [string, unknown][] = [];
    for (const [key, inner] of Object.entries(value)) {
      const name = looksLikeVocabulary(key) ? key : '*';
      left.keys -= 1;
      left.characters -= name.length + '"":"boolean",'.length;
      if (left.keys < 0 || left.characters < 0) {
        described.push(['...', '...']);
        break;
      }
      described.push([name, describe(inner, depth + 1)]);
    }
    return Object.fromEntries(described);
  }

  return JSON.stringify(describe(event, 0));
}

/** One event, and how the contract reads it. */
interface ReadEvent {
  /** The event as received. */
  readonly content: unknown;
  /** The result of the contract's expression; undefined if it fails. */
  readonly kind: unknown;
  /** Evaluates the contract's expression for a field, and may throw; undefined if the kind is unknown. */
  readonly raw: ((field: string) => unknown) | undefined;
  /** The resulting event; undefined if it cannot be read. */
  readonly event: SmsEvent | undefined;
  readonly hasBadTime: boolean;
  /** The values that were kept as received. */
  readonly unread: readonly UnreadValue[];
}

/** Compares events with the samples of a contract. */
export interface DriftWatch {
  inEvent(read: ReadEvent): DetectedMismatch[];
  /** Returns the mismatch of a body in UTF-8 that should be in another charset. */
  inCharset(charset: string): DetectedMismatch[];
  /** Returns the mismatch of a body that is not JSON. */
  inText(): DetectedMismatch[];
  /** Returns the mismatch of a body in which the contract's `events.list` finds nothing. */
  inBody(body: unknown): DetectedMismatch[];
}

const sections = { 'sms.status': 'events.status', 'sms.reply': 'events.reply' } as const;

/** What a value that was kept as received should have been. */
const expectedOf: Readonly<Record<string, string>> = {
  recipient: 'phone number',
  from: 'phone number',
  to: 'phone number',
  occurredAt: 'time with a zone',
  price: 'decimal number with a currency',
  currency: 'currency of ISO 4217',
  segments: 'number of parts',
  network: 'MCC and MNC',
  media: 'addresses',
};

/** Long numbers are read as text to keep all digits, so such a text may be a number or a text. */
const longNumber = /^-?\d{16,}$/;

export function createDriftWatch({ timeFormat }: EventsContract, expected: Expected): DriftWatch {
  const fieldsOf = {
    'sms.status': Object.entries(expected['sms.status'] ?? {}),
    'sms.reply': Object.entries(expected['sms.reply'] ?? {}),
  };

  function inFields(
    kind: keyof typeof sections,
    { raw, event, hasBadTime, unread }: ReadEvent,
  ): ContractMismatch[] {
    const unreadFields = new Set(unread.map(({ field }) => field));
    const mismatches = fieldsOf[kind].flatMap(([field, rule]): ContractMismatch[] => {
      const place = field === 'id' ? 'events.id.path' : `${sections[kind]}.${field}`;
      const value = valueIn(raw, field);
      if (!isPresent(field, value))
        return rule.always
          ? [{ kind: 'field-missing', field: place, expected: rule.types.join(' or '), found: 'nothing' }]
          : [];
      const found = jsonTypeOf(value);
      if (!fits(rule, found, value))
        return [{ kind: 'format', field: place, expected: rule.types.join(' or '), found }];
      // A number that could not be read is an unread value, which also has an example.
      return rule.phone && event !== undefined && !unreadFields.has(field) && !isNumberOrId(phoneOf(event))
        ? [{ kind: 'format', field: place, expected: 'phone number', found }]
        : [];
    });
    const time = `${sections[kind]}.occurredAt`;
    if (!hasBadTime || mismatches.some(({ field }) => field === time)) return mismatches;
    const found = jsonTypeOf(valueIn(raw, 'occurredAt'));
    return [
      ...mismatches,
      { kind: 'format', field: time, expected: [timeFormat].flat().join(' or '), found },
    ];
  }

  function inStatus(event: SmsEvent | undefined): ContractMismatch[] {
    if (event?.kind !== 'sms.status' || event.rank !== unmappedRank) return [];
    return [{ kind: 'status', field: 'statuses', expected: 'a listed word', ...wordOrType(event.status) }];
  }

  /** Adds the values that were kept as received, if no other mismatch is about their field. */
  function withUnread(
    kind: keyof typeof sections,
    { unread }: ReadEvent,
    mismatches: readonly ContractMismatch[],
  ): ContractMismatch[] {
    const known = new Set(mismatches.map(({ field }) => field));
    return [
      ...mismatches,
      ...unread.flatMap(({ field, problem, example }): ContractMismatch[] => {
        const place = `${sections[kind]}.${field}`;
        return known.has(place)
          ? []
          : [
              {
                kind: 'unread',
                field: place,
                expected: expectedOf[field] ?? 'text',
                found: problem,
                ...(example !== undefined && { example }),
              },
            ];
      }),
    ];
  }

  return {
    inEvent(read) {
      const { kind, content } = read;
      const mismatches: ContractMismatch[] =
        kind === 'sms.status' || kind === 'sms.reply'
          ? withUnread(kind, read, [...inStatus(read.event), ...inFields(kind, read)])
          : [
              {
                kind: 'kind',
                field: 'events.kind',
                expected: 'sms.status or sms.reply',
                ...wordOrType(kind),
              },
            ];
      return mismatches.map((mismatch) => ({ ...mismatch, shape: () => shapeOf(content) }));
    },
    inCharset: (charset) => [
      {
        kind: 'format',
        field: 'webhook.charset',
        expected: charset,
        found: 'utf-8',
        shape: () => shapeOf(''),
      },
    ],
    inText: () => [
      {
        kind: 'format',
        field: 'webhook.bodyFormat',
        expected: 'json',
        found: 'other text',
        shape: () => shapeOf(''),
      },
    ],
    inBody: (body) => [
      {
        kind: 'field-missing',
        field: 'events.list',
        expected: 'array',
        found: 'nothing',
        shape: () => shapeOf(body),
      },
    ],
  };
}

/** Returns undefined if the expression fails on the event. */
function valueIn(raw: ReadEvent['raw'], field: string): unknown {
  try {
    return raw?.(field);
  } catch {
    return undefined;
  }
}

function fits({ types }: ExpectedField, found: JsonType, value: unknown): boolean {
  if (types.includes(found)) return true;
  return typeof value === 'string' && longNumber.test(value) && types.includes('number');
}

function phoneOf(event: SmsEvent): string {
  return event.kind === 'sms.status' ? (event.phone ?? '') : event.from;
}

/** Reports whether an address is a number, or the id of a channel that has ids of its own, such as `telegram:12025550143`. */
function isNumberOrId(address: string): boolean {
  return e164.test(address) || splitAddress(address).isId === true;
}

function wordOrType(value: unknown): Pick<ContractMismatch, 'found' | 'word'> {
  const found = jsonTypeOf(value);
  return typeof value === 'string' && looksLikeVocabulary(value) ? { found, word: value } : { found };
}
