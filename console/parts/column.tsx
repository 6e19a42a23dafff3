import type { ReactNode } from 'react';
import { mainSource } from '../../contract/events/source-id.ts';
import type { Words } from '../words/english.ts';
import { NumberLink } from './entry-links.tsx';
import { Time } from './time.tsx';

/** A column of a list. One declaration serves the page, the CSV and both languages. */
export interface Column<T> {
  /** Its name in CSV, and of its styles. */
  readonly id: string;
  readonly header: (words: Words) => string;
  /** The text in CSV: what is stored, in no language. Without it the CSV has no such column. */
  readonly csv?: (entry: T) => string;
  /** Without it the page has no such column. */
  readonly page?: {
    /** A track of a grid in CSS. A phone has room for few columns, so the styles place them there. */
    readonly width: string;
    readonly cell: (entry: T) => ReactNode;
  };
}

/** The same column in CSV alone. */
export const csvOnly = <T,>({ page: _, ...column }: Column<T>): Column<T> => column;

/** The same column on the page alone. */
export const pageOnly = <T,>({ csv: _, ...column }: Column<T>): Column<T> => column;

/** A time that orders a list. It is the last column of a page. */
export const timeColumn = <T,>(header: Column<T>['header'], at: (entry: T) => string): Column<T> => ({
  id: 'time',
  header,
  csv: at,
  page: { width: '154px', cell: (entry) => <Time at={at(entry)} /> },
});

interface NumberOf {
  readonly number: string | null;
  /** Names the number in the address: `m~` and the id of a message, or `r~` and that of a reply. */
  readonly of: string;
}

/** A number that leads to its conversation. @param cell shows numbers that need another way there */
export const numberColumn = <T,>(
  header: Column<T>['header'],
  numberOf: (entry: T) => NumberOf,
  cell?: (entry: T) => ReactNode,
): Column<T> => ({
  id: 'number',
  header,
  csv: (entry) => numberOf(entry).number ?? '',
  page: {
    width: '142px',
    cell: (entry) => {
      const { number, of } = numberOf(entry);
      return cell?.(entry) ?? (number === null ? '–' : <NumberLink number={number} of={of} />);
    },
  },
});

/** The provider of an entry, in a pipeline with several. The query API leaves it out for `main`, and what an operator wrote has none. */
export const sourceColumn: Column<object> = {
  id: 'source',
  header: ({ providers }) => providers.provider,
  csv: sourceOf,
  page: { width: 'minmax(0, 96px)', cell: sourceOf },
};

function sourceOf(entry: object): string {
  if ('source' in entry) return String(entry.source);
  return 'by' in entry && entry.by === 'operator' ? '' : mainSource;
}

/** Returns the columns of a page with that of the provider before the last one, which is the time. */
export const withSourceColumn = <T extends object>(columns: readonly Column<T>[]): readonly Column<T>[] => {
  const last = columns.findLastIndex(({ page }) => page !== undefined);
  return columns.toSpliced(last, 0, sourceColumn);
};
