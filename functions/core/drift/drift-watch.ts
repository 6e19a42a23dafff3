import type { EventsContract } from '../contract/contract.ts';
import type { SmsEvent } from '../events/event.ts';
import { unmappedRank } from '../statuses.ts';
import { type Expected, type ExpectedField, isPresent } from './expected.ts';
import { type JsonType, jsonTypeOf } from './json-type.ts';
import type { FoundNovelty, Novelty } from './novelty.ts';
import { shapeOf } from './shape.ts';
import { looksLikeVocabulary } from './vocabulary.ts';

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
  ofEvent(read: ReadEvent): FoundNovelty[];
  /** Of a body that is no JSON. */
  ofText(): FoundNovelty[];
  /** Of a body in which the contract's `events.list` finds nothing. */
  ofBody(body: unknown): FoundNovelty[];
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

  function ofFields(kind: keyof typeof sections, { raw, event, hasBadTime }: ReadEvent): Novelty[] {
    const novelties = fieldsOf[kind].flatMap(([field, rule]): Novelty[] => {
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

  function ofStatus(event: SmsEvent | undefined): Novelty[] {
    if (event?.kind !== 'sms.status' || event.rank !== unmappedRank) return [];
    return [{ kind: 'status', field: 'statuses', expected: 'a listed word', ...wordOrType(event.status) }];
  }

  return {
    ofEvent(read) {
      const { kind, content } = read;
      const novelties: Novelty[] =
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

function wordOrType(value: unknown): Pick<Novelty, 'found' | 'word'> {
  const found = jsonTypeOf(value);
  return typeof value === 'string' && looksLikeVocabulary(value) ? { found, word: value } : { found };
}
