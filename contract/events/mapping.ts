import { createDriftWatch, type DetectedMismatch, type Expected } from '../drift/drift-watch.ts';
import { createUnreadValues, type UnreadValue } from '../drift/unread-values.ts';
import type { Contract } from '../schema/contract-schema.ts';
import type { ReplyText, SmsEvent } from '../schema/sms-event.ts';
import { isUtf8Instead } from '../text/charset.ts';
import {
  type BodyRules,
  compileExpression,
  contentId,
  eventIdFrom,
  FieldError,
  fieldReader,
  lenientExpression,
  parseBody,
  readBeside,
  rulesOf,
} from './body.ts';
import { createCommonFields, type EventContext, ifReadable } from './event-fields.ts';
import { createReplyMapper } from './map-reply.ts';
import { createStatusMapper } from './map-status.ts';
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
  /** The numbers that the recipient of a report may be, E.164, if its text may be several. */
  readonly recipientMayBe?: readonly string[];
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
  const isForm = webhook.bodyFormat === 'form';
  const { charset } = webhook;
  const common = createCommonFields(rules, isForm);
  const mapStatus = createStatusMapper({ events: rules, statuses, errors }, common);
  const { mapReply, textOf, salvageText } = createReplyMapper(rules, common);

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

  function identify(opened: ReturnType<typeof open>, content: unknown, signedId: string | undefined): string {
    const inBody = opened.kind === 'unknown' ? undefined : opened.fields.raw('id');
    const eventId = rules.id.from === 'signed-id' ? signedId : inBody;
    if (typeof eventId === 'string' && eventId !== '') return eventIdFrom(eventId);
    return typeof eventId === 'number' ? String(eventId) : contentId(content);
  }

  /** Reads what a person wrote from a reply that cannot be read as a whole. */
  function salvage(
    opened: ReturnType<typeof open> | undefined,
    content: unknown,
    signedId: string | undefined,
    receivedAt: string,
  ): ReplyText | undefined {
    if (opened?.kind !== 'sms.reply') return undefined;
    const eventId = ifReadable(() => identify(opened, content, signedId)) ?? contentId(content);
    return salvageText(opened.fields, eventId, content, receivedAt);
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
      const context = { content, identity, receivedAt, unread };
      const event = keepOriginal(mapEvent(opened, eventId, context), content);
      const recipientMayBe = unread.mayBe('recipient');
      mapped = {
        kind: 'event',
        event,
        content,
        ...(event.kind === 'sms.reply' && { replyText: textOf(event, context) }),
        ...(recipientMayBe !== undefined && { recipientMayBe }),
      };
    } catch (error) {
      mapped =
        error instanceof FieldError
          ? { kind: 'unreadable', reason: error.reason, field: error.field, content }
          : { kind: 'unreadable', reason: 'expression-failed', content };
      const replyText = salvage(opened, identity, signedId, receivedAt);
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

  /** Reads what a person wrote from the readable fields of a form, or beside a query that cannot be read. */
  function salvageBody(
    body: unknown,
    signedId: string | undefined,
    receivedAt: string,
    { all = {}, signed = {} }: Partial<BesideValues>,
  ): Pick<MappedEvent, 'replyText'> {
    const [content, ...others] = contentsOf(body) ?? [];
    if (content === undefined) return {};
    const opened = others.length === 0 ? ifReadable(() => open(withBeside(content, all))) : undefined;
    const replyText = salvage(opened, withBeside(content, signed), signedId, receivedAt);
    return replyText === undefined ? {} : { replyText };
  }

  return (body, signedId, receivedAt, request = {}) => {
    const parsed = parseBody(webhook, body);
    const beside = readBeside(webhook, request);
    if (beside === undefined) {
      const readable = parsed.kind === 'parsed' ? parsed.value : parsed.readable;
      return [{ kind: 'unreadable', reason: 'not-utf8', ...salvageBody(readable, signedId, receivedAt, {}) }];
    }
    if (parsed.kind === 'unreadable') {
      const { reason, readable } = parsed;
      const mismatches = reason === 'not-json' ? watch?.inText() : undefined;
      return [
        {
          kind: 'unreadable',
          reason,
          ...salvageBody(readable, signedId, receivedAt, beside),
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
    const [first] = mapped;
    if (first && typeof charset === 'string' && isUtf8Instead(body, charset, isForm)) {
      const mismatches = [...(first.mismatches ?? []), ...(watch?.inCharset(charset) ?? [])];
      if (mismatches.length > 0) mapped[0] = { ...first, mismatches };
    }
    const isShorter = Array.isArray(parsed.value) && contents.length < parsed.value.length;
    return isShorter ? [...mapped, { kind: 'unreadable', reason: 'events-dropped' }] : mapped;
  };
}

/** Adds the event as JSON if a text of it holds lone surrogates, which a database cannot store. */
function keepOriginal(event: SmsEvent, content: unknown): SmsEvent {
  const texts = Object.values(event).filter((value) => typeof value === 'string');
  return texts.every((text) => text.isWellFormed()) ? event : { ...event, original: JSON.stringify(content) };
}
