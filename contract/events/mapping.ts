import {
  createDriftWatch,
  type DetectedMismatch,
  type DriftWatch,
  type Expected,
} from '../drift/drift-watch.ts';
import { normalizePhone } from '../phone/phone-number.ts';
import type { Contract } from '../schema/contract-schema.ts';
import {
  type CostAndRoute,
  parseTime,
  type ReplyEvent,
  type ReplyText,
  rankOf,
  type SmsEvent,
  type StatusEvent,
  unmappedRank,
} from '../schema/sms-event.ts';
import {
  compileExpression,
  contentId,
  eventIdFrom,
  FieldError,
  type Fields,
  fieldReader,
  lenientExpression,
  parseBody,
} from './body.ts';
import { readCarrier, readCurrency, readNetwork, readPrice, readSegments } from './cost-and-route.ts';
import type { BodyProblem, EventProblem } from './problems.ts';

/** An event, or why it cannot be read: the reason, the field, and the event as received. */
type MappedEvent = {
  /** The differences from the contract and its samples; left out if there are none, or the mapper does not look for them. */
  readonly mismatches?: readonly DetectedMismatch[];
  /** The text of a reply. It is present if sender and text can be read, even if the rest cannot. */
  readonly replyText?: ReplyText;
} & (
  | { readonly kind: 'event'; readonly event: SmsEvent; readonly content: unknown }
  | {
      readonly kind: 'unreadable';
      readonly reason: EventProblem | BodyProblem;
      readonly field?: string;
      readonly content?: unknown;
    }
);

/**
 * Splits a body into events.
 *
 * @param signedId the id the signature covers, if the scheme has one
 * @param receivedAt when the webhook received it, ISO 8601 in UTC with milliseconds; the time of events that do not carry one
 * @returns at least one entry, in the body's order; never throws
 */
export type EventMapper = (
  body: Uint8Array,
  signedId: string | undefined,
  receivedAt: string,
) => readonly MappedEvent[];

/** More events in a body of 256 KiB would have fewer than 27 bytes each. No report fits in that, and each costs a write. */
export const maxEventsPerBody = 10_000;

/** Texts for people are cut after so many UTF-16 units. */
const maxErrorTextLength = 1024;
const maxCarrierLength = 128;

/** The parts of a contract that say how a body becomes events. */
export type MappingRules = Pick<Contract, 'events' | 'statuses' | 'errors'> & {
  readonly webhook: Pick<Contract['webhook'], 'bodyFormat'>;
};

/**
 * Compiles a contract's mapping.
 *
 * @param expected what events look like by the contract's samples; with it, the mapper reports mismatches
 */
