import { useParams } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { decisionOf } from '../../../client/deciding-report.ts';
import type { Conversation, Reply, TimelineEntry } from '../../../client/types.ts';
import { conversationSource } from '../../api/queries.ts';
import { useList } from '../../api/use-list.ts';
import type { Column } from '../../parts/column.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';
import { ForeignText, MessageLink, SendLink } from '../../parts/entry-links.tsx';
import { Failure, Missing, Notice, RefreshState } from '../../parts/notice.tsx';
import { NumberText } from '../../parts/number-text.tsx';
import { Page } from '../../parts/page.tsx';
import { countedReason, NextStep, ReasonText, Status, useReasonText } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { ReplyNotes } from '../../parts/unread-notes.tsx';
import { dayText } from '../../rules/time-text.ts';
import { useFocusedRow } from '../../viewer/focused-row.ts';
import { usePreferences, useWords } from '../../viewer/preferences.tsx';
import { useIsPrinting } from '../../viewer/printing.ts';
import { OptOutState } from '../opt-outs/opt-out-state.tsx';
import { failureColumns } from './message-columns.tsx';

/** One number: the messages to it and the replies from it, and whether it wants messages. */
export function ConversationPage() {
  const words = useWords();
  const { of } = useParams({ from: '/conversations/$of' });
  const source = useMemo(() => conversationSource(of), [of]);
  const { list, pages, first, hasNews, showNews, mayLoadMore } = useList<Conversation>(source);
  const entries = useMemo(() => pages?.flatMap((page) => page.entries) ?? [], [pages]);
  const loadMore = () => void list.fetchNextPage();
  return (
    <Page
      title={words.conversation.title}
      subject={
        first && (
          <Copyable text={first.number} label={words.columns.number}>
            <span className="number">
              <NumberText number={first.number} />
            </span>
          </Copyable>
        )
      }
      className="conversation"
    >
      {first === undefined && (
        <Missing
          query={list}
          unknown={{ title: words.conversation.unknownTitle, text: words.conversation.unknown }}
        />
      )}
      {first && (
        <>
          <OptOutState {...first} />
          <div className="list-bar">
            <p className="count">{words.conversation.newestFirst}</p>
            <RefreshState onShowNews={hasNews ? showNews : undefined} />
            {entries.length > 0 && <DownloadButton name="conversation" source={source} columns={columns} />}
          </div>
          {entries.length === 0 && !list.hasNextPage ? (
            <Notice icon="replies" title={words.conversation.empty} />
          ) : (
            <Bubbles entries={entries} onNearEnd={mayLoadMore ? loadMore : undefined} />
          )}
          {list.hasNextPage && (
            <div className="list-end">
              <Button className="button" isPending={list.isFetchingNextPage} onPress={loadMore}>
                {list.isFetchingNextPage ? words.list.loadingMore : words.list.more}
              </Button>
            </div>
          )}
          {list.isFetchNextPageError && list.error && <Failure error={list.error} onRetry={loadMore} />}
        </>
      )}
    </Page>
  );
}

const idOf = (entry: TimelineEntry) =>
  entry.kind === 'message' ? `m~${entry.messageId}` : `r~${entry.replyId}`;
const timeOf = (entry: TimelineEntry) => (entry.kind === 'message' ? entry.firstSeenAt : entry.receivedAt);

/** The columns of the CSV. */
const columns: readonly Column<TimelineEntry>[] = [
  { id: 'kind', header: ({ columns }) => columns.entry, csv: ({ kind }) => kind },
  {
    id: 'id',
    header: ({ columns }) => columns.messageId,
    csv: (entry) => (entry.kind === 'message' ? entry.messageId : entry.replyId),
  },
  { id: 'receivedAt', header: ({ columns }) => columns.received, csv: timeOf },
  {
    id: 'sentAt',
    header: ({ columns }) => columns.sent,
    csv: (entry) => (entry.kind === 'reply' ? entry.occurredAt : ''),
  },
  ...failureColumns
    .filter(({ id }) => id !== 'message' && id !== 'time')
    .map(
      ({ csv, page: _, ...column }): Column<TimelineEntry> => ({
        ...column,
        csv: (entry) => (entry.kind === 'message' ? (csv?.(entry) ?? '') : ''),
      }),
    ),
  {
    id: 'text',
    header: ({ columns }) => columns.text,
    csv: (entry) => (entry.kind === 'reply' ? entry.text : ''),
  },
];

