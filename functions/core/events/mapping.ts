import type { Contract } from '../contract/contract.ts';
import { normalizePhone } from '../phone.ts';
import { rankOf, unmappedRank } from '../statuses.ts';
import { type BodyProblem, parseBody } from './body.ts';
import type { ReplyEvent, SmsEvent, StatusEvent } from './event.ts';
import { contentId, eventIdFrom } from './event-id.ts';
import { compileExpression, type Expression } from './expression.ts';
import { FieldError, fieldReader } from './fields.ts';
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
type MappedEvent =
  | { readonly readable: true; readonly event: SmsEvent; readonly content: unknown }
  | {
      readonly readable: false;
      readonly reason: EventProblem | BodyProblem;
      readonly field?: string;
      readonly content?: unknown;
    };

/**
 * Splits a body into events.
 *
 * @param signedId the id the signature covers, where the scheme has one
 * @returns at least one entry, in the body's order; never throws
 */
export type EventMapper = (body: Uint8Array, signedId: string | undefined) => readonly MappedEvent[];

/** A body of 256 KiB with more would have fewer than 27 bytes for each: no report fits, and each is kept in a write of its own. */
export const mostEventsPerBody = 10_000;

/** Compiles a contract's mapping. */
export function createMapper({ webhook, events: rules, statuses }: Contract): EventMapper {
  const list = compileExpression(rules.list);
  const kindOf = compileExpression(rules.kind);
  const idOf = rules.id.from === 'body' ? compileExpression(rules.id.path) : undefined;
  const read = { status: fieldReader(rules.status), reply: fieldReader(rules.reply) };
  const words = new Map(Object.entries(statuses));

  function mapEvent(content: unknown, eventId: string): SmsEvent {
    switch (kindOf(content)) {
      case 'sms.status':
        return mapStatus(content, eventId);
      case 'sms.reply':
        return mapReply(content, eventId);
      default:
        throw new FieldError('unknown-kind', 'kind');
    }
  }

  function mapStatus(content: unknown, eventId: string): StatusEvent {
    const { required, optional } = read.status(content);
    const word = required('status', 128);
    const canonical = words.get(word);
    const status = canonical ?? word;
    const recipient = optional('recipient', 64);
    return {
      kind: 'sms.status',
      eventId,
      messageId: required('messageId', 1024),
      ...present('sendId', optional('sendId', 512)),
      ...present('phone', recipient && normalizePhone(recipient, rules.defaultCountry)),
      status,
      rank: canonical === undefined ? unmappedRank : rankOf(canonical),
      ...present('word', status === word ? undefined : word),
      occurredAt: time(required('occurredAt', 64)),
      ...present('errorCode', optional('errorCode', 128)),
      ...present('errorText', cut(optional('errorText'))),
    };
  }

  function mapReply(content: unknown, eventId: string): ReplyEvent {
    const { required, optional, text } = read.reply(content);
    const to = optional('to', 64);
    return {
      kind: 'sms.reply',
      eventId,
      replyId: optional('replyId', 1024) ?? eventId,
      ...present('messageId', optional('messageId', 1024)),
      from: normalizePhone(required('from', 64), rules.defaultCountry),
      ...present('to', to && normalizePhone(to, rules.defaultCountry)),
      text: text('text'),
      occurredAt: time(required('occurredAt', 64)),
    };
  }

  function time(text: string): string {
    const iso = parseTime(rules.timeFormat, text);
    if (iso === undefined) throw new FieldError('bad-time', 'occurredAt');
    return iso;
  }

  function identify(content: unknown, signedId: string | undefined): string {
    const id = rules.id.from === 'signed-id' ? signedId : idOf?.(content);
    if (typeof id === 'string' && id !== '') return eventIdFrom(id);
    return typeof id === 'number' ? String(id) : contentId(content);
  }

  return (body, signedId) => {
    const parsed = parseBody(webhook.bodyFormat, body);
    if (!parsed.readable) return [parsed];
    const contents = evaluate(list, parsed.value);
    if (!Array.isArray(contents) || contents.length === 0) return [{ readable: false, reason: 'no-events' }];
    if (contents.length > mostEventsPerBody) return [{ readable: false, reason: 'too-many-events' }];
    const mapped = contents.map((content: unknown, index): MappedEvent => {
      const idInBody = contents.length > 1 && signedId !== undefined ? `${signedId}:${index}` : signedId;
      try {
        const event = keepOriginal(mapEvent(content, identify(content, idInBody)), content);
        return { readable: true, event, content };
      } catch (error) {
        if (error instanceof FieldError)
          return { readable: false, reason: error.reason, field: error.field, content };
        return { readable: false, reason: 'expression-failed', content };
      }
    });
    // JMESPath leaves out what an element has nothing for; a list that shrank must not look complete.
    const isShorter = Array.isArray(parsed.value) && contents.length < parsed.value.length;
    return isShorter ? [...mapped, { readable: false, reason: 'events-dropped' }] : mapped;
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

function present<K extends string>(name: K, value: string | undefined): { [N in K]?: string } {
  return value === undefined || value === '' ? {} : ({ [name]: value } as { [N in K]: string });
}
