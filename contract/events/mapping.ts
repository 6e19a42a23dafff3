import { createDriftWatch, type DetectedMismatch, type Expected } from '../drift/drift-watch.ts';
import { createUnreadValues, type UnreadValue, type UnreadValues } from '../drift/unread-values.ts';
import { phoneKey } from '../phone/phone-key.ts';
import { readPhone } from '../phone/phone-number.ts';
import type { Contract } from '../schema/contract-schema.ts';
import {
  type CostAndRoute,
  failedPartRank,
  outcomeOf,
  type ReplyEvent,
  type ReplyPart,
  type ReplyText,
  rankOf,
  type SmsEvent,
  type StatusEvent,
  unmappedRank,
} from '../schema/sms-event.ts';
import { readTime } from '../text/time.ts';
import {
  type BodyRules,
  compileExpression,
  contentId,
  eventIdFrom,
  FieldError,
  type Fields,
  fieldReader,
  lenientExpression,
  parseBody,
  readBeside,
  rulesOf,
} from './body.ts';
import { readCarrier, readCurrency, readNetwork, readPrice, readSegments } from './cost-and-route.ts';
import { idByReceipt, isIdByReceipt } from './equal-replies.ts';
import type { BodyProblem, EventProblem } from './problems.ts';
import { type BesideValues, type RequestValues, withBeside } from './request-values.ts';

