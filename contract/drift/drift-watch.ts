import { createHash } from 'node:crypto';
import { maskDigits } from '../phone/phone-key.ts';
import type { EventsContract } from '../schema/contract-schema.ts';
import { type SmsEvent, unmappedRank } from '../schema/sms-event.ts';

/** In what way events differ from the contract and its samples. */
export const mismatchKinds = ['status', 'kind', 'field-missing', 'format'] as const;

/** One way in which events differ from what the contract and its samples say; no value of an event is in it. */
export interface ContractMismatch {
  readonly kind: (typeof mismatchKinds)[number];
  /** The place in the contract that it is about, for example `events.status.recipient`. */
  readonly field: string;
  /** What the contract or its samples say, for example `string`, `phone number`, `iso8601`. */
  readonly expected: string;
  /** What came, as the type of a JSON value; `nothing` where it is missing. */
  readonly found: string;
  /** The service's word for a status or kind, where it is nothing but a word. */
  readonly word?: string;
}

/** As it was found in an event; the shape is made only when asked for. */
export interface DetectedMismatch extends ContractMismatch {
  /** As `shapeOf` gives it. */
  readonly shape: () => string;
}

/** As it is written down: with the event that showed it first on that day. */
export interface NotedMismatch extends ContractMismatch {
  /** As `shapeOf` gives it. */
  readonly shape: string;
  /** When it was found; ISO 8601 in UTC. */
  readonly foundAt: string;
}

/** What a day brought that was new. */
export interface DriftDay {
  /** yyyy-mm-dd in UTC. */
  readonly day: string;
  /** By {@link mismatchId}. */
  readonly novelties: ReadonlyMap<string, NotedMismatch>;
}

/** The most novelties that are written down in a day: what differs in more ways is another contract altogether. */
export const maxMismatchesPerDay = 50;

