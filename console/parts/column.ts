import type { ReactNode } from 'react';

/** A column of a list. */
export interface Column<T> {
  /** The name of the column: of its styles, and in CSV. */
  readonly id: string;
  readonly header: string;
  /** The text in CSV. */
  readonly text: (entry: T) => string;
  readonly cell: (entry: T, text: string) => ReactNode;
}
