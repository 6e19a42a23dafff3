import {
  createDriftWatch,
  type DetectedMismatch,
  type DriftWatch,
  type Expected,
} from '../drift/drift-watch.ts';
import { normalizePhone } from '../phone/phone-number.ts';
import type { Contract } from '../schema/contract-schema.ts';
import {
  type ReplyEvent,
  type ReplyText,
  rankOf,
  type SmsEvent,
  type StatusEvent,
  unmappedRank,
} from '../schema/sms-event.ts';
import {
  type BodyProblem,
  compileExpression,
  type Expression,
  FieldError,
  type Fields,
  fieldReader,
  parseBody,
} from './body.ts';
import { contentId, eventIdFrom } from './identity.ts';
import { parseTime } from './time.ts';

/** Why one event of a body could not be read. */
export type EventProblem =
  | 'no-events'
  | 'too-many-events'
  | 'events-dropped'
  | 'unknown-kind'
  | 'missing-field'
  | 'bad-field'
  | 'field-too-long'
  | 'bad-time'
  | 'expression-failed';

/** An event, or what stands in its place: the reason, the field it is about, and the event as it came. */
type MappedEvent = {
  /** In what it differs from the contract and its samples; left out where it does not, or nobody asked. */
  readonly novelties?: readonly DetectedMismatch[];
  /** Of a reply whose sender and text can be read, also where the rest of it cannot. */
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
 * @param signedId the id the signature covers, where the scheme has one
 * @param receivedAt when the webhook received it, ISO 8601 in UTC with milliseconds: the time of events that tell none
 * @returns at least one entry, in the body's order; never throws
 */
export type EventMapper = (
  body: Uint8Array,
  signedId: string | undefined,
  receivedAt: string,
) => readonly MappedEvent[];

/** A body of 256 KiB with more would have fewer than 27 bytes for each: no report fits, and each is kept in a write of its own. */
export const mostEventsPerBody = 10_000;

/**
 * Compiles a contract's mapping.
 *
 * @param expected what events look like by the contract's samples: with it novelties are told
 */
export function createMapper(
  { webhook, events: rules, statuses, errors }: Omit<Contract, '$schema' | 'about'>,
  expected?: Expected,
): EventMapper {
  const watch = expected && createDriftWatch(rules, expected);
  const list = compileExpression(rules.list);
  const kindOf = compileExpression(rules.kind);
  const id = rules.id.from === 'body' ? rules.id.path : null;
  const read = { status: fieldReader({ ...rules.status, id }), reply: fieldReader({ ...rules.reply, id }) };
  const isTimed = rules.reply.occurredAt !== null;
  const words = new Map(Object.entries(statuses));
  const reasons = new Map(Object.entries(errors));

  /** What kind of event it is, with its fields ready to be read. */
  function open(content: unknown) {
    const found = kindOf(content);
    if (found === 'sms.status') return { kind: found, fields: read.status(content) } as const;
    if (found === 'sms.reply') return { kind: found, fields: read.reply(content) } as const;
    return { kind: 'unknown', found } as const;
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
    { required, optional }: Fields<keyof typeof rules.status>,
    eventId: string,
    receivedAt: string,
  ): StatusEvent {
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
      ...present('errorText', cut(optional('errorText'))),
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

  /** A hash of the content is no id of the service's. */
  function isDistinct(replyId: string, content: unknown, saidAt: string | undefined): boolean {
    return saidAt !== undefined || replyId !== contentId(content);
  }

  /** What can be read of a reply that cannot be read as a whole, with the ids it gets once it can, as far as they can be read. */
  function salvageText(
    opened: ReturnType<typeof open> | undefined,
    content: unknown,
    signedId: string | undefined,
  ): ReplyText | undefined {
    if (opened?.kind !== 'sms.reply') return undefined;
    const { required, optional, text } = opened.fields;
    const from = ifReadable(() => normalizePhone(required('from', 64), rules.defaultCountry));
    const said = ifReadable(() => text('text'));
    if (from === undefined || said === undefined) return undefined;
    const eventId = ifReadable(() => identify(opened, content, signedId)) ?? contentId(content);
    const replyId = ifReadable(() => optional('replyId', 1024)) ?? eventId;
    const occurredAt = isTimed ? ifReadable(() => time(required('occurredAt', 64))) : undefined;
    const ids = { eventId, replyId, isTimed, isDistinct: isDistinct(replyId, content, occurredAt) };
    return { ...ids, from, text: said, ...present('occurredAt', occurredAt) };
  }

  function time(text: string): string {
    const iso = parseTime(rules.timeFormat, text);
    if (iso === undefined) throw new FieldError('bad-time', 'occurredAt');
    return iso;
  }

  function identify(opened: ReturnType<typeof open>, content: unknown, signedId: string | undefined): string {
    const inBody = opened.kind === 'unknown' ? undefined : opened.fields.raw('id');
    const found = rules.id.from === 'signed-id' ? signedId : inBody;
    if (typeof found === 'string' && found !== '') return eventIdFrom(found);
    return typeof found === 'number' ? String(found) : contentId(content);
  }

  function withNovelties(
    mapped: MappedEvent,
    find: (watch: DriftWatch) => readonly DetectedMismatch[],
  ): MappedEvent {
    const novelties = watch === undefined ? [] : find(watch);
    return novelties.length === 0 ? mapped : { ...mapped, novelties };
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
    return withNovelties(mapped, ({ ofEvent }) =>
      ofEvent({
        content,
        kind: opened?.kind === 'unknown' ? opened.found : opened?.kind,
        raw: opened?.kind === 'unknown' ? undefined : opened?.fields.raw,
        event: mapped.kind === 'event' ? mapped.event : undefined,
        hasBadTime: mapped.kind === 'unreadable' && mapped.reason === 'bad-time',
      }),
    );
  }

  return (body, signedId, receivedAt) => {
    const parsed = parseBody(webhook.bodyFormat, body);
    if (parsed.kind === 'unreadable')
      return [withNovelties(parsed, ({ ofText }) => (parsed.reason === 'not-json' ? ofText() : []))];
    const contents = evaluate(list, parsed.value);
    if (!Array.isArray(contents) || contents.length === 0)
      return [
        withNovelties({ kind: 'unreadable', reason: 'no-events' }, ({ ofBody }) => ofBody(parsed.value)),
      ];
    if (contents.length > mostEventsPerBody) return [{ kind: 'unreadable', reason: 'too-many-events' }];
    const mapped = contents.map((content: unknown, index): MappedEvent => {
      const idInBody = contents.length > 1 && signedId !== undefined ? `${signedId}:${index}` : signedId;
      return mapContent(content, idInBody, receivedAt);
    });
    // JMESPath leaves out what an element has nothing for; a list that shrank must not look complete.
    const isShorter = Array.isArray(parsed.value) && contents.length < parsed.value.length;
    return isShorter ? [...mapped, { kind: 'unreadable', reason: 'events-dropped' }] : mapped;
  };
}

/** Some expressions are refused only by the values they meet (a function given null, for example). */
function evaluate(expression: Expression, value: unknown): unknown {
  try {
    return expression(value);
  } catch {
    return undefined;
  }
}

/** An error's text is for people: what is beyond 1,024 UTF-16 units is left out, never half a character. */
function cut(text: string | undefined): string | undefined {
  return text === undefined || text.length <= 1024
    ? text
    : text.slice(0, 1024).replace(/[\ud800-\udbff]$/, '');
}

function keepOriginal(event: SmsEvent, content: unknown): SmsEvent {
  const texts = Object.values(event).filter((value) => typeof value === 'string');
  return texts.every((text) => text.isWellFormed()) ? event : { ...event, original: JSON.stringify(content) };
}

/** Undefined where a field, or the expression that finds it, cannot be read. */
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
