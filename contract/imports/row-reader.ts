import { reportOfOrigin } from '../events/derived-report.ts';
import { createMapper } from '../events/mapping.ts';
import type { ImportMapping } from '../schema/import-mapping-schema.ts';
import type { StatusEvent } from '../schema/sms-event.ts';
import { isDeeperThan, isObject, maxBodyDepth } from '../text/json.ts';

/** What a row becomes. */
type ReadRow =
  | { readonly kind: 'report'; readonly report: StatusEvent }
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
        ...{ replyId: null, messageId: null, from: unused, to: null, text: unused, occurredAt: null },
        ...{ media: null, channel: null, partReference: null, partTotal: null, partNumber: null },
      },
    },
  });

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
        return { kind: 'report', report: reportOfOrigin(one.event, 'import') };
      if (one?.kind !== 'unreadable') return { kind: 'unreadable', reason: 'unknown-kind' };
      if (one.reason === 'unknown-kind') return { kind: 'left-out' };
      return { kind: 'unreadable', reason: one.reason, ...(one.field && { field: one.field }) };
    });
  };
}
