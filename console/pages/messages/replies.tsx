import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Reply } from '../../../client/types.ts';
import type { Column } from '../../parts/column.ts';
import { ForeignText, NumberLink } from '../../parts/entry-links.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import { dayRanges, useSince } from '../../parts/range-choice.tsx';
import { Time } from '../../parts/time.tsx';
import { useWords } from '../../viewer/preferences.tsx';

const route = getRouteApi('/replies');
const keyOf = ({ replyId }: Reply) => replyId;

function useColumns(): readonly Column<Reply>[] {
  const { columns } = useWords();
  return useMemo(
    () => [
      {
        id: 'number',
        header: columns.from,
        text: ({ from }) => from,
        cell: (original) => <NumberLink number={original.from} of={`r~${original.replyId}`} />,
      },
      {
        id: 'text',
        header: columns.text,
        text: ({ text }) => text,
        cell: (_, text) => <ForeignText text={text} />,
      },
      {
        id: 'time',
        header: columns.sent,
        text: ({ occurredAt }) => occurredAt,
        cell: (_, text) => <Time at={text} />,
      },
    ],
    [columns],
  );
}

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
      columns={useColumns()}
      keyOf={keyOf}
      range={range}
      ranges={dayRanges}
      onRange={(next) => void navigate({ search: { range: next }, replace: true })}
    />
  );
}
