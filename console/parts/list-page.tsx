import type { ReactNode } from 'react';
import { fileNameOf } from '../rules/csv.ts';
import { nameOfTimes, type Range, type Times } from '../rules/time-range.ts';
import { Page } from './page.tsx';
import { RangeChoice } from './range-choice.tsx';
import { RecordList, type RecordListProps } from './record-list.tsx';

interface ListPageProps<T extends object, R extends Range>
  extends Omit<RecordListProps<T>, 'label' | 'empty'> {
  readonly texts: { readonly title: string; readonly intro: string; readonly empty: string };
  readonly times: Times<R>;
  readonly ranges: readonly R[];
  readonly onTimes: (times: Partial<Times<R>>) => void;
  /** Whether the days are those of figures, which are counted in UTC. */
  readonly isOfFigures?: boolean;
  /** The filters of this list, besides the one by time. */
  readonly filters?: ReactNode;
  /** Shown above the list. */
  readonly note?: ReactNode;
  /** Another text is another list, which begins at its top. */
  readonly listKey?: string;
  /** The values of the filters, for the name of the file that is downloaded. */
  readonly named?: readonly (string | undefined)[];
}

/** A page with one list of the query API, and its filters. */
export function ListPage<T extends object, R extends Range>({
  texts: { title, intro, empty },
  times,
  ranges,
  onTimes,
  isOfFigures = false,
  filters,
  note,
  listKey,
  named = [],
  ...list
}: ListPageProps<T, R>) {
  return (
    <Page
      title={title}
      intro={intro}
      filters={
        <>
          {filters}
          <RangeChoice times={times} options={ranges} onChange={onTimes} isOfFigures={isOfFigures} />
        </>
      }
    >
      {note}
      <RecordList
        key={listKey}
        about={fileNameOf([...named, nameOfTimes(times)])}
        label={title}
        empty={empty}
        {...list}
      />
    </Page>
  );
}
