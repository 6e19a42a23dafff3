import { createUnreadValues, type UnreadValues } from '../drift/unread-values.ts';
import { phoneKey } from '../phone/phone-key.ts';
import { readPhone } from '../phone/phone-number.ts';
import type { Contract } from '../schema/contract-schema.ts';
import type { ReplyEvent, ReplyPart, ReplyText } from '../schema/sms-event.ts';
import { readTime } from '../text/time.ts';
import { contentId, FieldError, type Fields } from './body.ts';
import { readSegments } from './cost-and-route.ts';
import { idByReceipt, isIdByReceipt } from './equal-replies.ts';
import { type CommonFields, type EventContext, ifReadable, isBlank, present } from './event-fields.ts';

type ReplyField = keyof Contract['events']['reply'];

const maxMedia = 30;
/** The limit of a URL, in UTF-16 units, as browsers have it. */
const maxMediaLength = 2048;

/** Makes the reader of replies. @param isForm whether they are of a form or a query, where a "+" may arrive as a blank */
export function createReplyMapper(
  rules: Contract['events'],
  { addressOf, timeOf }: CommonFields,
  isForm: boolean,
) {
  /** Reads a reply. @throws FieldError for a field that it cannot do without */
  function mapReply(fields: Fields<ReplyField>, ownEventId: string, context: EventContext): ReplyEvent {
    const { required, optional } = fields;
    const { unread, content } = context;
    const { from = '', ...sender } = addressOf(
      'from',
      'from',
      required('from', 64),
      ifReadable(() => optional('channel', 32)),
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
    const kept = texts.filter((address) => address.length <= maxMediaLength).slice(0, maxMedia);
    if (kept.length < addresses.length) unread.note('media', 'unreadable-value', received);
    return kept.length === 0 ? undefined : kept.map((address) => address.toWellFormed());
  }

  /** Returns what a person wrote. */
  function textOf(event: ReplyEvent, fields: Fields<ReplyField>, content: unknown): ReplyText {
    const { eventId, replyId, from, text, part, occurredAt, timeIs } = event;
    return {
      ...{ eventId, replyId, from, text, occurredAt },
      ...(part !== undefined && { part }),
      ...(timeIs !== undefined && { timeIs }),
      isTimed: rules.reply.occurredAt !== null,
      isDistinct: isTimed(event) || !isIdByReceipt(replyId, contentId(content)),
      ...sendersOf(fields),
    };
  }

  /** Returns the numbers that the sender of a reply may be, if its text may be several. */
  function sendersOf({ required }: Fields<ReplyField>): Pick<ReplyText, 'mayBeFrom'> {
    const { mayBe } = readPhone(required('from', 64), rules, isForm);
    return mayBe === undefined ? {} : { mayBeFrom: mayBe };
  }

  /**
   * Reads the text of a reply that cannot be read as a whole, if possible with the ids that the reply gets once it can be read. A part of a reply
   * says nothing alone.
   *
   * @param ownEventId the id of the event, or of its content if that cannot be read
   */
  function salvageText(
    fields: Fields<ReplyField>,
    ownEventId: string,
    content: unknown,
    receivedAt: string,
  ): ReplyText | undefined {
    const { required, optional, text } = fields;
    const { from } =
      ifReadable(() => addressOf('from', 'from', required('from', 64), undefined, createUnreadValues())) ??
      {};
    const replyText = ifReadable(() => text('text'));
    const isPart = ifReadable(() => optional('partReference') !== undefined && optional('partTotal') !== '1');
    if (from === undefined || replyText === undefined || isPart !== false) return undefined;
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
      ...sendersOf(fields),
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
