import { createUnreadValues, type UnreadValues } from '../drift/unread-values.ts';
import { phoneKey } from '../phone/phone-key.ts';
import type { Contract } from '../schema/contract-schema.ts';
import type { ReplyEvent, ReplyPart, ReplyText } from '../schema/sms-event.ts';
import { contentId, type Fields } from './body.ts';
import { readSegments } from './cost-and-route.ts';
import { idByReceipt, isIdByReceipt } from './equal-replies.ts';
import {
  type CommonFields,
  type EventContext,
  ifReadable,
  isBlank,
  maxAddressLength,
  present,
} from './event-fields.ts';

type ReplyField = keyof Contract['events']['reply'];

const maxMedia = 30;
/** The limit of a URL, in UTF-16 units, as browsers have it. */
const maxMediaLength = 2048;

/** Makes the reader of replies. */
export function createReplyMapper(rules: Contract['events'], { addressOf, timeOf }: CommonFields) {
  /** Reads who sent a reply, and by which channel. @throws FieldError without a sender */
  function senderOf({ required, optional }: Fields<ReplyField>, unread: UnreadValues) {
    const channel = ifReadable(() => optional('channel', 32));
    return addressOf('from', 'from', required('from', maxAddressLength), channel, unread);
  }

  /** Reads a reply. @throws FieldError for a field that it cannot do without */
  function mapReply(fields: Fields<ReplyField>, ownEventId: string, context: EventContext): ReplyEvent {
    const { optional } = fields;
    const { unread, content } = context;
    const { from = '', ...sender } = senderOf(fields, unread);
    const { phone: to } = addressOf('phone', 'to', optional('to', maxAddressLength), undefined, unread);
    const time = timeOf(rules.reply.occurredAt, fields, context);
    const media = mediaOf(fields, unread);
    const words = fields.text('text');
    const optOut = saysOptOut(fields);
    const hasNothing = (words ?? '').trim() === '' && media === undefined;
    if (hasNothing && !optOut) unread.note('text', 'missing', undefined);
    const part = partOf(fields, optional('replyId', 1024) ?? ownEventId, unread);
    const { eventId, replyId } =
      part === undefined
        ? idsOf(
            ownEventId,
            optional('replyId', 1024),
            context.identity,
            isTimed(time, unread) ? undefined : context.receivedAt,
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
      ...(optOut && { optOut }),
      ...(part !== undefined && { part: { partId: part.partId, number: part.number, total: part.total } }),
      ...time,
      ...(hasNothing && { original: JSON.stringify(content) }),
      ...unread.asReceived(),
    };
  }

  /** Returns whether a reply has a time of its own. One of more than a day after the receipt counts at the receipt, and its copies have the same text. */
  function isTimed({ timeIs }: Pick<ReplyEvent, 'timeIs'>, unread: UnreadValues): boolean {
    const isWritten = timeIs !== 'received' || unread.asReceived().unread?.occurredAt !== undefined;
    return rules.reply.occurredAt !== null && isWritten;
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

  /**
   * Reads which part of a reply an event is; undefined for a whole reply. A part that cannot be read stays one: its reply is never whole, so
   * that no reader mistakes a part for all that the person wrote.
   */
  function partOf(
    { raw }: Fields<ReplyField>,
    partId: string,
    unread: UnreadValues,
  ): (ReplyPart & { readonly reference: string }) | undefined {
    /** Returns undefined if the event does not have the field. */
    const read = (field: 'partTotal' | 'partNumber') => {
      let received: unknown;
      try {
        received = raw(field);
      } catch {
        return { received, value: undefined };
      }
      return isBlank(received) ? undefined : { received, value: readSegments(received) };
    };
    const reference = String(ifReadable(() => raw('partReference')) ?? '').trim();
    const [total, number] = [read('partTotal'), read('partNumber')];
    const isOne = [total, number].every((one) => one === undefined || one.value === 1);
    // With a reference, the first part of an unknown number of parts is no whole reply.
    const isFirstOfUnknown = reference !== '' && total === undefined && number !== undefined;
    if (isOne && !isFirstOfUnknown) return undefined;
    if (reference === '') unread.note('partReference', 'missing', undefined);
    const part = { partId: partId.toWellFormed(), reference: reference || partId };
    const [totalRead = 0, numberRead = 0] = [total?.value, number?.value];
    if (totalRead >= numberRead && numberRead > 0) return { ...part, total: totalRead, number: numberRead };
    const [field, found] =
      totalRead === 0 ? (['partTotal', total] as const) : (['partNumber', number] as const);
    unread.note(field, found === undefined ? 'missing' : 'unreadable-value', found?.received);
    return { ...part, total: 0, number: numberRead };
  }

  /** Returns whether the service says that the person opted out. */
  function saysOptOut({ raw }: Fields<ReplyField>): boolean {
    const said = ifReadable(() => raw('optOut'));
    return (
      said === true || (typeof said === 'string' && ['stop', 'true'].includes(said.trim().toLowerCase()))
    );
  }

  /** Reads the addresses of media. */
  function mediaOf({ raw }: Fields<ReplyField>, unread: UnreadValues): readonly string[] | undefined {
    const received = ifReadable(() => raw('media'));
    const addresses = [received].flat().filter((address) => !isBlank(address));
    const texts = addresses.filter((address) => typeof address === 'string');
    const kept = texts.filter((address) => address.length <= maxMediaLength).slice(0, maxMedia);
    if (kept.length < addresses.length) unread.note('media', 'unreadable-value', received);
    return kept.length === 0 ? undefined : kept.map((address) => address.toWellFormed());
  }

  /** Returns what a person wrote. */
  function textOf(event: ReplyEvent, { identity, unread }: EventContext): ReplyText {
    const { eventId, replyId, from, text, optOut, part, occurredAt, timeIs } = event;
    return {
      eventId,
      replyId,
      from,
      text,
      occurredAt,
      ...(optOut && { optOut }),
      ...(part !== undefined && { part }),
      ...(timeIs !== undefined && { timeIs }),
      ...distinction(event, identity),
      ...mayBeFrom(unread),
    };
  }

  /** Returns what distinguishes copies of a reply from other replies with the same words. */
  function distinction(
    { eventId, replyId, timeIs }: Pick<ReplyText, 'eventId' | 'replyId' | 'timeIs'>,
    identity: unknown,
  ): Pick<ReplyText, 'isTimed' | 'isDistinct' | 'isByReceipt'> {
    const idOfContent = contentId(identity);
    const isByReceipt = isIdByReceipt(replyId, idOfContent);
    // Without a zone, two replies of one minute may be hours apart.
    const isOfContent = replyId === idOfContent && eventId === idOfContent;
    return {
      isTimed: rules.reply.occurredAt !== null,
      isDistinct: !isByReceipt && !(isOfContent && timeIs !== undefined),
      isByReceipt,
    };
  }

  /** Returns the numbers that the sender of a reply may be, if its text may be several. */
  function mayBeFrom(unread: UnreadValues): Pick<ReplyText, 'mayBeFrom'> {
    const mayBe = unread.mayBe('from');
    return mayBe === undefined ? {} : { mayBeFrom: mayBe };
  }

  /**
   * Reads the text of a reply that cannot be read as a whole, if possible with the ids that the reply gets once it can be read. The words of a part
   * say nothing alone.
   *
   * @param ownEventId the id of the event, or of its content if that cannot be read
   */
  function salvageText(
    fields: Fields<ReplyField>,
    ownEventId: string,
    identity: unknown,
    receivedAt: string,
  ): ReplyText | undefined {
    const { optional, text } = fields;
    const unread = createUnreadValues();
    const { from } = ifReadable(() => senderOf(fields, unread)) ?? {};
    const optOut = saysOptOut(fields);
    const replyText = ifReadable(() => text('text')) ?? (optOut ? '' : undefined);
    const isPart = partOf(fields, ownEventId, createUnreadValues()) !== undefined;
    if (from === undefined || replyText === undefined || (isPart && !optOut)) return undefined;
    const time = ifReadable(() =>
      timeOf(rules.reply.occurredAt, fields, { content: undefined, identity, receivedAt, unread }),
    );
    const isTimeRead = time !== undefined && isTimed(time, unread);
    const ids = idsOf(
      ownEventId,
      ifReadable(() => optional('replyId', 1024)),
      identity,
      isTimeRead ? undefined : receivedAt,
    );
    const timeIs = isTimeRead ? time.timeIs : undefined;
    return {
      ...ids,
      from,
      text: replyText,
      ...(optOut && { optOut }),
      ...(isTimeRead && { occurredAt: time.occurredAt }),
      ...(timeIs !== undefined && { timeIs }),
      ...distinction({ ...ids, ...(timeIs !== undefined && { timeIs }) }, identity),
      ...mayBeFrom(unread),
    };
  }

  return { mapReply, textOf, salvageText };
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
