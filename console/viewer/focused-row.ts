import { useRouterState } from '@tanstack/react-router';
import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';

interface FocusedRowOptions {
  /** The element around the rows, which have their index in `data-index`. */
  readonly body: { readonly current: HTMLElement | null };
  readonly count: number;
  /** Names the row of an index. */
  readonly keyAt: (index: number) => unknown;
  /** Called for each row that gets the focus. */
  readonly onRow?: (key: unknown) => void;
}

export interface FocusedRow {
  /** Returns the present index of the row; undefined without one. */
  readonly indexOf: () => number | undefined;
  /** Adds the row to those in the document: without it the keys would go nowhere. */
  readonly rangeExtractor: (range: Range) => number[];
  readonly onFocus: (event: { readonly target: Element }) => void;
  readonly onBlur: (event: { readonly relatedTarget: Element | null }) => void;
}

/** The rows that had the focus when lists were left, by the entry of the browser's history. */
const left = new Map<string, unknown>();

/** Remembers the row of a list that is left, and returns it when the viewer returns by the browser's history. */
export function useReturn(): { readonly keyBefore: unknown; readonly remember: (key: unknown) => void } {
  const place = useRouterState({ select: ({ location }) => location.state.__TSR_key ?? '' });
  const [first] = useState({ place, keyBefore: left.get(place) });
  return { keyBefore: first.keyBefore, remember: (key) => void left.set(first.place, key) };
}

/** Follows the row of a virtual list that has the focus by its key, because new entries before it change its index. */
export function useFocusedRow({ body, count, keyAt, onRow }: FocusedRowOptions): FocusedRow {
  const row = useRef<{ readonly key: unknown; readonly index: number } | undefined>(undefined);
  const indexOf = () => {
    const { current } = row;
    if (current === undefined) return undefined;
    const isAt = (index: number) => index < count && keyAt(index) === current.key;
    if (isAt(current.index)) return current.index;
    let index = 0;
    while (index < count && !isAt(index)) index += 1;
    row.current = index < count ? { key: current.key, index } : undefined;
    return row.current?.index;
  };
  return {
    indexOf,
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      const index = indexOf();
      return index === undefined || shown.includes(index)
        ? shown
        : [...shown, index].toSorted((one, other) => one - other);
    },
    onFocus: ({ target }) => {
      const index = target.closest('[data-index]')?.getAttribute('data-index');
      if (index == null) return;
      row.current = { key: keyAt(Number(index)), index: Number(index) };
      onRow?.(row.current.key);
    },
    onBlur: ({ relatedTarget }) => {
      if (!body.current?.contains(relatedTarget)) row.current = undefined;
    },
  };
}
