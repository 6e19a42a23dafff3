import { contentId, type Expression, lenientExpression } from '../events/body.ts';
import { reportOfOrigin } from '../events/derived-report.ts';
import { createMapper } from '../events/mapping.ts';
import { e164 } from '../phone/phone-key.ts';
import type { ImportMapping } from '../schema/import-mapping-schema.ts';
import type { ReplyEvent, ReplyText, StatusEvent } from '../schema/sms-event.ts';
import { isDeeperThan, isObject, maxBodyDepth } from '../text/json.ts';
import { mayBeRounded, spreadsheetProblem } from './spreadsheet.ts';

/** What is doubtful about a row that is imported, or was left out of its report. */
export const rowDoubts = [
  'no-recipient',
  'recipient-is-no-number',
  'recipient-may-be-two-numbers',
  'price-unread',
  'id-may-be-rounded',
  'time-without-zone',
  'sender-is-no-number',
  'sender-may-be-two-numbers',
] as const;
export type RowDoubt = (typeof rowDoubts)[number];

/** What a row becomes. */
export type ReadRow =
  | {
      readonly kind: 'report';
      readonly report: StatusEvent;
      /** The numbers that its recipient may be, E.164, if its text may be several. */
      readonly mayBe: readonly string[];
      readonly doubts: readonly RowDoubt[];
    }
  | {
      readonly kind: 'reply';
      readonly reply: ReplyEvent;
      /** The text from which a keyword is read. */
      readonly text: ReplyText;
      readonly doubts: readonly RowDoubt[];
    }
  /** The mapping chooses it neither as a report nor as a reply. */
  | { readonly kind: 'left-out' }
  /** The reason and the field, never a value. */
  | {
      readonly kind: 'unreadable';
      readonly reason: string;
      readonly field?: string;
      /** What the row would be, if its field cannot be read. */
      readonly of?: 'report' | 'reply';
    };

/** Reads rows, and returns one result for each in their order. At most 10,000 at a time. */
export type RowReader = (rows: readonly unknown[]) => readonly ReadRow[];

/** No row has it. It stands for the fields of reports or replies that a mapping does not import. */
const unused = 'unused';

const noReport: NonNullable<ImportMapping['report']> = {
  messageId: unused,
  sendId: null,
  recipient: null,
  status: unused,
  occurredAt: unused,
  errorCode: null,
  errorText: null,
  price: null,
  currency: null,
  segments: null,
  network: null,
  carrier: null,
  final: null,
  parentMessageId: null,
  channel: null,
};

const noReply: Omit<NonNullable<ImportMapping['replies']>, 'only'> = {
  replyId: null,
  messageId: null,
  from: unused,
  to: null,
  text: unused,
  occurredAt: unused,
  media: null,
  channel: null,
  optOut: null,
};

/** Writes the expression that chooses what a row becomes. JMESPath itself decides what is true. */
function kindExpression({
  only,
  report,
  replies,
}: Pick<ImportMapping, 'only' | 'report' | 'replies'>): string {
  const ofReports = report === null ? [] : [only === null ? "'sms.status'" : `(${only}) && 'sms.status'`];
  const ofReplies =
    replies === null ? [] : [replies.only === null ? "'sms.reply'" : `(${replies.only}) && 'sms.reply'`];
  return [...ofReplies, ...ofReports, "'left-out'"].join(' || ');
}

