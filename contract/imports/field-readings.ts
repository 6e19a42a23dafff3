import { type Expression, lenientExpression } from '../events/body.ts';
import { e164 } from '../phone/phone-key.ts';
import type { ImportMapping } from '../schema/import-mapping-schema.ts';
import { type StatusEvent, unmappedRank } from '../schema/sms-event.ts';
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
export function placesOf({ report }: Pick<ImportMapping, 'report'>): readonly string[] {
  return expressionsOf(report).map(([field]) => `report.${field}`);
}

/** Compiles the fields of a mapping. */
export function createFieldReader({ report, errors }: Pick<ImportMapping, 'report' | 'errors'>): ReadFields {
  const ofReport = expressionsOf(report).map(([field, text]) => ({
    field,
    place: `report.${field}`,
    read: lenientExpression(text),
  }));

  return (row, result) => {
    if (result.kind === 'left-out') return [];
    return ofReport.flatMap(({ field, place, read }): FieldReading[] => {
      const cell = cellOf(read, row);
      if (cell === '') return [];
      if (result.kind === 'report')
        return [{ place, cell, ...becomesIn(result, field), isExact: isExact(result, field) }];
      return field === result.field ? [{ place, cell, becomes: undefined, isExact: false }] : [];
    });
  };

  function isExact({ report: event, mayBe }: ReportRow, field: string): boolean {
    if (Object.hasOwn(event.unread ?? {}, field)) return false;
    if (field === 'recipient')
      return event.phone !== undefined && e164.test(event.phone) && mayBe.length === 0;
    if (field === 'status') return event.rank !== unmappedRank;
    if (field === 'occurredAt') return event.timeIs === undefined;
    // A code that means no error is left out of the report.
    if (field === 'errorCode') return event.errorCode === undefined || Object.hasOwn(errors, event.errorCode);
    return true;
  }
}

type ReportRow = Extract<ReadRow, { readonly kind: 'report' }>;

function becomesIn({ report: event }: ReportRow, field: string): Pick<FieldReading, 'becomes'> {
  const { phone, errorCode, errorReason = errorCode } = event;
  if (field === 'recipient') return { becomes: phone };
  if (field === 'errorCode') return { becomes: errorReason };
  const value = event[field as keyof StatusEvent];
  return { becomes: typeof value === 'string' || typeof value === 'number' ? String(value) : undefined };
}

function expressionsOf(fields: Readonly<Record<string, string | null>>): [field: string, text: string][] {
  return Object.entries(fields).flatMap(([field, text]) => (text === null ? [] : [[field, text]]));
}

function cellOf(read: Expression, row: unknown): string {
  const value = read(row);
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
