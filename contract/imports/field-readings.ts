import { type Expression, lenientExpression } from '../events/body.ts';
import { e164 } from '../phone/phone-key.ts';
import type { ImportMapping } from '../schema/import-mapping-schema.ts';
import { unmappedRank } from '../schema/sms-event.ts';
import { expressionsOf } from './columns.ts';
import type { ReadRow } from './row-reader.ts';

/** What a row has in one field of the mapping, and what it becomes. */
export interface FieldReading {
  /** Its place in the mapping, such as `report.recipient`. */
  readonly place: string;
  /** As in the row, without blanks around it. */
  readonly cell: string;
  /** Undefined if nothing is stored for it. */
  readonly becomes: string | undefined;
  /** Whether it was read exactly: for a status or an error code, whether the mapping knows it. */
  readonly isExact: boolean;
}

/** Reads the fields of a row that have a value. Of a row that cannot be read it is only the field that is the reason. */
export type ReadFields = (row: unknown, result: ReadRow) => readonly FieldReading[];

/** Lists the fields of a mapping by their places, in the order of the mapping. */
export function placesOf(mapping: Pick<ImportMapping, 'only' | 'report' | 'replies'>): readonly string[] {
  return fieldsOf(mapping).map(({ place }) => place);
}

function fieldsOf(mapping: Pick<ImportMapping, 'only' | 'report' | 'replies'>) {
  return expressionsOf(mapping).flatMap(([place, text]) => {
    const [part = '', field = ''] = place.split('.');
    return field === '' || place === 'replies.only' ? [] : [{ place, part, field, text }];
  });
}

/** Compiles the fields of a mapping. */
export function createFieldReader(
  mapping: Pick<ImportMapping, 'only' | 'report' | 'replies' | 'errors'>,
): ReadFields {
  const fields = fieldsOf(mapping).map((one) => ({ ...one, read: lenientExpression(one.text) }));

  return (row, result) => {
    if (result.kind === 'left-out') return [];
    return fields.flatMap(({ part, field, place, read }): FieldReading[] => {
      if (part !== partOf[result.kind === 'unreadable' ? (result.of ?? 'report') : result.kind]) return [];
      const cell = cellOf(read, row);
      if (cell === '') return [];
      if (result.kind === 'unreadable')
        return field === result.field ? [{ place, cell, becomes: undefined, isExact: false }] : [];
      return [{ place, cell, becomes: becomesIn(result, field), isExact: isExact(result, field) }];
    });
  };

  function isExact(result: EventRow, field: string): boolean {
    const event = result.kind === 'report' ? result.report : result.reply;
    if (Object.hasOwn(event.unread ?? {}, field)) return false;
    if (field === 'occurredAt') return event.timeIs === undefined;
    if (numberFields.has(field)) return e164.test(becomesIn(result, field) ?? '');
    if (event.kind === 'sms.reply') return true;
    if (field === 'status') return event.rank !== unmappedRank;
    // A code that means no error is left out of the report.
    if (field === 'errorCode')
      return event.errorCode === undefined || Object.hasOwn(mapping.errors, event.errorCode);
    return true;
  }
}

type EventRow = Extract<ReadRow, { readonly kind: 'report' | 'reply' }>;

const partOf = { report: 'report', reply: 'replies' } as const;

const numberFields: ReadonlySet<string> = new Set(['recipient', 'from']);

function becomesIn(result: EventRow, field: string): string | undefined {
  const event: object = result.kind === 'report' ? result.report : result.reply;
  const values = new Map<string, unknown>(Object.entries(event));
  if (result.kind === 'report' && field === 'recipient') return result.report.phone;
  if (field === 'errorCode' && values.has('errorReason')) return String(values.get('errorReason'));
  const value = values.get(field);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function cellOf(read: Expression, row: unknown): string {
  const value = read(row);
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
