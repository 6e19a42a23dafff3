import { type ExportDay, prefixOf } from './day.ts';

/** An export as far as it matters whether a day has one. */
export interface KnownExport {
  readonly status: 'under way' | 'completed' | 'failed';
  /** Where its files go. */
  readonly prefix: string;
}

/** A day that is to be exported. */
export interface MissingDay {
  readonly day: ExportDay;
  /** How many exports of it have failed. */
  readonly failed: number;
}

/** The days that have no export, or only failed ones. */
export function missingDays(days: readonly ExportDay[], known: readonly KnownExport[]): MissingDay[] {
  return days.flatMap((day) => {
    const ofDay = known.filter(({ prefix }) => prefix === prefixOf(day));
    return ofDay.every(({ status }) => status === 'failed') ? [{ day, failed: ofDay.length }] : [];
  });
}