/** An event, or why it cannot be read: the reason, the field, and the event as received. */
type MappedEvent = {
  /** The differences from the contract and its samples; left out if there are none, or the mapper does not look for them. */
  readonly mismatches?: readonly DetectedMismatch[];
  /** The text of a reply. It is present if sender and text can be read, even if the rest cannot. */
  readonly replyText?: ReplyText;
  /** The values that were kept as received; left out if there are none. */
  readonly unread?: readonly UnreadValue[];
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
 * @param request what decides how the body is read, and what is read beside it
 * @returns at least one entry, in the body's order; never throws
 */
export type EventMapper = (
  body: Uint8Array,
  signedId: string | undefined,
  receivedAt: string,
  request?: RequestValues,
) => readonly MappedEvent[];

/** More events in a body of 256 KiB would have fewer than 27 bytes each. No report fits in that, and each costs a write. */
export const maxEventsPerBody = 10_000;

/** Texts for people are cut after so many UTF-16 units. */
const maxErrorTextLength = 1024;
const maxCarrierLength = 128;

/** The parts of a contract that say how a body becomes events. */
export type MappingRules = Pick<Contract, 'events' | 'statuses' | 'errors'> & {
  readonly webhook: BodyRules & Partial<Pick<Contract['webhook'], 'method' | 'also'>>;
};

/**
 * Compiles a contract's mapping. A request is read by the form that has its HTTP method, or by the main form.
 *
 * @param expected what events look like by the contract's samples; with it, the mapper reports mismatches
 */
export function createMapper(rules: MappingRules, expected?: Expected): EventMapper {
  const { webhook } = rules;
  const { also } = webhook;
  const map = createFormMapper({ ...rules, webhook: rulesOf(webhook, webhook.method) }, expected);
  if (also === undefined) return map;
  const mapOther = createFormMapper({ ...rules, webhook: rulesOf(webhook, also.method) }, expected);
  return (body, signedId, receivedAt, request) =>
    (request?.method === also.method ? mapOther : map)(body, signedId, receivedAt, request);
}

/** Compiles the mapping of the requests of one form. */
function createFormMapper(
  { webhook, events: rules, statuses, errors }: MappingRules,
  expected?: Expected,
): EventMapper {
  const watch = expected && createDriftWatch(rules, expected);
  const list = lenientExpression(rules.list);
  const kindOf = compileExpression(rules.kind);
  const id = rules.id.from === 'body' ? rules.id.path : null;
  const read = { status: fieldReader({ ...rules.status, id }), reply: fieldReader({ ...rules.reply, id }) };
  const words = new Map(Object.entries(statuses));
  const meanings = new Map(Object.entries(errors));
  const isForm = webhook.bodyFormat === 'form';

  /** Determines the kind of an event, and prepares reading its fields. */
  function open(content: unknown) {
    const kind = kindOf(content);
    if (kind === 'sms.status') return { kind, fields: read.status(content) } as const;
    if (kind === 'sms.reply') return { kind, fields: read.reply(content) } as const;
    return { kind: 'unknown', value: kind } as const;
  }

  function mapEvent(opened: ReturnType<typeof open>, eventId: string, context: EventContext): SmsEvent {
    switch (opened.kind) {
      case 'sms.status':
        return mapStatus(opened.fields, eventId, context);
      case 'sms.reply':
        return mapReply(opened.fields, eventId, context);
      default:
        throw new FieldError('unknown-kind', 'kind');
    }
  }

  function mapStatus(fields: Fields<StatusField>, eventId: string, context: EventContext): StatusEvent {
    const { required, optional } = fields;
    const word = required('status', 128);
    const isLast = isTrue(ifReadable(() => fields.raw('final')));
    const listed = words.get(word);
    const canonical =
      isLast && outcomeOf(listed === undefined ? unmappedRank : rankOf(listed)) === 'open'
        ? 'unknown'
        : listed;
    const status = canonical ?? word;
    const recipient = optional('recipient', 64);
    const rank = canonical === undefined ? unmappedRank : rankOf(canonical);
    const costs = costAndRoute(fields, context.unread);
    const part = partOfMessage(fields, costs.segments);
    return {
      kind: 'sms.status',
      eventId,
      messageId: part.messageId,
      ...present('sendId', optional('sendId', 512)),
      ...addressOf('phone', 'recipient', recipient, optional('channel', 32), context.unread),
      status,
      rank: part.partId !== undefined && outcomeOf(rank) === 'failure' ? failedPartRank : rank,
      ...present('word', status === word ? undefined : word),
      ...timeOf(rules.status.occurredAt, fields, context),
      ...errorOf(optional('errorCode', 128), rank),
      ...present('errorText', cut(optional('errorText'), maxErrorTextLength)),
      ...costs,
      ...present('partId', part.partId),
      ...context.unread.asReceived(),
    };
  }

  /** Returns the message that a report is about: the one that the sender knows, if its parts have ids of their own. */
  function partOfMessage(
    { required, optional }: Fields<StatusField>,
    segments: number | undefined,
  ): { messageId: string; partId?: string } {
    const own = required('messageId', 1024);
    const parent = optional('parentMessageId', 1024);
    if (parent === undefined) return { messageId: own };
    return { messageId: parent, ...((parent !== own || (segments ?? 1) > 1) && { partId: own }) };
  }

  /** Returns the error of a report. A code that the contract lists as `none` is no error, and neither is one of zeros unless the message failed. */
  function errorOf(code: string | undefined, rank: number): Pick<StatusEvent, 'errorCode' | 'errorReason'> {
    if (code === undefined) return {};
    const meaning = meanings.get(code);
    if (meaning === 'none') return {};
    if (meaning !== undefined) return { errorCode: code, errorReason: meaning };
    return /^0+$/.test(code) && outcomeOf(rank) !== 'failure' ? {} : { errorCode: code };
  }

  /** Reads the cost and the route. A field that cannot be read is left out, and a price without a currency, too. Both are kept as unread. */
  function costAndRoute({ raw }: Fields<StatusField>, unread: UnreadValues): CostAndRoute {
    function value<T>(field: keyof CostAndRoute, reader: (value: unknown) => T | undefined): T | undefined {
      const received = ifReadable(() => raw(field));
      const result = reader(received);
      if (result === undefined && !isBlank(received)) unread.note(field, 'unreadable-value', received);
      return result;
    }
    const price = value('price', readPrice);
    const currency = value('currency', readCurrency);
    if (price !== undefined && currency === undefined) unread.note('price', 'no-currency', price);
    const segments = value('segments', readSegments);
    return {
      ...(price !== undefined && currency !== undefined && { price, currency }),
      ...(segments !== undefined && { segments }),
      ...present('network', value('network', readNetwork)),
      ...present('carrier', cut(value('carrier', readCarrier), maxCarrierLength)),
    };
  }

  function mapReply(fields: Fields<ReplyField>, ownEventId: string, context: EventContext): ReplyEvent {
    const { required, optional } = fields;
    const { unread, content } = context;
    const { from = '', ...sender } = addressOf(
      'from',
      'from',
      required('from', 64),
      optional('channel', 32),
      unread,
    );
    const { phone: to } = addressOf('phone', 'to', optional('to', 64), undefined, unread);
    const time = timeOf(rules.reply.occurredAt, fields, context);
    const media = mediaOf(fields, unread);
    const words = fields.text('text');
    const hasNothing = words === undefined && media === undefined;
    if (hasNothing) unread.note('text', 'missing', undefined);
    const part = partOf(fields, optional('replyId', 1024) ?? ownEventId);
    const { eventId, replyId } =
      part === undefined
        ? idsOf(
            ownEventId,
            optional('replyId', 1024),
            context.identity,
            isTimed(time) ? undefined : context.receivedAt,
          )
        : { eventId: ownEventId, replyId: idOfParts(part, from, to, time.occurredAt) };
    return {
      kind: 'sms.reply',
      eventId,
      replyId,
      ...present('messageId', optional('messageId', 1024)),
      ...sender,
      from,
      ...present('to', to),
      text: words ?? '',
      ...(media !== undefined && { media }),
      ...(part !== undefined && { part: { partId: part.partId, number: part.number, total: part.total } }),
      ...time,
      ...(hasNothing && { original: JSON.stringify(content) }),
      ...unread.asReceived(),
    };
  }

  /** Returns whether a reply has a time of its own. */
  function isTimed({ timeIs }: Pick<ReplyEvent, 'timeIs'>): boolean {
    return rules.reply.occurredAt !== null && timeIs !== 'received';
  }

  /**
   * Returns the ids of a reply. If it has neither an id nor a time, they depend on its receipt.
   *
   * @param receivedAt undefined if it has a time
   */
  function idsOf(
    eventId: string,
    replyId: string | undefined,
    content: unknown,
    receivedAt: string | undefined,
  ) {
    if (replyId !== undefined || receivedAt === undefined || eventId !== contentId(content))
      return { eventId, replyId: replyId ?? eventId };
    const id = idByReceipt(eventId, receivedAt);
    return { eventId: id, replyId: id };
  }

  /** Reads which part of a reply an event is; undefined for a whole reply. @throws FieldError if the part is not said */
  function partOf(
    { optional }: Fields<ReplyField>,
    partId: string,
  ): (ReplyPart & { readonly reference: string }) | undefined {
    const reference = optional('partReference', 64);
    const [total = '1', number = ''] = [optional('partTotal', 8), optional('partNumber', 8)];
    if (reference === undefined || total === '1') return undefined;
    const part = { partId, reference, total: Number(total), number: Number(number) };
    if (readSegments(total) === undefined) throw new FieldError('bad-field', 'partTotal');
    if (readSegments(number) === undefined || part.number > part.total)
      throw new FieldError('bad-field', 'partNumber');
    return part;
  }

  /** Reads the addresses of media. */
  function mediaOf({ raw }: Fields<ReplyField>, unread: UnreadValues): readonly string[] | undefined {
    const received = ifReadable(() => raw('media'));
    const addresses = [received].flat().filter((address) => !isBlank(address));
    const texts = addresses.filter((address) => typeof address === 'string');
    if (texts.length < addresses.length || texts.some((address) => address.length > maxMediaLength))
      unread.note('media', 'unreadable-value', received);
    const kept = texts.filter((address) => address.length <= maxMediaLength).slice(0, maxMedia);
    return kept.length === 0 ? undefined : kept.map((address) => address.toWellFormed());
  }

  /** Reads an address: the number, and the channel that the address or the event names. */
  function addressOf<N extends 'phone' | 'from'>(
    name: N,
    field: string,
    text: string | undefined,
    channelOfEvent: string | undefined,
    unread: UnreadValues,
  ): { readonly [K in N]?: string } & { readonly channel?: string } {
    const { phone, channel, problem } = text === undefined ? { phone: '' } : readPhone(text, rules, isForm);
    if (problem !== undefined) unread.note(field, problem, text);
    const named = channel ?? channelOfEvent?.trim().toLowerCase();
    return { ...present(name, phone), ...present('channel', named === 'sms' ? undefined : named) };
  }

  /** Reads when an event happened. An event without a time counts at its receipt. @throws FieldError for a text that is no time */
  function timeOf(
    expression: string | null,
    { optional }: Pick<Fields<'occurredAt'>, 'optional'>,
    { receivedAt, unread }: EventContext,
  ): Pick<SmsEvent, 'occurredAt' | 'timeIs'> {
    if (expression === null) return { occurredAt: receivedAt };
    const text = optional('occurredAt', 64);
    if (text === undefined) {
      unread.note('occurredAt', 'missing', undefined);
      return { occurredAt: receivedAt, timeIs: 'received' };
    }
    const time = readTime(rules.timeFormat, text, rules.timeZone);
    if (time === undefined) throw new FieldError('bad-time', 'occurredAt');
    if (time.zone === 'written') return { occurredAt: time.iso };
    const asUtc = rules.timeZone === null ? time : readTime(rules.timeFormat, text, null);
    unread.noteZone(time, asUtc?.iso ?? time.iso, receivedAt, text);
    return { occurredAt: time.iso, ...(time.zone === 'assumed' && { timeIs: 'assumed' as const }) };
  }

  function textOf(event: ReplyEvent, content: unknown): ReplyText {
    const { eventId, replyId, from, text, part, occurredAt, timeIs } = event;
    return {
      ...{ eventId, replyId, from, text, occurredAt },
      ...(part !== undefined && { part }),
      ...(timeIs !== undefined && { timeIs }),
      isTimed: rules.reply.occurredAt !== null,
      isDistinct: isTimed(event) || !isIdByReceipt(replyId, contentId(content)),
    };
  }

  /** Returns the numbers that the sender of a reply may be, if its text may be several. */
  function sendersOf(opened: ReturnType<typeof open>): Pick<ReplyText, 'mayBeFrom'> {
    if (opened.kind !== 'sms.reply') return {};
    const { mayBe } = readPhone(opened.fields.required('from', 64), rules, isForm);
    return mayBe === undefined ? {} : { mayBeFrom: mayBe };
  }

  /**
   * Reads the text of a reply that cannot be read as a whole, if possible with the ids that the reply gets once it can be read. A part of a reply
   * says nothing alone.
   */
  function salvageText(
    opened: ReturnType<typeof open> | undefined,
    content: unknown,
    signedId: string | undefined,
    receivedAt: string,
  ): ReplyText | undefined {
    if (opened?.kind !== 'sms.reply') return undefined;
    const { required, optional, text } = opened.fields;
    const { from } =
      ifReadable(() => addressOf('from', 'from', required('from', 64), undefined, createUnreadValues())) ??
      {};
    const replyText = ifReadable(() => text('text'));
    const isPart = ifReadable(() => optional('partReference') !== undefined && optional('partTotal') !== '1');
    if (from === undefined || replyText === undefined || isPart !== false) return undefined;
    const ownEventId = ifReadable(() => identify(opened, content, signedId)) ?? contentId(content);
    const ownReplyId = ifReadable(() => optional('replyId', 1024));
    const time =
      rules.reply.occurredAt === null
        ? undefined
        : ifReadable(() => readTime(rules.timeFormat, required('occurredAt', 64), rules.timeZone));
    const ids = idsOf(ownEventId, ownReplyId, content, time === undefined ? receivedAt : undefined);
    return {
      ...{ ...ids, from, text: replyText, isTimed: rules.reply.occurredAt !== null },
      isDistinct: !isIdByReceipt(ids.replyId, contentId(content)),
      ...present('occurredAt', time?.iso),
      ...(time?.zone === 'assumed' && { timeIs: 'assumed' as const }),
      ...sendersOf(opened),
    };
  }

  function identify(opened: ReturnType<typeof open>, content: unknown, signedId: string | undefined): string {
    const inBody = opened.kind === 'unknown' ? undefined : opened.fields.raw('id');
    const eventId = rules.id.from === 'signed-id' ? signedId : inBody;
    if (typeof eventId === 'string' && eventId !== '') return eventIdFrom(eventId);
    return typeof eventId === 'number' ? String(eventId) : contentId(content);
  }

  function mapContent(
    content: unknown,
    signedId: string | undefined,
    receivedAt: string,
    beside: BesideValues,
  ): MappedEvent {
    // An id must not depend on values that are not signed.
    const identity = withBeside(content, beside.signed);
    let opened: ReturnType<typeof open> | undefined;
    let mapped: MappedEvent;
    const unread = createUnreadValues();
    try {
      opened = open(withBeside(content, beside.all));
      const eventId = identify(opened, identity, signedId);
      const event = keepOriginal(
        mapEvent(opened, eventId, { content, identity, receivedAt, unread }),
        content,
      );
      mapped = {
        kind: 'event',
        event,
        content,
        ...(event.kind === 'sms.reply'
          ? { replyText: { ...textOf(event, identity), ...sendersOf(opened) } }
          : {}),
      };
    } catch (error) {
      mapped =
        error instanceof FieldError
          ? { kind: 'unreadable', reason: error.reason, field: error.field, content }
          : { kind: 'unreadable', reason: 'expression-failed', content };
      const replyText = salvageText(opened, identity, signedId, receivedAt);
      if (replyText !== undefined) mapped = { ...mapped, replyText };
    }
    const mismatches = watch?.inEvent({
      content,
      kind: opened?.kind === 'unknown' ? opened.value : opened?.kind,
      raw: opened?.kind === 'unknown' ? undefined : opened?.fields.raw,
      event: mapped.kind === 'event' ? mapped.event : undefined,
      hasBadTime: mapped.kind === 'unreadable' && mapped.reason === 'bad-time',
      unread: unread.values,
    });
    return {
      ...mapped,
      ...(unread.values.length > 0 && { unread: unread.values }),
      ...(mismatches !== undefined && mismatches.length > 0 && { mismatches }),
    };
  }

  /** Splits a body into events. @returns undefined if there are none */
  function contentsOf(body: unknown): readonly unknown[] | undefined {
    const contents = list(body);
    return Array.isArray(contents) && contents.length > 0 ? contents : undefined;
  }

  /** Reads what a person wrote from the readable fields of a form. */
  function salvageForm(
    body: unknown,
    signedId: string | undefined,
    receivedAt: string,
    beside: BesideValues,
  ): Pick<MappedEvent, 'replyText'> {
    const [content, ...others] = contentsOf(body) ?? [];
    const opened = others.length === 0 ? ifReadable(() => open(withBeside(content, beside.all))) : undefined;
    const replyText = salvageText(opened, withBeside(content, beside.signed), signedId, receivedAt);
    return replyText === undefined ? {} : { replyText };
  }

  return (body, signedId, receivedAt, request = {}) => {
    const parsed = parseBody(webhook, body);
    const beside = readBeside(webhook, request);
    if (beside === undefined) return [{ kind: 'unreadable', reason: 'not-utf8' }];
    if (parsed.kind === 'unreadable') {
      const { reason, readable } = parsed;
      const mismatches = reason === 'not-json' ? watch?.inText() : undefined;
      return [
        {
          ...{ kind: 'unreadable', reason },
          ...(readable !== undefined && salvageForm(readable, signedId, receivedAt, beside)),
          ...(mismatches !== undefined && { mismatches }),
        },
      ];
    }
    const contents = contentsOf(parsed.value);
    if (contents === undefined) {
      const mismatches = watch?.inBody(parsed.value);
      return [{ kind: 'unreadable', reason: 'no-events', ...(mismatches !== undefined && { mismatches }) }];
    }
    if (contents.length > maxEventsPerBody) return [{ kind: 'unreadable', reason: 'too-many-events' }];
    const mapped = contents.map((content: unknown, index): MappedEvent => {
      const idInBody = contents.length > 1 && signedId !== undefined ? `${signedId}:${index}` : signedId;
      return mapContent(content, idInBody, receivedAt, beside);
    });
    // JMESPath drops elements for which an expression finds nothing. Report that, so that no event is lost unnoticed.
    const isShorter = Array.isArray(parsed.value) && contents.length < parsed.value.length;
    return isShorter ? [...mapped, { kind: 'unreadable', reason: 'events-dropped' }] : mapped;
  };
}

/** Returns the id of a reply for its parts. Services use a reference again, so only parts of one day are of one reply. */
function idOfParts(
  { reference, total }: { readonly reference: string; readonly total: number },
  from: string,
  to: string | undefined,
  occurredAt: string,
): string {
  return `parts:${contentId([phoneKey(from), to ?? null, reference, total, occurredAt.slice(0, 10)])}`;
}

/** What the fields of one event are read with. */
interface EventContext {
  /** The event as received. */
  readonly content: unknown;
  /** The event with the signed values beside the body: what its id may depend on. */
  readonly identity: unknown;
  /** ISO 8601 in UTC. */
  readonly receivedAt: string;
  /** Gathers what cannot be read. */
  readonly unread: UnreadValues;
}

type StatusField = keyof Contract['events']['status'];
type ReplyField = keyof Contract['events']['reply'];

const maxMedia = 30;
/** The limit of a URL, in UTF-16 units, as browsers have it. */
const maxMediaLength = 2048;

/** Reads a flag as JSON and forms write it. */
function isTrue(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && /^(?:true|1|yes)$/i.test(value));
}

/** Returns whether a service says nothing: no value, a blank one, or zero parts of a message that was not sent yet. */
function isBlank(value: unknown): boolean {
  return value === undefined || value === null || /^0*$/.test(String(value).trim());
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