interface BubblesProps {
  readonly entries: readonly TimelineEntry[];
  readonly onNearEnd: (() => void) | undefined;
}

function Bubbles({ entries, onNearEnd }: BubblesProps) {
  const { language, timeZone } = usePreferences();
  const body = useRef<HTMLOListElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => setScrollMargin(body.current?.offsetTop ?? 0), []);
  // The virtualizer measures all entries again for another function.
  const keyAt = useCallback(
    (index: number) => {
      const entry = entries[index];
      return entry === undefined ? index : idOf(entry);
    },
    [entries],
  );
  const focused = useFocusedRow({ body, count: entries.length, keyAt });
  const virtualizer = useWindowVirtualizer({
    count: entries.length,
    estimateSize: () => 96,
    overscan: 6,
    scrollMargin,
    getItemKey: keyAt,
    rangeExtractor: focused.rangeExtractor,
  });
  const isPrinting = useIsPrinting();
  const items = isPrinting
    ? entries.map((entry, index) => ({ index, key: idOf(entry), start: 0 }))
    : virtualizer.getVirtualItems();
  const end = (virtualizer.range?.endIndex ?? -1) + 1;
  useEffect(() => {
    if (end >= entries.length - 10) onNearEnd?.();
  }, [end, entries.length, onNearEnd]);
  return (
    <ol
      className="bubbles"
      ref={body}
      style={isPrinting ? undefined : { height: virtualizer.getTotalSize() }}
      onFocus={focused.onFocus}
      onBlur={focused.onBlur}
    >
      {items.map(({ index, key, start }) => {
        const entry = entries[index];
        if (entry === undefined) return null;
        const before = entries[index - 1];
        const day = dayText(timeOf(entry), language, timeZone);
        const isFirstOfDay = before === undefined || dayText(timeOf(before), language, timeZone) !== day;
        return (
          <li
            key={key}
            data-index={index}
            data-kind={entry.kind}
            // Paper has other heights.
            ref={isPrinting ? undefined : virtualizer.measureElement}
            style={isPrinting ? undefined : { transform: `translateY(${start - scrollMargin}px)` }}
          >
            {isFirstOfDay && <h2 className="day">{day}</h2>}
            <Bubble entry={entry} />
          </li>
        );
      })}
    </ol>
  );
}

/** Whether a reply arrived so long after it was sent that both times matter. The page orders replies by their receipt. */
function isLate({ occurredAt, receivedAt }: Reply): boolean {
  return Math.abs(Date.parse(receivedAt) - Date.parse(occurredAt)) > 60_000;
}

function Bubble({ entry }: { readonly entry: TimelineEntry }) {
  const { conversation, columns } = useWords();
  const reasonText = useReasonText();
  if (entry.kind === 'reply')
    return (
      <article className="bubble" aria-label={conversation.replyFrom}>
        <p className="bubble-text">
          <ForeignText text={entry.text} />
        </p>
        <p className="bubble-meta">
          {conversation.sent} <Time at={entry.occurredAt} isStop />
          {isLate(entry) && (
            <span>
              {conversation.received} <Time at={entry.receivedAt} isStop />
            </span>
          )}
          <ReplyNotes reply={entry} />
          {entry.messageId !== undefined && (
            <span>
              {conversation.answers} <MessageLink messageId={entry.messageId} />
            </span>
          )}
        </p>
      </article>
    );
  const report = decisionOf(entry)?.report;
  const reason = reasonText(report);
  return (
    <article className="bubble" aria-label={conversation.messageTo}>
      <p className="bubble-status">
        <Status status={entry.status} />
        <Time at={entry.statusAt} isStop />
        {reason !== '' && (
          <span className="reason">
            <ReasonText report={report} />
          </span>
        )}
      </p>
      <NextStep reason={countedReason(report)} />
      <p className="bubble-meta">
        <span>
          {columns.firstSeen} <Time at={entry.firstSeenAt} isStop />
        </span>
        <MessageLink messageId={entry.messageId} />
        {entry.sendId !== null && <SendLink sendId={entry.sendId} />}
      </p>
    </article>
  );
}
