import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Reply } from '../../../client/types.ts';
import { type Column, numberColumn, timeColumn } from '../../parts/column.tsx';
import { ForeignText } from '../../parts/entry-links.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { dayRanges, useSince } from '../../parts/range-choice.tsx';
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

/** What recipients answered. */
export function RepliesPage() {
  const { replies } = useWords();
  const { range = '24h' } = route.useSearch();
  const navigate = route.useNavigate();
  const since = useSince(range);
  const source = useMemo(() => ({ path: '/v1/replies', filters: { since } }), [since]);
  return (
    <ListPage
      name="replies"
      texts={replies}
      source={source}
      columns={columns}
      keyOf={keyOf}
      range={range}
      ranges={dayRanges}
      onRange={(next) => void navigate({ search: { range: next }, replace: true })}
    />
  );
}