export function createMapper(
  { webhook, events: rules, statuses, errors }: MappingRules,
  expected?: Expected,
): EventMapper {
  const watch = expected && createDriftWatch(rules, expected);
  const list = lenientExpression(rules.list);
  const kindOf = compileExpression(rules.kind);
  const id = rules.id.from === 'body' ? rules.id.path : null;
  const read = { status: fieldReader({ ...rules.status, id }), reply: fieldReader({ ...rules.reply, id }) };
  const isTimed = rules.reply.occurredAt !== null;
  const words = new Map(Object.entries(statuses));
  const reasons = new Map(Object.entries(errors));

  /** Determines the kind of an event, and prepares reading its fields. */
  function open(content: unknown) {
    const kind = kindOf(content);
    if (kind === 'sms.status') return { kind, fields: read.status(content) } as const;
    if (kind === 'sms.reply') return { kind, fields: read.reply(content) } as const;
    return { kind: 'unknown', value: kind } as const;
  }

  function mapEvent(opened: ReturnType<typeof open>, eventId: string, receivedAt: string): SmsEvent {
    switch (opened.kind) {
      case 'sms.status':
        return mapStatus(opened.fields, eventId, receivedAt);
      case 'sms.reply':
        return mapReply(opened.fields, eventId, receivedAt);
      default:
        throw new FieldError('unknown-kind', 'kind');
    }
  }

  function mapStatus(
    fields: Fields<keyof typeof rules.status>,
    eventId: string,
    receivedAt: string,
  ): StatusEvent {
    const { required, optional } = fields;
    const word = required('status', 128);
    const canonical = words.get(word);
    const status = canonical ?? word;
    const recipient = optional('recipient', 64);
    const errorCode = optional('errorCode', 128);
    const errorReason = errorCode === undefined ? undefined : reasons.get(errorCode);
    return {
      kind: 'sms.status',
      eventId,
      messageId: required('messageId', 1024),
      ...present('sendId', optional('sendId', 512)),
      ...present('phone', recipient && normalizePhone(recipient, rules.defaultCountry)),
      status,
      rank: canonical === undefined ? unmappedRank : rankOf(canonical),
      ...present('word', status === word ? undefined : word),
      occurredAt: rules.status.occurredAt === null ? receivedAt : time(required('occurredAt', 64)),
      ...present('errorCode', errorCode),
      ...(errorReason === undefined ? {} : { errorReason }),
      ...present('errorText', cut(optional('errorText'), maxErrorTextLength)),
      ...costAndRoute(fields),
    };
  }

  /** Reads the cost and the route. A field that cannot be read is left out, and a price without a currency, too. */
  function costAndRoute({ raw }: Fields<keyof typeof rules.status>): CostAndRoute {
    const value = (field: keyof CostAndRoute) => ifReadable(() => raw(field));
    const price = readPrice(value('price'));
    const currency = price === undefined ? undefined : readCurrency(value('currency'));
    const segments = readSegments(value('segments'));
    return {
      ...(price !== undefined && currency !== undefined && { price, currency }),
      ...(segments !== undefined && { segments }),
      ...present('network', readNetwork(value('network'))),
      ...present('carrier', cut(readCarrier(value('carrier')), maxCarrierLength)),
    };
  }

  function mapReply(
    { required, optional, text }: Fields<keyof typeof rules.reply>,
    eventId: string,
    receivedAt: string,
  ): ReplyEvent {
    const to = optional('to', 64);
    return {
      kind: 'sms.reply',
      eventId,
      replyId: optional('replyId', 1024) ?? eventId,
      ...present('messageId', optional('messageId', 1024)),
      from: normalizePhone(required('from', 64), rules.defaultCountry),
      ...present('to', to && normalizePhone(to, rules.defaultCountry)),
      text: text('text'),
      occurredAt: rules.reply.occurredAt === null ? receivedAt : time(required('occurredAt', 64)),
    };
  }

  function textOf({ eventId, replyId, from, text, occurredAt }: ReplyEvent, content: unknown): ReplyText {
    return {
      eventId,
      replyId,
      from,
      text,
      occurredAt,
      isTimed,
      isDistinct: isDistinct(replyId, content, isTimed ? occurredAt : undefined),
    };
  }

  /** Reports whether the service sends a time or an id of its own; a hash of the content is neither. */
  function isDistinct(replyId: string, content: unknown, sentAt: string | undefined): boolean {
    return sentAt !== undefined || replyId !== contentId(content);
  }

  /** Reads the text of a reply that cannot be read as a whole, if possible with the ids that the reply gets once it can be read. */
  function salvageText(
    opened: ReturnType<typeof open> | undefined,
    content: unknown,
    signedId: string | undefined,
  ): ReplyText | undefined {
    if (opened?.kind !== 'sms.reply') return undefined;
    const { required, optional, text } = opened.fields;
    const from = ifReadable(() => normalizePhone(required('from', 64), rules.defaultCountry));
    const replyText = ifReadable(() => text('text'));
    if (from === undefined || replyText === undefined) return undefined;
    const eventId = ifReadable(() => identify(opened, content, signedId)) ?? contentId(content);
    const replyId = ifReadable(() => optional('replyId', 1024)) ?? eventId;
    const occurredAt = isTimed ? ifReadable(() => time(required('occurredAt', 64))) : undefined;
    const ids = { eventId, replyId, isTimed, isDistinct: isDistinct(replyId, content, occurredAt) };
    return { ...ids, from, text: replyText, ...present('occurredAt', occurredAt) };
  }

  function time(text: string): string {
    const iso = parseTime(rules.timeFormat, text);
    if (iso === undefined) throw new FieldError('bad-time', 'occurredAt');
    return iso;
  }

  function identify(opened: ReturnType<typeof open>, content: unknown, signedId: string | undefined): string {
    const inBody = opened.kind === 'unknown' ? undefined : opened.fields.raw('id');
    const eventId = rules.id.from === 'signed-id' ? signedId : inBody;
    if (typeof eventId === 'string' && eventId !== '') return eventIdFrom(eventId);
    return typeof eventId === 'number' ? String(eventId) : contentId(content);
  }

  function withMismatches(
    mapped: MappedEvent,
    find: (watch: DriftWatch) => readonly DetectedMismatch[],
  ): MappedEvent {
    const mismatches = watch === undefined ? [] : find(watch);
    return mismatches.length === 0 ? mapped : { ...mapped, mismatches };
  }

  function mapContent(content: unknown, signedId: string | undefined, receivedAt: string): MappedEvent {
    let opened: ReturnType<typeof open> | undefined;
    let mapped: MappedEvent;
    try {
      opened = open(content);
      const event = keepOriginal(mapEvent(opened, identify(opened, content, signedId), receivedAt), content);
      mapped = {
        kind: 'event',
        event,
        content,
        ...(event.kind === 'sms.reply' ? { replyText: textOf(event, content) } : {}),
      };
    } catch (error) {
      mapped =
        error instanceof FieldError
          ? { kind: 'unreadable', reason: error.reason, field: error.field, content }
          : { kind: 'unreadable', reason: 'expression-failed', content };
      const replyText = salvageText(opened, content, signedId);
      if (replyText !== undefined) mapped = { ...mapped, replyText };
    }
    return withMismatches(mapped, ({ inEvent }) =>
      inEvent({
        content,
        kind: opened?.kind === 'unknown' ? opened.value : opened?.kind,
        raw: opened?.kind === 'unknown' ? undefined : opened?.fields.raw,
        event: mapped.kind === 'event' ? mapped.event : undefined,
        hasBadTime: mapped.kind === 'unreadable' && mapped.reason === 'bad-time',
      }),
    );
  }

  return (body, signedId, receivedAt) => {
    const parsed = parseBody(webhook.bodyFormat, body);
    if (parsed.kind === 'unreadable')
      return [withMismatches(parsed, ({ inText }) => (parsed.reason === 'not-json' ? inText() : []))];
    const contents = list(parsed.value);
    if (!Array.isArray(contents) || contents.length === 0)
      return [
        withMismatches({ kind: 'unreadable', reason: 'no-events' }, ({ inBody }) => inBody(parsed.value)),
      ];
    if (contents.length > maxEventsPerBody) return [{ kind: 'unreadable', reason: 'too-many-events' }];
    const mapped = contents.map((content: unknown, index): MappedEvent => {
      const idInBody = contents.length > 1 && signedId !== undefined ? `${signedId}:${index}` : signedId;
      return mapContent(content, idInBody, receivedAt);
    });
    // JMESPath drops elements for which an expression finds nothing. Report that, so that no event is lost unnoticed.
    const isShorter = Array.isArray(parsed.value) && contents.length < parsed.value.length;
    return isShorter ? [...mapped, { kind: 'unreadable', reason: 'events-dropped' }] : mapped;
  };
}

/** Cuts a text after so many UTF-16 units, and never within a character. */
function cut(text: string | undefined, maxLength: number): string | undefined {
  return text === undefined || text.length <= maxLength
    ? text
    : text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
}

/** Adds the event as JSON if a text of it holds lone surrogates, which a database cannot store. */
function keepOriginal(event: SmsEvent, content: unknown): SmsEvent {
  const texts = Object.values(event).filter((value) => typeof value === 'string');
  return texts.every((text) => text.isWellFormed()) ? event : { ...event, original: JSON.stringify(content) };
}

/** Returns undefined if a field cannot be read or its expression fails. */
function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function present<K extends string>(name: K, value: string | undefined): { [N in K]?: string } {
  return value === undefined || value === '' ? {} : ({ [name]: value } as { [N in K]: string });
}
