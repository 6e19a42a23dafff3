import { type Expression, lenientExpression } from '../events/body.ts';
import { reportOfOrigin } from '../events/derived-report.ts';
import { createMapper } from '../events/mapping.ts';
import { e164 } from '../phone/phone-key.ts';
import type { ImportMapping } from '../schema/import-mapping-schema.ts';
import type { StatusEvent } from '../schema/sms-event.ts';
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
  /** The mapping's `only` is not true for it. */
  | { readonly kind: 'left-out' }
  /** The reason and the field, never a value. */
  | { readonly kind: 'unreadable'; readonly reason: string; readonly field?: string };

/** Reads rows, and returns one result for each in their order. At most 10,000 at a time. */
export type RowReader = (rows: readonly unknown[]) => readonly ReadRow[];

/** No row has it. It stands for the fields of replies, which are not imported. */
const unused = 'unused';

/** Compiles a mapping. Rows are read as the events of a webhook are. */
export function createRowReader({
  only,
  timeFormat,
  timeZone,
  numbers,
  defaultCountry,
  report,
  statuses,
  errors,
}: Pick<
  ImportMapping,
  'only' | 'timeFormat' | 'timeZone' | 'numbers' | 'defaultCountry' | 'report' | 'statuses' | 'errors'
>): RowReader {
  const map = createMapper({
    webhook: { bodyFormat: 'json' },
    statuses,
    errors,
    events: {
      list: '@',
      // JMESPath itself decides what is true.
      kind: only === null ? "'sms.status'" : `(${only}) && 'sms.status' || 'left-out'`,
      id: { from: 'content' },
      timeFormat,
      timeZone,
      numbers,
      defaultCountry,
      status: report,
      reply: {
        replyId: null,
        messageId: null,
        from: unused,
        to: null,
        text: unused,
        occurredAt: null,
        media: null,
        channel: null,
        optOut: null,
        partReference: null,
        partTotal: null,
        partNumber: null,
      },
    },
  });

  const read = {
    messageId: lenientExpression(report.messageId),
    sendId: report.sendId === null ? undefined : lenientExpression(report.sendId),
    recipient: report.recipient === null ? undefined : lenientExpression(report.recipient),
    price: report.price === null ? undefined : lenientExpression(report.price),
  };

  /** Rejects a report whose id, number or code a spreadsheet has destroyed. */
  function examine(row: unknown, event: StatusEvent, mayBe: readonly string[]): ReadRow {
    // A row is no request, whose time of receipt could stand for its own.
    if (event.timeIs === 'received')
      return { kind: 'unreadable', reason: 'missing-field', field: 'occurredAt' };
    for (const field of ['messageId', 'sendId', 'recipient'] as const) {
      const reason = spreadsheetProblem(field, textOf(read[field], row));
      if (reason !== undefined) return { kind: 'unreadable', reason, field };
    }
    if (codeHasDecimals(event.errorCode, errors))
      return { kind: 'unreadable', reason: 'number-with-decimals', field: 'errorCode' };
    const doubts: Readonly<Record<RowDoubt, boolean>> = {
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
        return examine(row, one.event, one.recipientMayBe ?? []);
      if (one?.kind !== 'unreadable') return { kind: 'unreadable', reason: 'unknown-kind' };
      if (one.reason === 'unknown-kind') return { kind: 'left-out' };
      return { kind: 'unreadable', reason: one.reason, ...(one.field && { field: one.field }) };
    });
  };
}

function textOf(read: Expression | undefined, row: unknown): string {
  const value = read?.(row);
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** Reports whether a code such as `21610.0` is one that the mapping knows as `21610`: pandas writes a column of codes and blanks so. */
function codeHasDecimals(code: string | undefined, errors: Readonly<Record<string, unknown>>): boolean {
  const digits =
    code !== undefined && !Object.hasOwn(errors, code) ? /^(\d+)[.,]0+$/.exec(code.trim())?.[1] : undefined;
  return digits !== undefined && Object.hasOwn(errors, digits);
}