/** Compiles a mapping. Rows are read as the events of a webhook are. */
export function createRowReader({
  only,
  timeFormat,
  timeZone,
  numbers,
  defaultCountry,
  report: reportFields,
  replies,
  statuses,
  errors,
}: Omit<ImportMapping, 'about' | 'samples' | 'quotes'>): RowReader {
  const report = reportFields ?? noReport;
  const { only: _, ...reply } = replies ?? { only: null, ...noReply };
  const kind = kindExpression({ only, report: reportFields, replies });
  const kindOf = lenientExpression(kind);
  const map = createMapper({
    webhook: { bodyFormat: 'json' },
    statuses,
    errors,
    events: {
      list: '@',
      kind,
      id: { from: 'content' },
      timeFormat,
      timeZone,
      numbers,
      defaultCountry,
      status: report,
      reply: { ...reply, partReference: null, partTotal: null, partNumber: null },
    },
  });

  const read = {
    messageId: lenientExpression(report.messageId),
    sendId: report.sendId === null ? undefined : lenientExpression(report.sendId),
    recipient: report.recipient === null ? undefined : lenientExpression(report.recipient),
    price: report.price === null ? undefined : lenientExpression(report.price),
    replyId: reply.replyId === null ? undefined : lenientExpression(reply.replyId),
    answeredId: reply.messageId === null ? undefined : lenientExpression(reply.messageId),
    from: lenientExpression(reply.from),
  };

  /** Rejects a report whose id, number or code a spreadsheet has destroyed. */
  function examineReport(row: unknown, event: StatusEvent, mayBe: readonly string[]): ReadRow {
    // A row is no request, whose time of receipt could stand for its own.
    if (event.timeIs === 'received')
      return { kind: 'unreadable', reason: 'missing-field', field: 'occurredAt', of: 'report' };
    for (const field of ['messageId', 'sendId', 'recipient'] as const) {
      const reason = spreadsheetProblem(field, textOf(read[field], row));
      if (reason !== undefined) return { kind: 'unreadable', reason, field, of: 'report' };
    }
    if (codeHasDecimals(event.errorCode, errors))
      return { kind: 'unreadable', reason: 'number-with-decimals', field: 'errorCode', of: 'report' };
    const doubts: Readonly<Partial<Record<RowDoubt, boolean>>> = {
      'no-recipient': read.recipient !== undefined && event.phone === undefined,
      'recipient-is-no-number': event.phone !== undefined && !e164.test(event.phone) && mayBe.length === 0,
      'recipient-may-be-two-numbers': mayBe.length > 0,
      'price-unread': event.price === undefined && textOf(read.price, row) !== '',
      'id-may-be-rounded': mayBeRounded(event.messageId),
      'time-without-zone': event.timeIs === 'assumed',
    };
    return {
      kind: 'report',
      report: reportOfOrigin(event, 'import'),
      mayBe,
      doubts: rowDoubts.filter((doubt) => doubts[doubt]),
    };
  }

  /** Rejects a reply whose id or number a spreadsheet has destroyed. */
  function examineReply(row: unknown, event: ReplyEvent, text: ReplyText): ReadRow {
    if (event.timeIs === 'received')
      return { kind: 'unreadable', reason: 'missing-field', field: 'occurredAt', of: 'reply' };
    const replyId = textOf(read.replyId, row);
    const values = [
      ['replyId', 'messageId', replyId],
      ['messageId', 'messageId', textOf(read.answeredId, row)],
      ['from', 'recipient', textOf(read.from, row)],
    ] as const;
    for (const [field, like, value] of values) {
      const reason = spreadsheetProblem(like, value);
      if (reason !== undefined) return { kind: 'unreadable', reason, field, of: 'reply' };
    }
    const { mayBeFrom = [] } = text;
    const doubts: Readonly<Partial<Record<RowDoubt, boolean>>> = {
      'id-may-be-rounded': mayBeRounded(replyId),
      'time-without-zone': event.timeIs === 'assumed',
      'sender-is-no-number': !e164.test(event.from) && mayBeFrom.length === 0,
      'sender-may-be-two-numbers': mayBeFrom.length > 0,
    };
    const imported = importedReply(event, replyId !== '');
    const { eventId, replyId: id } = imported;
    return {
      kind: 'reply',
      reply: imported,
      // Every row has a time, so a copy has the same ids.
      text: { ...text, eventId, replyId: id, isTimed: true, isDistinct: true, isByReceipt: false },
      doubts: rowDoubts.filter((doubt) => doubts[doubt]),
    };
  }

  return (rows) => {
    // The rows are elements of a list, which is a level of its own.
    const isReadable = (row: unknown) => isObject(row) && !isDeeperThan(maxBodyDepth - 1, row);
    const objects = rows.filter(isReadable);
    // Every row has a time, so the time of receipt is never used.
    const mapped = objects.length === 0 ? [] : map(Buffer.from(JSON.stringify(objects)), undefined, '');
    let next = 0;
    return rows.map((row): ReadRow => {
      if (!isObject(row)) return { kind: 'unreadable', reason: 'not-an-object' };
      if (!isReadable(row)) return { kind: 'unreadable', reason: 'too-deep' };
      const one = mapped[next++];
      if (one?.kind === 'event' && one.event.kind === 'sms.status')
        return examineReport(row, one.event, one.recipientMayBe ?? []);
      if (one?.kind === 'event' && one.event.kind === 'sms.reply' && one.replyText !== undefined)
        return examineReply(row, one.event, one.replyText);
      if (one?.kind !== 'unreadable') return { kind: 'unreadable', reason: 'unknown-kind' };
      if (one.reason === 'unknown-kind') return { kind: 'left-out' };
      if (one.field === undefined) return { kind: 'unreadable', reason: one.reason };
      const of = kindOf(row) === 'sms.reply' ? 'reply' : 'report';
      return { kind: 'unreadable', reason: one.reason, field: one.field, of };
    });
  };
}

function textOf(read: Expression | undefined, row: unknown): string {
  const value = read?.(row);
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/**
 * Marks a reply that the webhook did not receive. Its event id follows from what it says, and without an id of the service its own id from
 * all that distinguishes it, so that a row that is imported again is a repeat.
 */
function importedReply(event: ReplyEvent, hasId: boolean): ReplyEvent {
  const { from, to = null, messageId = null, text, media = null, optOut = null, occurredAt } = event;
  return {
    ...event,
    eventId: `import:${contentId([from, text, media, optOut])}`,
    replyId: hasId ? event.replyId : `import:${contentId([from, to, messageId, text, media, occurredAt])}`,
    origin: 'import',
  };
}

/** Reports whether a code such as `21610.0` is one that the mapping knows as `21610`: pandas writes a column of codes and blanks so. */
function codeHasDecimals(code: string | undefined, errors: Readonly<Record<string, unknown>>): boolean {
  const digits =
    code !== undefined && !Object.hasOwn(errors, code) ? /^(\d+)[.,]0+$/.exec(code.trim())?.[1] : undefined;
  return digits !== undefined && Object.hasOwn(errors, digits);
}
