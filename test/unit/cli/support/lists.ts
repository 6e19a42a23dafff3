import type { HistoryLists } from '../../../../functions/history/lists/history-list-store.ts';
import type {
  Page,
  PageRequest,
  StatusFilter,
  TimeRange,
} from '../../../../functions/history/lists/time-range.ts';
import { type Content, memoryHistory } from '../../../support/fakes/history.ts';

/** A request for a list. */
export interface Asked extends TimeRange, StatusFilter, PageRequest {
  readonly list: string;
}

/**
 * The lists of a history in memory.
 *
 * @param asked gets every page that is asked for
 */
export function listsOf(content: Content | (() => Content), asked: Asked[] = []): HistoryLists {
  const history = () => memoryHistory(typeof content === 'function' ? content() : content);
  const recorded =
    <Q extends TimeRange & StatusFilter, T>(
      list: string,
      read: (lists: HistoryLists, query: Q, page: PageRequest) => Promise<Page<T>>,
    ) =>
    async (query: Q, page: PageRequest): Promise<Page<T>> => {
      asked.push({ list, ...query, ...page });
      return read(history(), query, page);
    };
  return {
    phone: recorded('phone', (lists, query, page) => lists.phone(query, page)),
    send: recorded('send', (lists, query, page) => lists.send(query, page)),
    failed: recorded('failed', (lists, query, page) => lists.failed(query, page)),
    unknown: recorded('unknown', (lists, query, page) => lists.unknown(query, page)),
    pending: recorded('pending', (lists, query, page) => lists.pending(query, page)),
    replies: recorded('replies', (lists, query, page) => lists.replies(query, page)),
    optOuts: recorded('optOuts', (lists, query, page) => lists.optOuts(query, page)),
  };
}
