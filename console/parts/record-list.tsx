import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Button } from 'react-aria-components';
import type { ListSource, Page } from '../api/queries.ts';
import { useList } from '../api/use-list.ts';
import { timeTexts } from '../rules/time-text.ts';
import { type FocusedRow, useFocusedRow, useReturn } from '../viewer/focused-row.ts';
import { usePreferences, useWords } from '../viewer/preferences.tsx';
import { useIsPrinting } from '../viewer/printing.ts';
import { useSession } from '../viewer/session.ts';
import { type Column, withSourceColumn } from './column.tsx';
import { DownloadButton } from './download-button.tsx';
import type { IconName } from './icons.tsx';
import { Failure, Missing, Notice, RefreshState } from './notice.tsx';

/** Up to this many rows are all in the document, so that the browser's own search finds each. */
const maxWholeRows = 300;
/** Rows beyond the window that are in the document of a longer list. */
const overscan = 8;
/** The next page is loaded when this many rows are left below the window. */
const loadAhead = 20;
const estimatedRowPixels = 41;

export interface RecordListProps<T extends object> {
  /** The name of the list: of its styles, and of the file that is downloaded. */
  readonly name: string;
  readonly label: string;
  readonly source: ListSource;
  /** The first column has a link to the entry. */
  readonly columns: readonly Column<T>[];
  readonly keyOf: (entry: T) => string;
  readonly empty: string;
  /** The icon of an empty list. */
  readonly emptyIcon?: IconName;
  /** Which entries are shown, where the query API has no such filter. It holds until the source changes. */
  readonly keep?: ((entry: T) => boolean) | undefined;
  /** The order of the entries, where the viewer chooses one. It is of the loaded entries. */
  readonly order?: ((one: T, other: T) => number) | undefined;
  /** Whether pages are loaded until all rows, or as many as the document may have, are there. */
  readonly isWhole?: boolean;
  /** What else is in the name of the file that is downloaded, such as the range. */
  readonly about?: string | undefined;
}

/** Pages in a row without an entry to show, after which the viewer decides whether to look further. */
const maxFruitlessPages = 10;

/** A list of the query API: virtual, paged by cursor, live. Arrow keys move between its rows. */
export function RecordList<T extends object>({
  name,
  label,
  source,
  columns,
  keyOf,
  empty,
  emptyIcon = 'check',
  keep = keepAll,
  order,
  isWhole = false,
  about,
}: RecordListProps<T>) {
  const words = useWords();
  const { list, pages, hasNews, showNews, mayLoadMore } = useList<Page<T>>(source, keyOf);
  const loaded = useMemo(() => pages?.flatMap((page) => page.entries) ?? [], [pages]);
  const entries = useMemo(() => {
    const kept = loaded.filter(keep);
    return order === undefined ? kept : kept.toSorted(order);
  }, [loaded, keep, order]);
  const fruitless = pages?.slice(pages.findLastIndex((page) => page.entries.some(keep)) + 1).length ?? 0;
  const { fetchNextPage } = list;
  const needsMore = isWhole && mayLoadMore && !list.isError && loaded.length < maxWholeRows;
  useEffect(() => {
    if (needsMore) void fetchNextPage();
  }, [needsMore, fetchNextPage]);
  const { language, timeZone } = usePreferences();
  const { sources } = useSession();
  const shownColumns = useMemo(
    () => (sources.length > 1 ? withSourceColumn(columns) : columns),
    [sources, columns],
  );
  if (pages === undefined) return <Missing query={list} />;
  const searchedTo = pages.at(-1)?.searchedTo;
  const loadMore = () => void list.fetchNextPage();
  const showTop = () => {
    showNews();
    window.scrollTo({ top: 0 });
  };
  return (
    <>
      <div className="list-bar">
        <p className="count" role="status">
          {words.list.count(entries.length, list.hasNextPage)}
          {isWhole && list.hasNextPage && !needsMore && ` ${words.list.looksAt(loaded.length)}`}
        </p>
        <RefreshState onShowNews={hasNews ? showTop : undefined} />
        {entries.length > 0 && <DownloadButton {...{ name, about, source, columns, keep, order }} />}
      </div>
      {entries.length === 0 && !list.hasNextPage ? (
        <EmptyList icon={emptyIcon} title={empty} filters={source.filters} />
      ) : (
        <Rows
          {...{ name, label, entries, keyOf }}
          columns={shownColumns}
          rowCount={list.hasNextPage ? -1 : entries.length + 1}
          onNearEnd={mayLoadMore && fruitless < maxFruitlessPages ? loadMore : undefined}
        />
      )}
      <div className="list-end">
        {searchedTo === undefined && fruitless >= maxFruitlessPages && list.hasNextPage && (
          <p>{words.list.lookedAt(loaded.length)}</p>
        )}
        {searchedTo !== undefined && (
          <p>{words.list.searchedTo(timeTexts(searchedTo, language, timeZone).shown)}</p>
        )}
        {list.hasNextPage && (
          <Button className="button" isPending={list.isFetchingNextPage} onPress={loadMore}>
            {list.isFetchingNextPage
              ? words.list.loadingMore
              : searchedTo === undefined
                ? words.list.more
                : words.list.further}
          </Button>
        )}
        {list.isFetchNextPageError && list.error && <Failure error={list.error} onRetry={loadMore} />}
        {!list.hasNextPage && entries.length > 20 && <p>{words.list.end}</p>}
      </div>
    </>
  );
}