/** The same for the same novelty, whatever event shows it: 32 hexadecimal digits. */
export function mismatchId({ kind, field, found, word }: ContractMismatch): string {
  const parts = word === undefined ? [kind, field, found] : [kind, field, found, word];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** What a JSON value is, in the words of JSON Schema. */
export type JsonType = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';

/** A value that is not there is null, as expressions give it. */
export function jsonTypeOf(value: unknown): JsonType {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' && value !== null ? 'object' : 'null';
}

/** What the samples of a contract have in one field of one kind of event. */
export interface ExpectedField {
  /** The types of its values. */
  readonly types: readonly JsonType[];
  /** Whether every sample has a value. */
  readonly always: boolean;
  /** Whether every value could be read as a phone number. */
  readonly phone: boolean;
}

/**
 * What events look like by the samples of a contract, by kind and field; a kind that no sample has is not in it. Functions get this
 * instead of the samples.
 */
export type Expected = Readonly<
  Partial<Record<'sms.status' | 'sms.reply', Readonly<Record<string, ExpectedField>>>>
>;

/** Whether an expression found something. Only the text of a reply may be empty. */
export function isPresent(field: string, value: unknown): boolean {
  if (value === null || value === undefined) return false;
  return typeof value !== 'string' || field === 'text' || value.trim() !== '';
}

/** One word: several may be what somebody wrote, where an expression of the contract is wrong. */
const word = /^[A-Za-z0-9._-]{1,40}$/;

/** Digits in a row from which on a text may be a phone number or say who somebody is, whatever stands between them. */
const fewestDigits = 4;

/** Whether a text reads like a word that a service has for something, and not like something about a person. */
export function looksLikeVocabulary(text: string): boolean {
  return word.test(text) && maskDigits(text, fewestDigits) === text;
}

const maxDepth = 6;
const maxKeys = 200;
/** Of all keys together, so that a day's shapes fit one item of the database. */
const maxCharacters = 4000;

/**
 * What an event is made of, as JSON text: its keys with the types of their values, never a value. Of a list the first entry
 * stands for all. A key that may be somebody's data is `*`; what is left out, because it is too deep or too much, is `...`.
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

/** One event as it was read. */
interface ReadEvent {
  /** As it came. */
  readonly content: unknown;
  /** What the contract's expression gives; undefined where that fails. */
  readonly kind: unknown;
  /** What the contract's expression for a field finds, may throw; undefined where the kind is unknown. */
  readonly raw: ((field: string) => unknown) | undefined;
  /** What it became; undefined where it could not be read. */
  readonly event: SmsEvent | undefined;
  readonly hasBadTime: boolean;
}

/** Compares what comes with what a contract's samples have. */
export interface DriftWatch {
  ofEvent(read: ReadEvent): DetectedMismatch[];
  /** Of a body that is no JSON. */
  ofText(): DetectedMismatch[];
  /** Of a body in which the contract's `events.list` finds nothing. */
  ofBody(body: unknown): DetectedMismatch[];
}

const sections = { 'sms.status': 'events.status', 'sms.reply': 'events.reply' } as const;

/** What a number became that could be read as one; what could not be read stays as it came. */
const e164 = /^\+\d{7,15}$/;

/** Long numbers are read as text, so that no digit is lost: such a text may stand for either. */
const longNumber = /^-?\d{16,}$/;

export function createDriftWatch({ timeFormat }: EventsContract, expected: Expected): DriftWatch {
  const fieldsOf = {
    'sms.status': Object.entries(expected['sms.status'] ?? {}),
    'sms.reply': Object.entries(expected['sms.reply'] ?? {}),
  };

  function ofFields(kind: keyof typeof sections, { raw, event, hasBadTime }: ReadEvent): ContractMismatch[] {
    const novelties = fieldsOf[kind].flatMap(([field, rule]): ContractMismatch[] => {
      const place = field === 'id' ? 'events.id.path' : `${sections[kind]}.${field}`;
      const value = valueIn(raw, field);
      if (!isPresent(field, value))
        return rule.always
          ? [{ kind: 'field-missing', field: place, expected: rule.types.join(' or '), found: 'nothing' }]
          : [];
      const found = jsonTypeOf(value);
      if (!fits(rule, found, value))
        return [{ kind: 'format', field: place, expected: rule.types.join(' or '), found }];
      return rule.phone && event !== undefined && !e164.test(phoneOf(event))
        ? [{ kind: 'format', field: place, expected: 'phone number', found }]
        : [];
    });
    const time = `${sections[kind]}.occurredAt`;
    if (!hasBadTime || novelties.some(({ field }) => field === time)) return novelties;
    const found = jsonTypeOf(valueIn(raw, 'occurredAt'));
    return [...novelties, { kind: 'format', field: time, expected: timeFormat, found }];
  }

  function ofStatus(event: SmsEvent | undefined): ContractMismatch[] {
    if (event?.kind !== 'sms.status' || event.rank !== unmappedRank) return [];
    return [{ kind: 'status', field: 'statuses', expected: 'a listed word', ...wordOrType(event.status) }];
  }

  return {
    ofEvent(read) {
      const { kind, content } = read;
      const novelties: ContractMismatch[] =
        kind === 'sms.status' || kind === 'sms.reply'
          ? [...ofStatus(read.event), ...ofFields(kind, read)]
          : [
              {
                kind: 'kind',
                field: 'events.kind',
                expected: 'sms.status or sms.reply',
                ...wordOrType(kind),
              },
            ];
      return novelties.map((novelty) => ({ ...novelty, shape: () => shapeOf(content) }));
    },
    ofText: () => [
      {
        ...{ kind: 'format', field: 'webhook.bodyFormat', expected: 'json', found: 'other text' },
        shape: () => shapeOf(''),
      },
    ],
    ofBody: (body) => [
      {
        ...{ kind: 'field-missing', field: 'events.list', expected: 'array', found: 'nothing' },
        shape: () => shapeOf(body),
      },
    ],
  };
}

/** An expression that fails on an event finds nothing that could be compared. */
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

function wordOrType(value: unknown): Pick<ContractMismatch, 'found' | 'word'> {
  const found = jsonTypeOf(value);
  return typeof value === 'string' && looksLikeVocabulary(value) ? { found, word: value } : { found };
}
