import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Reply } from '../../../client/types.ts';
import { type Column, numberColumn, timeColumn } from '../../parts/column.tsx';
import { ForeignText } from '../../parts/entry-links.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { dayRanges, useListSpan } from '../../parts/range-choice.tsx';
import { SourceChoice, useKnownSource } from '../../parts/source-choice.tsx';
import { TextFilter } from '../../parts/text-filter.tsx';
import { ReplyNotes } from '../../parts/unread-notes.tsx';
import { useWords } from '../../viewer/preferences.tsx';

const route = getRouteApi('/replies');
const keyOf = ({ replyId }: Reply) => replyId;

const columns: readonly Column<Reply>[] = [
  { id: 'reply', header: ({ columns }) => columns.reply, csv: ({ replyId }) => replyId },
  numberColumn(
    ({ columns }) => columns.from,
    ({ from, replyId }) => ({ number: from, of: `r~${replyId}` }),
  ),
  {
    id: 'text',
    header: ({ columns }) => columns.text,
    csv: ({ text }) => text,
    page: {
      width: 'minmax(0, 1fr)',
      cell: (reply) => (
        <>
          <ForeignText text={reply.text} /> <ReplyNotes reply={reply} />
        </>
      ),
    },
  },
  timeColumn(
    ({ columns }) => columns.sent,
    ({ occurredAt }) => occurredAt,
  ),
];

/** The query API looks for no shorter text. */
const minWordLength = 2;

/** What recipients answered. */
export function RepliesPage() {
  const { replies } = useWords();
  const { range = '24h', from, to, words: wanted, source: sourceName } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (change: Partial<ReturnType<typeof route.useSearch>>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const times = { range, from, to };
  const { since, until } = useListSpan(times);
  const shownSource = useKnownSource(sourceName);
  // An address may have fewer characters than the query API looks for.
  const words = wanted !== undefined && wanted.length >= minWordLength ? wanted : undefined;
  const source = useMemo(
    () => ({ path: '/v1/replies', filters: { since, until, text: words, source: shownSource } }),
    [since, until, words, shownSource],
  );
  return (
    <ListPage
      name="replies"
      named={[shownSource]}
      texts={replies}
      source={source}
      columns={columns}
      keyOf={keyOf}
      times={times}
      ranges={dayRanges}
      onTimes={show}
      filters={
        <>
          <TextFilter
            key={words}
            label={replies.words}
            hint={replies.wordsHint}
            value={words ?? ''}
            minLength={minWordLength}
            onChange={(next) => show({ words: next === '' ? undefined : next })}
          />
          <SourceChoice value={shownSource} onChange={(next) => show({ source: next })} />
        </>
      }
    />
  );
}