const keepAll = () => true;

/** What a list is of by itself. All other filters are those of the viewer. */
const ownFilters: ReadonlySet<string> = new Set(['state', 'since', 'until']);

interface EmptyListProps extends Pick<ListSource, 'filters'> {
  readonly icon: IconName;
  readonly title: string;
}

/** Without an entry, a list with filters says nothing of the entries that do not match them. */
function EmptyList({ icon, title, filters }: EmptyListProps) {
  const { list } = useWords();
  const isFiltered = Object.entries(filters).some(
    ([name, value]) => value !== undefined && !ownFilters.has(name),
  );
  if (!isFiltered) return <Notice icon={icon} title={title} />;
  return (
    <Notice icon="search" title={list.noMatch}>
      {list.noMatchHint}
    </Notice>
  );
}

interface RowsProps<T extends object>
  extends Pick<RecordListProps<T>, 'name' | 'label' | 'columns' | 'keyOf'> {
  readonly entries: readonly T[];
  /** With the row of headers; -1 where the end is not known. */
  readonly rowCount: number;
  readonly onNearEnd: (() => void) | undefined;
}

function Rows<T extends object>({ name, label, entries, columns, keyOf, rowCount, onNearEnd }: RowsProps<T>) {
  const body = useRef<HTMLDivElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    const measure = () => setScrollMargin(body.current?.offsetTop ?? 0);
    measure();
    // What is above the list may grow.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  // The virtualizer measures all rows again for another function.
  const keyAt = useCallback(
    (index: number) => {
      const entry = entries[index];
      return entry === undefined ? index : keyOf(entry);
    },
    [entries, keyOf],
  );
  const { keyBefore, remember } = useReturn();
  const focused = useFocusedRow({ body, count: entries.length, keyAt, onRow: remember });
  const virtualizer = useWindowVirtualizer({
    count: entries.length,
    estimateSize: () => estimatedRowPixels,
    overscan: entries.length <= maxWholeRows ? maxWholeRows : overscan,
    scrollMargin,
    rangeExtractor: focused.rangeExtractor,
    getItemKey: keyAt,
  });
  const isPrinting = useIsPrinting();
  const items = isPrinting
    ? entries.map((entry, index) => ({ index, key: keyOf(entry), start: 0 }))
    : virtualizer.getVirtualItems();
  const end = (virtualizer.range?.endIndex ?? -1) + 1;
  const words = useWords();
  const shown = useMemo(
    () => columns.flatMap(({ id, header, page }) => (page ? [{ id, header: header(words), ...page }] : [])),
    [columns, words],
  );

  useEffect(() => {
    if (end >= entries.length - loadAhead) onNearEnd?.();
  }, [end, entries.length, onNearEnd]);

  const onKeyDown = useRowKeys({
    body,
    focused,
    count: entries.length,
    firstIndex: entries.findIndex((entry) => keyOf(entry) === keyBefore),
    reveal: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
  });

  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a virtual list have positions, which the elements of a table do not take.
    <div
      className={`list list-${name}`}
      role="table"
      aria-label={label}
      aria-rowcount={rowCount}
      style={{ '--columns': shown.map(({ width }) => width).join(' ') } as CSSProperties}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="rowgroup" className="list-head">
        {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: a row of headers is no stop. */}
        <div role="row" className="row" aria-rowindex={1}>
          {shown.map(({ id, header }) => (
            // biome-ignore lint/a11y/useSemanticElements: as above.
            // biome-ignore lint/a11y/useFocusableInteractive: lists are not sorted by the viewer.
            <div role="columnheader" className={`cell cell-${id}`} key={id}>
              {header}
            </div>
          ))}
        </div>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div
        role="rowgroup"
        className="list-body"
        ref={body}
        style={isPrinting ? undefined : { height: virtualizer.getTotalSize() }}
        onKeyDown={onKeyDown}
        onFocus={focused.onFocus}
        onBlur={focused.onBlur}
      >
        {items.map((item) => {
          const entry = entries[item.index];
          return (
            entry && (
              // biome-ignore lint/a11y/useSemanticElements: as above.
              // biome-ignore lint/a11y/useFocusableInteractive: the link in the row is the stop.
              <div
                role="row"
                className="row"
                aria-rowindex={item.index + 2}
                data-index={item.index}
                key={item.key}
                // Paper has other heights.
                ref={isPrinting ? undefined : virtualizer.measureElement}
                style={isPrinting ? undefined : { transform: `translateY(${item.start - scrollMargin}px)` }}
              >
                <Cells entry={entry} columns={shown} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

interface CellsProps<T> {
  readonly entry: T;
  readonly columns: readonly Pick<Column<T> & NonNullable<Column<T>['page']>, 'id' | 'cell'>[];
}

/** The cells of a row. Scrolling renders the rows of a list again and again, and their cells only when the entry changes. */
const Cells = memo(function Cells<T>({ entry, columns }: CellsProps<T>) {
  return columns.map(({ id, cell }) => (
    // biome-ignore lint/a11y/useSemanticElements: rows of a virtual list have positions, which the elements of a table do not take.
    <div role="cell" className={`cell cell-${id}`} key={id}>
      {cell(entry)}
    </div>
  ));
}) as <T>(props: CellsProps<T>) => ReactNode;

interface RowKeysOptions {
  readonly body: { readonly current: HTMLElement | null };
  readonly focused: FocusedRow;
  readonly count: number;
  /** The row that had the focus when the list was left; -1 without one. */
  readonly firstIndex: number;
  /** Scrolls a row into the window. */
  readonly reveal: (index: number) => void;
}

/** Moves the focus between the links of rows: with arrows, Home, End, and by ten rows with PageUp and PageDown. */
function useRowKeys({ body, focused, count, firstIndex, reveal }: RowKeysOptions) {
  const wanted = useRef<number | undefined>(firstIndex === -1 ? undefined : firstIndex);
  // The row may come into the document with a later render, so each render looks.
  useEffect(() => {
    if (wanted.current === undefined) return;
    const link = body.current?.querySelector<HTMLElement>(
      `[data-index="${wanted.current}"] a, [data-index="${wanted.current}"] button`,
    );
    if (!link) return;
    wanted.current = undefined;
    link.focus({ preventScroll: true });
  });
  const [, render] = useState(0);
  return (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 10,
      PageUp: -10,
      Home: -count,
      End: count,
    };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const index = Math.min(count - 1, Math.max(0, (focused.indexOf() ?? 0) + step));
    wanted.current = index;
    reveal(index);
    render((renders) => renders + 1);
  };
}
